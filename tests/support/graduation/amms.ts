// Runs the graduation tests once for each build of the AMM.
import type { LocalCluster } from '@curvekit/testing';
import { CLUSTER, useCluster } from '#tests/cluster/cluster.js';
import { AMM_BUILDS } from './amm-builds.js';

/**
 * Declares the tests once for each build, on its own cluster. On a validator only for the first build, on the validator
 * that all files share: starting one takes long.
 */
export function describeOnAmms(title: string, tests: (cluster: () => LocalCluster) => void): void {
  const isSurfpool = CLUSTER === 'surfpool';
  for (const { name, so } of isSurfpool ? AMM_BUILDS : AMM_BUILDS.slice(0, 1)) {
    const options = isSurfpool ? { graduation: { ammSo: so } } : undefined;
    describe(`${title} (AMM ${name})`, () => tests(useCluster(options)));
  }
}
