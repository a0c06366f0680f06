import type { LocalCluster } from '@curvekit/testing';
import { compareWithChain } from './comparison.js';
import { crowdTable } from './crowd-table.js';
import { runLaunch } from './crowd.js';
import type { Shown } from './shown.js';

/** Runs `tokens` launches at once and compares the records of each with the chain. */
export async function showCrowd(
  cluster: LocalCluster,
  tokens: number,
  seed: number,
  log: (line: string) => void,
  colour: boolean,
): Promise<Shown> {
  log(`${tokens} launches with random trades, seed ${seed}`);
  let finished = 0;
  const launches = await Promise.all(
    Array.from({ length: tokens }, async (_, index) => {
      const { launch, steps } = await runLaunch(cluster, seed, index);
      const comparison = await compareWithChain(cluster, launch.mint, steps.at(-1)?.signature ?? '');
      finished += 1;
      log(
        `${launch.identity.symbol}: ${steps.length} transactions, history compared (${finished} of ${tokens})`,
      );
      return { launch, steps, comparison };
    }),
  );
  const records = launches.reduce((sum, { comparison }) => sum + comparison.records, 0);
  const values = launches.reduce((sum, { comparison }) => sum + comparison.checks.length, 0);
  return {
    text: crowdTable(launches, colour),
    verdict: `${records} records of ${tokens} tokens and the chain, in ${values} values; seed ${seed}`,
    document: {
      demo: 'crowd',
      cluster: { kind: cluster.kind, rpcUrl: cluster.rpcUrl },
      programId: cluster.programId,
      seed,
      tokens: launches.map(({ launch, steps, comparison }) => ({ ...launch.identity, steps, ...comparison })),
    },
    equal: launches.every(({ comparison }) => comparison.equal),
  };
}
