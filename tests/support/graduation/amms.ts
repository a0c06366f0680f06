// Runs the graduation tests once for each build of the AMM.
import type { LocalCluster } from '@curvekit/testing';
import { CLUSTER, useCluster } from '#tests/cluster/cluster.js';
import { AMM_BUILDS } from './amm-builds.js';

if (AMM_BUILDS.length === 0)
  console.log('graduation: left out, the AMM is not here; `npm run fetch:fixtures` gets it');

/** Declares the tests once for each build. */
export function forEachAmm(title: string, tests: (so: string, index: number) => void): void {
  for (const [index, { name, so }] of AMM_BUILDS.entries())
    describe(`${title} (AMM ${name})`, () => tests(so, index));
}

/**
 * Declares the tests once for each build, on its own cluster. On a validator only for the first build: its clusters are
 * slow.
 */
export function describeOnAmms(title: string, tests: (cluster: () => LocalCluster) => void): void {
  for (const { name, so } of CLUSTER === 'surfpool' ? AMM_BUILDS : AMM_BUILDS.slice(0, 1)) {
    describe(`${title} (AMM ${name})`, () => tests(useCluster({ graduation: { ammSo: so } })));
  }
}
