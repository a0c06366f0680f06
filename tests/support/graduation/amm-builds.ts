// The available builds of the AMM: Raydium's own, which are not in the repository, and Curvekit's stand-in.
import { ammStandIn } from '@curvekit/testing';
import { FOREIGN_BUILDS, type AmmBuild } from './foreign-builds.js';

export const STAND_IN: AmmBuild = { name: 'stand-in', so: (await ammStandIn()).path, creatorFees: true };

export const AMM_BUILDS: readonly AmmBuild[] = [...FOREIGN_BUILDS, STAND_IN];
