// Scans the storages of one token or of all, begins periods for tokens that are due, and advances open settlements.
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Context } from '../../context.js';
import { DeposedError } from '../../db/database.js';
import type { Step } from '../../db/jobs/leader-job.js';
import { endWithin } from '../../base/call-within.js';
import { askNode } from '../../chain/connection.js';
import { newestPoolReserves } from '../../index/pool-prices.js';
import { requirePaymentsOpen } from '../../ledger/gate/payments-gate.js';
import { advanceSettlements, type AdvanceOptions } from './advance.js';
import { isDue, valueOf } from './periods/due.js';
import { BusyError, NO_KEY, SettlementError } from './errors.js';
import { mintsWithOpenSettlement, openSettlement } from './repository.js';
import { reportInterrupted, type SettlementReport } from './report.js';
import { begin, type SettleOptions } from './settle.js';
import { readStorages, STORAGES_PER_REQUEST, type Storages } from './periods/storages.js';
import { tokenOf, tokensAfter, type SettledToken } from './periods/tokens-repository.js';
import { rememberPass, rememberReport, settling, whenOf } from './periods/waiting.js';

/** Lease of the process that settles: the service's job or an operator's command. */
const LEASE = 'settling';
const TRY_LEASE_AGAIN_MS = 500;
/** Settlements that begin concurrently. Each reads the recipients' accounts from the RPC node. */
const CONCURRENT_STARTS = 8;
/** Length of a period that a command begins when no interval is configured. */
const DEFAULT_PERIOD_MS = 60_000;

export interface CommandOptions extends SettleOptions {
  /** How long to wait while another process settles. */
  readonly waitMs?: number | undefined;
  readonly onSample?: AdvanceOptions['onSample'];
}

/**
 * Settles one token: finishes its open settlement, or begins a period and waits for its end. Settlements of other tokens
 * advance meanwhile.
 *
 * @throws SettlementError for an unknown token, without the DEX owner's key, and while another process settles
 */
export function settleOne(
  context: Context,
  mint: string,
  options: CommandOptions,
): Promise<SettlementReport> {
  return alone(context, options, async (options, context) => {
    const { queries } = context.database;
    const token = await tokenOf(queries, mint);
    if (token === undefined) {
      throw new SettlementError(
        `${mint} is not an indexed token of this launchpad; check the address, or wait for the indexer`,
      );
    }
    await context.database.transaction((tx) => settling.wake(tx, context.now()));
    if ((await openSettlement(queries, mint)) === undefined) {
      const [waiting] = await beginDue(context, [token], options);
      if (waiting !== undefined) {
        await context.database.transaction((tx) => rememberReport(tx, waiting, whenOf(context)));
        return waiting;
      }
    }
    let report: SettlementReport = { mint, outcome: 'nothing', problems: [] };
    await advanceSettlements(context, {
      ...options,
      concerns: (other) => other === mint,
      onReport: (other) => {
        if (other.mint === mint) report = other;
      },
    });
    if (report.outcome === 'nothing') await context.database.transaction((tx) => settling.done(tx, mint));
    return report;
  });
}

/**
 * Settles every token. A failure of one token does not stop the others.
 *
 * @returns a report of each token that had something to settle
 * @throws SettlementError without the DEX owner's key, and while another process settles; NodeError when the RPC node fails
 */
export function settleAll(context: Context, options: CommandOptions): Promise<SettlementReport[]> {
  return alone(context, options, async (options, context) => {
    const reports = await scanStorages(context, options);
    await context.database.transaction((tx) => settling.wake(tx, context.now()));
    const add = (report: SettlementReport): void => {
      if (report.outcome !== 'nothing') reports.push(report);
    };
    await advanceSettlements(context, { ...options, onReport: add });
    return reports;
  });
}

export interface TurnOptions extends SettleOptions {
  /** Time of the next full scan, in milliseconds of the service's clock. Called again after each scan. */
  readonly looksAt: () => number;
  /** Called when a scan begins. */
  readonly onLook: () => void;
  /** Called when a scan ends. It is not complete when it failed, or when an error stopped a settlement from beginning. */
  readonly onLooked: (isComplete: boolean) => void;
  readonly idleMs: number;
  readonly step?: Step;
  readonly onReport: (report: SettlementReport) => void;
}

/**
 * A turn of the service's job: scans all storages when due and advances open settlements. Returns when it would be idle for
 * `idleMs`, so that an operator's command can run.
 *
 * @returns the time of the next work, in milliseconds of the service's clock
 * @throws BusyError while a command settles
 */
export function settlingTurn(context: Context, options: TurnOptions): Promise<number> {
  return alone(context, { ...options, waitMs: 0 }, (options, context) => {
    const run = async () => {
      options.onLook();
      try {
        const reports = await scanStorages(context, options);
        for (const report of reports) options.onReport(report);
        options.onLooked(!reports.some(({ isInterrupted }) => isInterrupted === true));
      } catch (error) {
        options.signal.throwIfAborted();
        if (error instanceof DeposedError) throw error;
        context.logger.error(
          { err: error },
          'reading the community storages failed and is tried again. If that lasts, run `curvekit doctor`',
        );
        options.onLooked(false);
      }
    };
    return advanceSettlements(context, { ...options, look: { at: options.looksAt, run } });
  });
}

/** Scans all storages and begins periods for due tokens. @returns a report of each token that waits */
async function scanStorages(context: Context, options: SettleOptions): Promise<SettlementReport[]> {
  const { database } = context;
  const due: Due[] = [];
  const reports: SettlementReport[] = [];
  let after = '';
  for (;;) {
    options.signal.throwIfAborted();
    const tokens = await tokensAfter(database.queries, after, STORAGES_PER_REQUEST);
    const found = await dueOf(context, tokens);
    due.push(...found.due);
    reports.push(...found.waiting);
    after = tokens.at(-1)?.mint ?? '';
    if (tokens.length < STORAGES_PER_REQUEST) break;
  }
  reports.push(...(await beginAll(context, due, options)));
  await database.transaction((tx) => rememberPass(tx, reports, whenOf(context)));
  return reports;
}

interface Due {
  readonly token: SettledToken;
  readonly storages: Storages;
  readonly value: bigint;
}

/** Filters the tokens that are due and have no open settlement. */
async function dueOf(
  context: Context,
  tokens: readonly SettledToken[],
): Promise<{ readonly due: Due[]; readonly waiting: SettlementReport[] }> {
  const { connection, deployment, database, config } = context;
  const [due, waiting]: [Due[], SettlementReport[]] = [[], []];
  if (tokens.length === 0) return { due, waiting };
  const mints = tokens.map(({ mint }) => mint);
  const open = new Set(await mintsWithOpenSettlement(database.queries, mints));
  const found = await askNode(readStorages(connection, deployment, mints));
  const pools = await newestPoolReserves(database.queries, mints);
  for (const [index, token] of tokens.entries()) {
    const read = found[index];
    if (read === undefined || open.has(token.mint)) continue;
    if ('problem' in read) {
      waiting.push({ mint: token.mint, outcome: 'waiting', problems: [read.problem] });
      continue;
    }
    const { storages } = read;
    const value = valueOf(storages, token, pools.get(token.mint));
    if (isDue(storages, value, config.settlement)) due.push({ token, storages, value });
  }
  return { due, waiting };
}

/** Begins periods for due tokens, largest value first. @returns a report of each token that does not begin */
async function beginAll(
  context: Context,
  due: readonly Due[],
  options: SettleOptions,
): Promise<SettlementReport[]> {
  const { config, logger } = context;
  const configured = config.settlement.intervalSeconds * 1_000;
  const periodMs = options.periodMs ?? (configured === 0 ? DEFAULT_PERIOD_MS : configured);
  const reports: SettlementReport[] = [];
  const byValue = [...due].sort((a, b) => (a.value === b.value ? 0 : a.value > b.value ? -1 : 1));
  await pLimit(CONCURRENT_STARTS).map(byValue, async ({ token, storages, value }) => {
    const { mint } = token;
    options.signal.throwIfAborted();
    try {
      const report = await begin(context, token, storages, value, { ...options, periodMs });
      if (report !== undefined) reports.push(report);
    } catch (error) {
      options.signal.throwIfAborted();
      if (error instanceof SettlementError) throw error;
      logger.error(
        { err: error, mint },
        'beginning a settlement failed; the next pass tries again. If that lasts, run `curvekit doctor`',
      );
      reports.push(reportInterrupted(mint, error));
    }
  });
  return reports;
}

async function beginDue(
  context: Context,
  tokens: readonly SettledToken[],
  options: SettleOptions,
): Promise<SettlementReport[]> {
  const { due, waiting } = await dueOf(context, tokens);
  return [...waiting, ...(await beginAll(context, due, options))];
}

/**
 * Only one process settles at a time. A process that lost the lease stops at the next step, because its state may be
 * outdated, and cannot write any more.
 */
async function alone<T, Options extends CommandOptions>(
  context: Context,
  options: Options,
  work: (options: Options, context: Context) => Promise<T>,
): Promise<T> {
  if (context.config.dexOwner === undefined) throw new SettlementError(NO_KEY);
  const lease = await leaseWithin(context, options.waitMs ?? 0, options.signal);
  if (lease === undefined)
    throw new BusyError('another process settles right now; try again when it is done');
  try {
    // Writes check this lease. Writes of the service's job also check the leader's lease.
    const database = context.database.on('jobs', lease);
    const signal = AbortSignal.any([options.signal, lease.lost]);
    await requirePaymentsOpen(database.queries);
    // The lease ends also when the work does not: the next process must be able to settle.
    return await endWithin(work({ ...options, signal }, { ...context, database }), signal);
  } catch (cause) {
    const isLost = lease.lost.aborted || cause instanceof DeposedError;
    if (!isLost || options.signal.aborted) throw cause;
    throw new SettlementError(
      'the connection to the database broke, and another process may settle now; what is open is finished by the next run',
      { cause },
    );
  } finally {
    await lease.release();
  }
}

async function leaseWithin({ database }: Context, waitMs: number, signal: AbortSignal) {
  const giveUpAt = performance.now() + waitMs;
  for (;;) {
    const lease = await database.tryLead(LEASE);
    if (lease !== undefined || performance.now() >= giveUpAt) return lease;
    await sleep(TRY_LEASE_AGAIN_MS, undefined, { signal });
  }
}
