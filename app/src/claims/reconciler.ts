// Follows claims to their end on chain. Paying twice begins with giving up a claim that was paid after all, so that takes
// proof (`history-proof.ts`). Whatever a node does not answer changes nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, SignatureStatus } from '@solana/web3.js';
import { Counter, Gauge } from 'prom-client';
import type { Context } from '../context.js';
import type { Database } from '../db/database.js';
import { foldTotals } from '../ledger/totals.js';
import type { Logger } from '../logging/logging.js';
import { ClaimsRepository, type Claim, type ClaimEnd, type ClaimState } from './repository.js';
import { askNode } from '../rpc/ask-node.js';
import { HistoryProof, isPast } from '../rpc/history-proof.js';
import type { Job } from '../jobs/job.js';
import { leaderJob } from '../jobs/leader-job.js';
import { Patience } from '../rpc/patience.js';

/** How the job works. */
export interface ReconcilerJobOptions {
  /** How often to look at claims in progress. 1,000 ms by default. */
  readonly intervalMs?: number;
  /** How often to make sure that no expired claim was paid after all. 10 minutes by default. */
  readonly auditIntervalMs?: number;
  /** Housekeeping, done as often as the audit. */
  readonly tidy?: (database: Database) => Promise<void>;
}

export interface ReconcilerOptions {
  readonly repository: ClaimsRepository;
  /** Made when left out. */
  readonly metrics?: ReconcilerMetrics;
}

/** What looking at a claim has come to. */
export interface Sight {
  readonly state: ClaimState;
  /** Why it cannot be told whether it landed, though its time is over. */
  readonly undecided?: string;
}

const DEFAULT_INTERVAL_MS = 1_000;
const DEFAULT_AUDIT_INTERVAL_MS = 600_000;
/** After an audit or housekeeping that failed. */
const RETRY_MS = 30_000;
/** Expired claims are audited for that long: no node forgets its recent blocks sooner. */
const AUDIT_AGE_MS = 24 * 60 * 60_000;
/** The most that one request for statuses may name. */
const BATCH = 256;
/** A pass looks at so many claims; the next one goes on from there. */
const BATCHES_IN_A_PASS = 20;
const NODE_TIMEOUT_MS = 20_000;
/** A slow node must not keep a pass from claims that are simply paid. */
const PROOFS_IN_A_PASS_MS = 20_000;

const IN_PROGRESS: Sight = { state: 'IN_PROGRESS' };

/** Moves claims from `IN_PROGRESS` to their end, on one instance at a time. */
export function createReconciler(context: Context, options: ReconcilerJobOptions): Job {
  const { intervalMs = DEFAULT_INTERVAL_MS, auditIntervalMs = DEFAULT_AUDIT_INTERVAL_MS, tidy } = options;
  const { logger, now } = context;
  const metrics = createReconcilerMetrics(context);
  return leaderJob({
    name: 'reconciler',
    database: context.database,
    logger,
    work: async (signal, database) => {
      const reconciler = new Reconciler(context, { repository: new ClaimsRepository(database), metrics });
      // Each by itself: what fails one of them must not keep the others from being done.
      const pass = untiring(logger, 'following claims', () => reconciler.pass(signal));
      const fold = untiring(logger, 'folding totals', () => database.transaction(foldTotals));
      const rare = [
        { run: untiring(logger, 'auditing expired claims', () => reconciler.audit()), at: now() },
        { run: untiring(logger, 'tidying up', async () => tidy?.(database)), at: now() },
      ];
      try {
        while (!signal.aborted) {
          await pass();
          await fold();
          for (const task of rare) {
            if (signal.aborted || now() < task.at) continue;
            const done = await task.run();
            task.at = now() + (done ? auditIntervalMs : Math.min(RETRY_MS, auditIntervalMs));
          }
          await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
        }
      } finally {
        // The next leader shows its own.
        metrics.undecidable.set(0);
      }
    },
  });
}

/** What an operator sees of claims. */
export interface ReconcilerMetrics {
  readonly undecidable: Gauge;
  readonly ended: Counter<'state'>;
  readonly paidAfterExpiry: Counter;
}

function createReconcilerMetrics({ metrics, database }: Context): ReconcilerMetrics {
  const registers = [metrics.registry];
  const repository = new ClaimsRepository(database);
  // Every instance counts for itself: the leader may be down.
  const open = new Gauge({
    name: 'curvekit_claims_open',
    help: 'Claims in progress',
    registers,
    collect: async () => {
      await repository.countOpen().then(
        (count) => open.set(count),
        () => open.set(NaN),
      );
    },
  });
  return {
    undecidable: new Gauge({
      name: 'curvekit_claims_undecidable',
      help: 'Claims in progress that the RPC node can neither find nor prove gone (curvekit claims recheck)',
      registers,
    }),
    ended: new Counter({
      name: 'curvekit_claims_ended_total',
      help: 'Claims that came to their end',
      labelNames: ['state'],
      registers,
    }),
    paidAfterExpiry: new Counter({
      name: 'curvekit_claims_paid_after_expiry_total',
      help: 'Claims given up that were found paid: above zero, the RPC node has lied',
      registers,
    }),
  };
}

/** Work that may fail, with one line when the trouble begins: a node can be away for an hour. */
function untiring(logger: Logger, task: string, work: () => Promise<void>): () => Promise<boolean> {
  let failing = false;
  return async () => {
    try {
      await work();
      if (failing) logger.info({ task }, 'the task works again');
      failing = false;
    } catch (error) {
      if (!failing) logger.error({ err: error, task }, 'the task fails for now; trying on');
      failing = true;
    }
    return !failing;
  };
}

/** One look at a time. */
export class Reconciler {
  readonly #connection: Connection;
  readonly #repository: ClaimsRepository;
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #proof: HistoryProof;
  readonly #patience = new Patience();
  readonly #metrics: ReconcilerMetrics;
  /** Where the next pass goes on. */
  #after: Claim | undefined;
  /** Claims in progress, as far as the present round over all of them has come. */
  #round = new Set<string>();

  constructor(context: Context, { repository, metrics }: ReconcilerOptions) {
    const { config, connection, logger, now } = context;
    this.#connection = connection;
    this.#repository = repository;
    this.#logger = logger;
    this.#now = now;
    this.#proof = new HistoryProof(connection.rpcEndpoint, config.isSimulated);
    this.#metrics = metrics ?? createReconcilerMetrics(context);
  }

  /**
   * Looks at every claim in progress once; of very many at a part, and at the next one the next time.
   *
   * @throws when the node or the database does not answer at all
   */
  async pass(signal = new AbortController().signal): Promise<void> {
    const proofsUntil = performance.now() + PROOFS_IN_A_PASS_MS;
    for (let batch = 0; batch < BATCHES_IN_A_PASS && !signal.aborted; batch += 1) {
      const claims = await this.#repository.open(BATCH, this.#after);
      for (const { signature } of claims) this.#round.add(signature);
      if (claims.length > 0) await this.#look(claims, proofsUntil, signal);
      this.#after = claims.at(-1);
      if (claims.length === BATCH) continue;
      this.#after = undefined;
      this.#patience.keepOnly(this.#round);
      this.#round = new Set();
      break;
    }
    this.#metrics.undecidable.set(this.#patience.failing);
  }

  /** Looks for the end of one claim in progress, in the history too. @throws when node or database do not answer */
  async lookForEnd(claim: Claim, signal: AbortSignal): Promise<Sight> {
    const { value } = await this.#statuses([claim.signature], true);
    const status = value[0] ?? null;
    if (status !== null) return this.#endIfFinal(claim, status);
    const verdict = await this.#proof.examine(claim, signal);
    if (verdict.kind === 'gone') return this.#end(claim, 'EXPIRED', null, null);
    return verdict.kind === 'early' ? IN_PROGRESS : { ...IN_PROGRESS, undecided: verdict.reason };
  }

  /** Makes sure that no claim that expired lately was paid after all, and puts the books right should one have been. */
  async audit(): Promise<void> {
    const signatures = await this.#repository.expiredSince(new Date(this.#now() - AUDIT_AGE_MS));
    for (let start = 0; start < signatures.length; start += BATCH) {
      const batch = signatures.slice(start, start + BATCH);
      const { value } = await this.#statuses(batch, true);
      for (const [index, signature] of batch.entries()) {
        const status = value[index] ?? null;
        if (isFinalized(status) && status.err === null) await this.#correct(signature, status.slot);
      }
    }
  }

  async #correct(signature: string, landed: number): Promise<void> {
    this.#metrics.paidAfterExpiry.inc();
    try {
      await this.#repository.correct(signature, { now: new Date(this.#now()), landed });
      this.#logger.fatal(
        { claim: signature },
        'a claim given up was paid after all; the reserve is taken back',
      );
    } catch (error) {
      this.#logger.fatal(
        { err: error, claim: signature },
        'a claim given up was paid, and claimed again since',
      );
    }
  }

  async #look(claims: readonly Claim[], proofsUntil: number, signal: AbortSignal): Promise<void> {
    const { value } = await this.#statuses(
      claims.map(({ signature }) => signature),
      false,
    );
    const unseen: Claim[] = [];
    for (const [index, claim] of claims.entries()) {
      const status = value[index] ?? null;
      if (status === null) unseen.push(claim);
      else await this.#decide(claim, () => this.#endIfFinal(claim, status), signal);
    }
    if (unseen.length === 0) return;
    const height = await this.#ask(this.#connection.getBlockHeight('finalized'));
    for (const claim of unseen) {
      if (signal.aborted || performance.now() >= proofsUntil) return;
      if (isPast(height, claim) && this.#patience.isDue(claim.signature)) {
        await this.#decide(claim, () => this.lookForEnd(claim, signal), signal);
      }
    }
  }

  /** One claim must not keep the others from their end, nor be asked for all the time. */
  async #decide(claim: Claim, look: () => Promise<Sight>, signal: AbortSignal): Promise<void> {
    const { signature } = claim;
    const undecided = (details: object) => {
      if (signal.aborted || !this.#patience.failed(signature)) return;
      this.#logger.error(
        { ...details, claim: signature },
        'a claim cannot be decided and stays in progress; if that lasts: curvekit claims recheck',
      );
    };
    try {
      const { state, undecided: reason } = await look();
      if (state !== 'IN_PROGRESS') this.#patience.forget(signature);
      else if (reason === undefined) this.#patience.postpone(signature);
      else undecided({ reason });
    } catch (error) {
      undecided({ err: error });
    }
  }

  async #endIfFinal(claim: Claim, status: SignatureStatus): Promise<Sight> {
    // Until then even a failure can be undone by a fork, and the transaction land again.
    if (!isFinalized(status)) return IN_PROGRESS;
    if (status.err === null) return this.#end(claim, 'COMPLETED', null, status.slot);
    return this.#end(claim, 'FAILED', JSON.stringify(status.err), status.slot);
  }

  /** @param landed slot of its transaction; null when it is in no block */
  async #end(
    { signature }: Claim,
    state: ClaimEnd,
    problem: string | null,
    landed: number | null,
  ): Promise<Sight> {
    if (!(await this.#repository.end(signature, state, problem, { now: new Date(this.#now()), landed }))) {
      // Another process was faster.
      return { state: (await this.#repository.find(signature))?.state ?? state };
    }
    this.#metrics.ended.inc({ state });
    this.#logger.info({ claim: signature, state, problem }, 'a claim has ended');
    return { state };
  }

  #statuses(signatures: string[], searchTransactionHistory: boolean) {
    return this.#ask(this.#connection.getSignatureStatuses(signatures, { searchTransactionHistory }));
  }

  #ask<T>(answer: Promise<T>): Promise<T> {
    return askNode(answer, NODE_TIMEOUT_MS);
  }
}

function isFinalized(status: SignatureStatus | null): status is SignatureStatus {
  return status?.confirmationStatus === 'finalized';
}
