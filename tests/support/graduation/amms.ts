// The AMM's builds that the graduation tests run on.
import { existsSync } from 'node:fs';
import { AMM_VERSIONS, AmmUnavailableError, ensureAmmProgram } from '@curvekit/sdk/testing';
import type { LocalCluster } from '@curvekit/sdk/testing';
import { CLUSTER, useCluster } from '#tests/cluster/cluster.js';

export interface AmmBuild {
  readonly name: string;
  readonly so: string;
}

/** The known builds that are in the cache, and the one that CURVEKIT_CPMM_SO names. */
async function findBuilds(): Promise<AmmBuild[]> {
  const builds: AmmBuild[] = [];
  for (const version of AMM_VERSIONS) {
    const found = await ensureAmmProgram({ version, rpcUrl: NOWHERE }).catch((error: unknown) => {
      if (error instanceof AmmUnavailableError) return undefined;
      throw error;
    });
    if (found !== undefined) builds.push({ name: version, so: found.path });
  }
  const named = process.env['CURVEKIT_CPMM_SO'] ?? '';
  if (named !== '' && existsSync(named)) builds.push({ name: named, so: named });
  return builds;
}

/** Tests do not fetch. */
const NOWHERE = 'http://127.0.0.1:9';

export const AMM_BUILDS: readonly AmmBuild[] = await findBuilds();
if (AMM_BUILDS.length === 0)
  console.log('graduation: left out, the AMM is not here; `npm run fetch:fixtures` gets it');

/** The tests once for each build. */
export function forEachAmm(title: string, tests: (so: string, index: number) => void): void {
  for (const [index, { name, so }] of AMM_BUILDS.entries())
    describe(`${title} (AMM ${name})`, () => tests(so, index));
}

/** The tests once for each build, on a cluster of its own. On a validator the first build must do: its clusters are slow. */
export function describeOnAmms(title: string, tests: (cluster: () => LocalCluster) => void): void {
  for (const { name, so } of CLUSTER === 'surfpool' ? AMM_BUILDS : AMM_BUILDS.slice(0, 1)) {
    describe(`${title} (AMM ${name})`, () => tests(useCluster({ graduation: { ammSo: so } })));
  }
}
