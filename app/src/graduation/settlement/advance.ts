// Advances all open settlements concurrently, highest value first: takes each sample at its time, then plans and pays. No
// token waits for another token's period.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Context } from '../../context.js';
import type { Step } from '../../db/jobs/leader-job.js';
import { DeposedError } from '../../db/database.js';
import { nextSample, momentOf, deadlineOf } from './periods/moments.js';
import { openPeriods, type OpenPeriod } from './periods/repository.js';
import { settlementOf } from './repository.js';
import { tokenOf } from './periods/tokens-repository.js';
import { takeSample } from './periods/sample.js';
import { reportInterrupted, type SettlementReport } from './report.js';
import { always } from '../../db/retries/tasks.js';
import { shownMessage } from '../../base/logging/logged-error.js';
import { rememberReport, settling, whenOf } from './periods/waiting.js';
import { finish, type SettleOptions } from './settle.js';

/** Limit of concurrent samples, and of concurrent payments. */
const LANES = 8;
/** Interrupted settlements leave lanes for those that were not tried yet, also when the interrupted are more valuable. */
const RETRY_LANES = 6;
/** Longest delay until changes by other processes are seen. */
const LOOK_AGAIN_MS = 1_000;
/** A failed sample is retried after a twentieth of its stratum, within these limits. */
const RETRY_STRATUM_PART = 20;
const SHORTEST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 5_000;
/**
 * A command stops waiting for a period without a successful sample for this time, or for this many strata, whichever is
 * longer.
 */
const GIVE_UP_MS = 60_000;
const GIVE_UP_STRATA = 4;

export interface AdvanceOptions extends SettleOptions {
  /** Selects the settlements to wait for. Others are sampled meanwhile, but not paid. The default is all. */
  readonly concerns?: ((mint: string) => boolean) | undefined;
  /**
   * Returns when there is nothing to do for longer than this. Without it, returns when no settlement that `concerns`
   * selects is left.
   */
  readonly idleMs?: number | undefined;
  /** A repeated scan of all storages, concurrent with the settlements. It may begin new ones. */
  readonly look?: Look | undefined;
  /** Gives each part of the work its limit. */
  readonly step?: Step | undefined;
  readonly onReport: (report: SettlementReport) => Promise<void> | void;
  readonly onSample?: ((period: OpenPeriod, taken: number) => void) | undefined;
}

interface Look {
  /** Time of the next scan, in milliseconds of the service's clock. */
  readonly at: () => number;
  readonly run: () => Promise<void>;
}

type Lane = 'sample' | 'finish';

interface Task {
  readonly lane: Lane;
  readonly period: OpenPeriod;
  readonly index: number;
}

/**
 * Advances settlements until none that `concerns` selects is left, or there is nothing to do for `idleMs`.
 *
 * @returns the time of the next work, in milliseconds of the service's clock
 * @throws the signal's reason when it is aborted, or DeposedError, after running steps have ended
 */
export async function advanceSettlements(context: Context, options: AdvanceOptions): Promise<number> {
  const advance = new Advance(context, options);
  let wakeAt: number;
  try {
    wakeAt = await advance.run();
  } finally {
    await advance.rest();
  }
  // What was still running can have failed.
  advance.throwFailure();
  return wakeAt;
}

class Advance {
  readonly #running = new Map<number, { readonly lane: Lane; readonly done: Promise<void> }>();
  readonly #startedAt: number;
  /** A command tries each settlement once. */
  readonly #reported = new Set<number>();
  /** When a settlement's holders were read last, for commands that give up. */
  readonly #lastSample = new Map<number, number>();
  #looking: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #notify = (): void => undefined;

  constructor(
    private readonly context: Context,
    private readonly options: AdvanceOptions,
  ) {
    this.#startedAt = context.now();
  }

  async run(): Promise<number> {
    const { context, options } = this;
    const { signal, concerns = () => true, idleMs } = options;
    for (;;) {
      signal.throwIfAborted();
      this.throwFailure();
      const changed = this.#change();
      this.#look();
      // What ends during the read can have begun a settlement that the read does not see.
      const wasBusy = this.#isBusy();
      const periods = await openPeriods(context.database.queries);
      const now = context.now();
      const { tasks, wakeAt } = this.#tasksOf(periods, now);
      this.#start(tasks);
      if (idleMs === undefined) {
        const left = periods.some(({ id, mint }) => concerns(mint) && !this.#reported.has(id));
        if (!left) return wakeAt;
      } else if (!wasBusy && !this.#isBusy() && wakeAt - now > idleMs) return wakeAt;
      await this.#until(changed, Math.min(Math.max(wakeAt - now, 0), LOOK_AGAIN_MS));
    }
  }

  /** @throws what a look or a step has failed with */
  throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #isBusy(): boolean {
    return this.#running.size > 0 || this.#looking !== undefined;
  }

  async rest(): Promise<void> {
    await Promise.all([...this.#running.values()].map(({ done }) => done));
    await this.#looking;
  }

  #look(): void {
    const { look } = this.options;
    if (look === undefined || this.#looking !== undefined || this.context.now() < look.at()) return;
    this.#looking = this.#inTime(look.run)
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#looking = undefined;
        this.#notify();
      });
  }

  /** Tasks that can run now, highest value first, and the time of the next tasks. */
  #tasksOf(periods: readonly OpenPeriod[], now: number): { tasks: Task[]; wakeAt: number } {
    let wakeAt = this.options.look?.at() ?? Infinity;
    const tasks: Task[] = [];
    for (const period of periods) {
      if (this.#running.has(period.id) || this.#reported.has(period.id)) continue;
      const index = period.state === 'sampling' ? nextSample(period, period.taken, now) : undefined;
      const at = Math.max(period.dueAt, index === undefined ? 0 : momentOf(period, index));
      if (at > now) wakeAt = Math.min(wakeAt, at);
      else if (index === undefined && !(this.options.concerns?.(period.mint) ?? true)) continue;
      else if (index === undefined) tasks.push({ lane: 'finish', period, index: 0 });
      else tasks.push({ lane: 'sample', period, index });
    }
    tasks.sort(({ period: a }, { period: b }) =>
      a.value === b.value ? a.id - b.id : a.value > b.value ? -1 : 1,
    );
    return { tasks, wakeAt };
  }

  #start(tasks: readonly Task[]): void {
    for (const task of tasks) {
      const inLane = [...this.#running.values()].filter(({ lane }) => lane === task.lane).length;
      const { id, attempts } = task.period;
      if (inLane >= (attempts > 0 ? RETRY_LANES : LANES)) continue;
      const done = this.#do(task)
        .catch((error: unknown) => {
          this.#failure ??= { error };
        })
        .finally(() => {
          this.#running.delete(id);
          this.#notify();
        });
      this.#running.set(id, { lane: task.lane, done });
    }
  }

  async #do(task: Task): Promise<void> {
    if (this.options.signal.aborted) return;
    await this.#inTime(() => (task.lane === 'sample' ? this.#sample(task) : this.#finish(task.period)));
  }

  #inTime(work: () => Promise<void>): Promise<void> {
    return this.options.step === undefined ? work() : this.options.step(work);
  }

  async #sample({ period, index }: Task): Promise<void> {
    const { context, options } = this;
    const { id, mint, attempts } = period;
    try {
      const slot = await takeSample(context, {
        settlementId: id,
        mint,
        index,
        minContextSlot: period.lastSlot,
        signal: options.signal,
      });
      if (slot === undefined) return;
      if (options.idleMs === undefined) this.#lastSample.set(id, context.now());
      if (attempts > 0) await context.database.transaction((tx) => settling.done(tx, mint));
      options.onSample?.(period, period.taken.size + 1);
      await options.afterStep?.('sampled');
    } catch (error) {
      if (options.signal.aborted) return;
      if (error instanceof DeposedError) throw error;
      await this.#sampleFailed(period, index, error);
    }
  }

  async #sampleFailed(period: OpenPeriod, index: number, error: unknown): Promise<void> {
    const { context, options } = this;
    const { id, mint, periodMs, samples, attempts } = period;
    const now = context.now();
    // At the first failure, and then ever more rarely.
    if (Number.isInteger(Math.log2(attempts + 1))) {
      const until = new Date(deadlineOf(period, index)).toISOString();
      context.logger.warn(
        { err: error, mint, settlement: id, until },
        'reading the holders failed; if this continues, a sample is missed and the period becomes longer',
      );
    }
    const part = periodMs / samples / RETRY_STRATUM_PART;
    const pauses = always(Math.min(Math.max(part, SHORTEST_RETRY_MS), LONGEST_RETRY_MS));
    const problem = `reading the holders failed: ${shownMessage(error)}`;
    await context.database.transaction((tx) =>
      settling.postpone(tx, { subject: mint, problem, now, pauses }),
    );
    const without = now - (this.#lastSample.get(id) ?? this.#startedAt);
    if (options.idleMs !== undefined) return;
    if (without < Math.max(GIVE_UP_MS, (GIVE_UP_STRATA * periodMs) / samples)) return;
    this.#reported.add(id);
    await options.onReport(reportInterrupted(mint, error));
  }

  async #finish(period: OpenPeriod): Promise<void> {
    const { context, options } = this;
    const { queries } = context.database;
    const { id, mint } = period;
    let report: SettlementReport;
    try {
      const [settlement, token] = await Promise.all([settlementOf(queries, id), tokenOf(queries, mint)]);
      if (settlement === undefined || token === undefined) {
        const problem = `${mint} is not an indexed token of this launchpad; wait for the indexer`;
        report = { mint, outcome: 'waiting', problems: [problem], isInterrupted: true };
      } else report = await finish(context, settlement, token, options);
    } catch (error) {
      if (options.signal.aborted) return;
      if (error instanceof DeposedError) throw error;
      context.logger.error(
        { err: error, mint, settlement: id },
        'the settlement was interrupted and continues: `curvekit tasks` says when',
      );
      report = reportInterrupted(mint, error);
    }
    if (options.idleMs === undefined) this.#reported.add(id);
    await context.database.transaction((tx) => rememberReport(tx, report, whenOf(context)));
    await options.onReport(report);
  }

  #change(): Promise<void> {
    return new Promise((resolve) => (this.#notify = resolve));
  }

  async #until(changed: Promise<void>, ms: number): Promise<void> {
    const { signal } = this.options;
    // An aborted signal has no event any more.
    if (signal.aborted) return;
    const waiting = new AbortController();
    signal.addEventListener('abort', () => waiting.abort(), waiting);
    await Promise.race([changed, sleep(ms, undefined, waiting).catch(() => undefined)]);
    // Else the timer keeps the process alive, and the signal the listener.
    waiting.abort();
  }
}
