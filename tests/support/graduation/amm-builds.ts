// The available binaries of the AMM, and its stand-in.
import { compilerVersion } from '../../../scripts/program/toolchain.js';
import { buildStandIn } from '#tests/program/amm-stand-in.js';
import { FOREIGN_BUILDS, type AmmBuild } from './foreign-builds.js';

/** The stand-in; undefined if no compiler for it is installed. */
export const STAND_IN: AmmBuild | undefined =
  compilerVersion() === undefined
    ? undefined
    : { name: 'stand-in', so: buildStandIn((line) => console.error(line)), creatorFees: true };

export const AMM_BUILDS: readonly AmmBuild[] = [
  ...FOREIGN_BUILDS,
  ...(STAND_IN === undefined ? [] : [STAND_IN]),
];
