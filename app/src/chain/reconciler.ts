// Follows claims to their end on chain. Paying twice begins with giving up a claim that was paid after all, so that takes
// proof (`history-proof.ts`). Whatever a node does not answer changes nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection, SignatureStatus } from '@solana/web3.js';
import { Counter, Gauge } from 'prom-client';
import type { Context } from '../context.js';
import type { Logger } from '../logging.js';
import type { Claim, ClaimEnd, ClaimsRepository, ClaimState } from '../rewards/claims-repository.js';
import { askNode } from './ask-node.js';
import { HistoryProof, isPast } from './history-proof.js';
import type { Job } from './job.js';
import { leaderJob } from './leader-job.js';
import { Patience } from './patience.js';

export interface ReconcilerOptions {
  readonly repository: ClaimsRepository;
  /** How often to look at claims in progress. 1,000 ms by default. */
  readonly intervalMs?: number;
  /** How often to make sure that no expired claim was paid after all. 10 minutes by default. */
  readonly auditIntervalMs?: number;
  /** Housekeeping, done as often as the audit. */
  readonly tidy?: () => Promise<void>;
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
const NODE_TIMEOUT_MS = 20_000;
/** A slow node must not keep a pass from claims that are simply paid. */
const PROOFS_IN_A_PASS_MS = 20_000;

const IN_PROGRESS: Sight = { state: 'IN_PROGRESS' };

/** Moves claims from `IN_PROGRESS` to their end, on one instance at a time. */
export function createReconciler(context: Context, options: ReconcilerOptions): Job {
  const reconciler = new Reconciler(context, options);
  const { intervalMs = DEFAULT_INTERVAL_MS, auditIntervalMs = DEFAULT_AUDIT_INTERVAL_MS, tidy } = options;
  const { logger, database, now } = context;
  return leaderJob({
    name: 'reconciler',
    database,
    logger,
    work: async (signal) => {
      // Each by itself: what fails one of them must not keep the others from being done.
      const pass = untiring(logger, 'following claims', () => reconciler.pass(signal));
      const rare = [
        { run: untiring(logger, 'auditing expired claims', () => reconciler.audit()), at: now() },
        { run: untiring(logger, 'tidying up', async () => tidy?.()), at: now() },
      ];
      while (!signal.aborted) {
        await pass();
        for (const task of rare) {
          if (signal.aborted || now() < task.at) continue;
          const done = await task.run();
          task.at = now() + (done ? auditIntervalMs : Math.min(RETRY_MS, auditIntervalMs));
        }
        await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
      }
    },
  });
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
  readonly #open: Gauge;
  readonly #undecidable: Gauge;
  readonly #ended: Counter<'state'>;
  readonly #paidAfterExpiry: Counter;

  constructor({ connection, logger, metrics, now }: Context, { repository }: ReconcilerOptions) {
    this.#connection = connection;
    this.#repository = repository;
    this.#logger = logger;
    this.#now = now;
    this.#proof = new HistoryProof(connection.rpcEndpoint);
    const registers = [metrics.registry];
    this.#open = new Gauge({ name: 'curvekit_claims_open', help: 'Claims in progress', registers });
    this.#undecidable = new Gauge({
      name: 'curvekit_claims_undecidable',
      help: 'Claims in progress that the RPC node can neither find nor prove gone (curvekit claims recheck)',
      registers,
    });
    this.#ended = new Counter({
      name: 'curvekit_claims_ended_total',
      help: 'Claims that came to their end',
      labelNames: ['state'],
      registers,
    });
    this.#paidAfterExpiry = new Counter({
      name: 'curvekit_claims_paid_after_expiry_total',
      help: 'Claims given up that were found paid: above zero, the RPC node has lied',
      registers,
    });
  }

  /** Looks at every claim in progress once. @throws when the node or the database does not answer at all */
  async pass(signal = new AbortController().signal): Promise<void> {
    const open = new Set<string>();
    const proofsUntil = performance.now() + PROOFS_IN_A_PASS_MS;
    let after: Claim | undefined;
    for (;;) {
      const claims = await this.#repository.open(BATCH, after);
      for (const { signature } of claims) open.add(signature);
      if (claims.length > 0) await this.#look(claims, proofsUntil, signal);
      after = claims.at(-1);
      if (claims.length < BATCH) break;
      if (signal.aborted) return;
    }
    this.#open.set(open.size);
    this.#patience.keepOnly(open);
    this.#undecidable.set(this.#patience.failing);
  }

  /** Looks for the end of one claim in progress, in the history too. @throws when node or database do not answer */
  async lookForEnd(claim: Claim, signal: AbortSignal): Promise<Sight> {
    const { value } = await this.#statuses([claim.signature], true);
    const status = value[0] ?? null;
    if (status !== null) return this.#endIfFinal(claim, status);
    const verdict = await this.#proof.examine(claim, signal);
    if (verdict.kind === 'gone') return this.#end(claim, 'EXPIRED', null);
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
        if (isFinalized(status) && status.err === null) await this.#correct(signature);
      }
    }
  }

  async #correct(signature: string): Promise<void> {
    this.#paidAfterExpiry.inc();
    try {
      await this.#repository.correct(signature, new Date(this.#now()));
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
    if (status.err === null) return this.#end(claim, 'COMPLETED', null);
    return this.#end(claim, 'FAILED', JSON.stringify(status.err));
  }

  async #end({ signature }: Claim, state: ClaimEnd, problem: string | null): Promise<Sight> {
    if (!(await this.#repository.end(signature, state, problem, new Date(this.#now())))) {
      // Another process was faster.
      return { state: (await this.#repository.find(signature))?.state ?? state };
    }
    this.#ended.inc({ state });
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
