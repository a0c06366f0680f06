import type { LocalCluster } from '@curvekit/testing';
import { compareWithChain } from './comparison.js';
import { comparisonTable } from './comparison-table.js';
import type { Shown } from './shown.js';
import type { Step } from './step.js';
import { storyTable } from './story-table.js';
import { fundedCast, storyLaunch, tellStory, type Cast } from './story.js';

/** Runs the story and compares its token's records with the chain. */
export async function showStory(
  cluster: LocalCluster,
  log: (line: string) => void,
  colour: boolean,
): Promise<Shown> {
  const launch = storyLaunch(cluster);
  const cast = await fundedCast(cluster);
  const steps: Step[] = [];
  for await (const step of tellStory(cluster, launch, cast)) {
    log(step.title);
    steps.push(step);
  }
  log('rebuilding the history from the log records');
  // Trades with the pool do not mention the curve, so the listing does not contain them.
  const lastSignature = steps.findLast(({ progressBps }) => progressBps !== undefined)?.signature ?? '';
  const comparison = await compareWithChain(cluster, launch.mint, lastSignature, namesOf(cast, cluster));
  const { records, checks, equal, history } = comparison;
  const { symbol } = launch.identity;
  return {
    text: [
      storyTable(steps, colour),
      'Compute units and bytes are of whole transactions: a first buy also makes the token account of its buyer.',
      `The history of ${symbol}, rebuilt from its ${records} log records alone, and the chain:`,
      comparisonTable(comparison, colour),
    ].join('\n\n'),
    verdict: `${records} records and the chain, in ${checks.length} values`,
    document: {
      demo: 'story',
      cluster: { kind: cluster.kind, rpcUrl: cluster.rpcUrl },
      programId: cluster.programId,
      mint: launch.mint,
      steps,
      records,
      history,
      checks,
    },
    equal,
  };
}

/** The names of possible token holders, by address. */
function namesOf({ alice, bob, carol }: Cast, { deployment }: LocalCluster): Map<string, string> {
  const names = [alice, bob, carol].map(({ name, wallet }) => [wallet.publicKey.toBase58(), name] as const);
  return new Map([...names, [deployment.feeReceiver.toBase58(), 'the fee receiver']]);
}
