import type { Command } from 'commander';
import { work, type Registration, type Invocation, type Result } from '../command.js';
import { address, wholeNumber } from '../values.js';
import type { Context } from '../../context.js';
import { newestPoolReserves } from '../../index/pool-prices.js';
import { askNode } from '../../chain/connection.js';
import { whilePaymentsOpen } from '../../reconciliation/open-payments.js';
import { isDue, valueOf } from '../../graduation/settlement/periods/due.js';
import { settleAll, settleOne } from '../../graduation/settlement/pass.js';
import { momentOf } from '../../graduation/settlement/periods/moments.js';
import type { SettlementReport } from '../../graduation/settlement/report.js';
import { readStorages } from '../../graduation/settlement/periods/storages.js';
import { tokenOf } from '../../graduation/settlement/periods/tokens-repository.js';
import { sayWaiting, withContext } from '../session.js';
import { sumVolume } from '../../ledger/balances.js';
import { grouped, right, shares, sol, tableOr, tokens } from '../format.js';

const LONGEST_SECONDS = 604_800;

export function register(command: Command, registration: Registration): void {
  command
    .argument('[mint]', 'the token; all tokens without it', address)
    .option(
      '--period <seconds>',
      'length of new periods; without it SETTLEMENT_INTERVAL_SECONDS, or 60 where that is 0',
      wholeNumber(1, LONGEST_SECONDS),
    );
  work(command, registration, runSettle);
}

/** A running service releases its lease between two samples. */
const WAIT_MS = 30_000;

interface Options {
  readonly period?: number;
}

async function runSettle({
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
  const { reports, reason, volumes } = await withContext(terminal, async (context) => {
    const settled = await whilePaymentsOpen(
      context,
      options.signal,
      async () => {
        if (mint === undefined) return { reports: await settleAll(context, options), reason: undefined };
        const report = await settleOne(context, mint, options);
        const isNothing = report.outcome === 'nothing' && report.problems.length === 0;
        return { reports: [report], reason: isNothing ? await whyNotDue(context, mint) : undefined };
      },
      sayWaiting(terminal),
    );
    const { queries } = context.database;
    const volumes = await Promise.all(settled.reports.map((report) => sumVolume(queries, report.mint)));
    return { ...settled, volumes };
  });
  const settlements = reports.map((report, index) => ({ ...documentOf(report), volume: volumes[index]! }));
  return {
    document: { settlements, ...(reason !== undefined && { reason }) },
    text: [
      describe(reports, reason),
      ...settlements.flatMap(({ volume }, index) =>
        volume.wallets === 0 ? [] : [`${reports[index]!.mint}: ${shares(volume)}`],
      ),
    ].join('\n'),
    failed: reports.some(({ outcome }) => outcome === 'waiting' || outcome === 'failed'),
  };
}

/** Why the storages of a token are not settled; undefined when they are due. */
async function whyNotDue(
  { database, connection, deployment, config }: Context,
  mint: string,
): Promise<string | undefined> {
  const token = await tokenOf(database.queries, mint);
  const [read] = await askNode(readStorages(connection, deployment, [mint]));
  if (token === undefined || read === undefined || 'problem' in read) return undefined;
  const { storages } = read;
  const { minimumSol, minimumToken } = config.settlement;
  const pools = await newestPoolReserves(database.queries, [mint]);
  const value = valueOf(storages, token, pools.get(mint));
  if (isDue(storages, value, config.settlement)) return undefined;
  const held = `The storages of ${mint} hold ${sol(storages.sol)} SOL and ${tokens(storages.token)} tokens`;
  return value < minimumSol
    ? `${held}, together worth ${sol(value)} SOL. They are settled from ${sol(minimumSol)} SOL on (SETTLEMENT_MINIMUM_SOL).`
    : `${held}. Tokens alone are settled from ${tokens(minimumToken)} on (SETTLEMENT_MINIMUM_TOKEN).`;
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

function describe(reports: readonly SettlementReport[], reason: string | undefined): string {
  const settled = reports.flatMap(({ settlement }) => (settlement?.state === 'done' ? [settlement] : []));
  const table = tableOr(
    reason === undefined ? 'Nothing was settled.' : `Nothing was settled. ${reason}`,
    [
      'mint',
      { title: 'of', unit: 'SOL, tokens' },
      right('taken'),
      right('burned'),
      right('holders'),
      right('LP'),
      right('creator'),
      right('wallets'),
    ],
    settled.flatMap((row) => [
      [
        row.mint,
        'SOL',
        ...[row.sol, 0n, row.solHolders, row.solLp, row.solCreator].map(sol),
        grouped(row.holders),
      ],
      [
        row.mint,
        'tokens',
        ...[row.token, row.tokenBurned, row.tokenHolders, row.tokenLp, row.tokenCreator].map(tokens),
        grouped(row.holders),
      ],
    ]),
  );
  const problems = reports.flatMap(({ mint, outcome, problems: found }) =>
    found.map((problem) => `${mint} ${outcome === 'failed' ? 'failed' : 'waits'}: ${problem}`),
  );
  return [table, ...problems].join('\n');
}
