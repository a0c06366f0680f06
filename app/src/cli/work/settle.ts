import { whilePaymentsOpen } from '../../reconciliation/open-payments.js';
import { settleAll, settleOne } from '../../settlement/pass.js';
import { momentOf } from '../../settlement/moments.js';
import type { SettlementReport } from '../../settlement/report.js';
import { withContext } from '../chain-work.js';
import type { Invocation, Result } from '../command.js';
import { grouped, sol, tableOr, tokens } from '../format.js';

/** A running service releases its lease between two samples. */
const WAIT_MS = 30_000;

interface Options {
  readonly period?: number;
}

export async function runSettle({
  args: [mint],
  options: { period },
  terminal,
}: Invocation<Options>): Promise<Result> {
  const options = {
    signal: new AbortController().signal,
    periodMs: period === undefined ? undefined : period * 1_000,
    waitMs: WAIT_MS,
    onSample: ({ mint: sampled, samples }: { mint: string; samples: number }, taken: number) =>
      terminal.err(`${sampled}: ${taken} of ${samples} samples of the holders`),
  };
  const reports = await withContext(terminal, (context) =>
    whilePaymentsOpen(context, options.signal, async () =>
      mint === undefined ? settleAll(context, options) : [await settleOne(context, mint, options)],
    ),
  );
  return {
    document: { settlements: reports.map(documentOf) },
    text: describe(reports),
    failed: reports.some(({ outcome }) => outcome === 'waiting' || outcome === 'failed'),
  };
}

/** A report with the time of each sample, so that it can be checked against the seed. */
function documentOf({ samples = [], ...reported }: SettlementReport): object {
  const report = { ...reported, isInterrupted: undefined };
  const { settlement } = report;
  if (settlement === undefined) return report;
  const { seed, startedAt, periodMs, samples: count } = settlement;
  if (seed === null || startedAt === null) return report;
  const period = { seed, startedAt: startedAt.getTime(), periodMs, samples: count };
  const moments = samples.map((sample) => ({
    ...sample,
    moment: new Date(momentOf(period, sample.index)),
  }));
  return { ...report, samples: moments };
}

function describe(reports: readonly SettlementReport[]): string {
  const settled = reports.flatMap(({ settlement }) => (settlement?.state === 'done' ? [settlement] : []));
  const table = tableOr(
    'Nothing was settled.',
    [
      { title: 'mint' },
      { title: 'of', unit: 'SOL, tokens' },
      { title: 'taken', align: 'right' },
      { title: 'burned', align: 'right' },
      { title: 'holders', align: 'right' },
      { title: 'LP', align: 'right' },
      { title: 'creator', align: 'right' },
      { title: 'wallets', align: 'right' },
    ],
    settled.flatMap((row) => [
      {
        cells: [
          row.mint,
          'SOL',
          ...[row.sol, 0n, row.solHolders, row.solLp, row.solCreator].map(sol),
          grouped(row.holders),
        ],
      },
      {
        cells: [
          row.mint,
          'tokens',
          ...[row.token, row.tokenBurned, row.tokenHolders, row.tokenLp, row.tokenCreator].map(tokens),
          grouped(row.holders),
        ],
      },
    ]),
  );
  const problems = reports.flatMap(({ mint, outcome, problems: found }) =>
    found.map((problem) => `${mint} ${outcome === 'failed' ? 'failed' : 'waits'}: ${problem}`),
  );
  return [table, ...problems].join('\n');
}
