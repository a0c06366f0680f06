// Follows claims to their end on chain. Paying twice begins with giving up a claim that was paid after all, so that takes
// proof: see `#isGone`. Whatever a node does not answer changes nothing.
import { setTimeout as sleep } from 'node:timers/promises';
import { VersionedTransaction, type Connection, type SignatureStatus } from '@solana/web3.js';
import { Counter, Gauge } from 'prom-client';
import type { Context } from '../context.js';
import type { Logger } from '../logging.js';
import type { Claim, ClaimEnd, ClaimsRepository } from '../rewards/claims-repository.js';
import { withinTime } from '../time-limit.js';
import type { Job } from './job.js';
import { leaderJob } from './leader-job.js';

export interface ReconcilerOptions {
  readonly repository: ClaimsRepository;
  /** How often to look at claims in progress. 1,000 ms by default. */
  readonly intervalMs?: number;
  /** How often to make sure that no expired claim was paid after all. 10 minutes by default. */
  readonly auditIntervalMs?: number;
  /** Housekeeping that comes along with every audit. */
  readonly tidy?: () => Promise<void>;
}

const DEFAULT_INTERVAL_MS = 1_000;
const DEFAULT_AUDIT_INTERVAL_MS = 600_000;
/** Expired claims are audited for that long: no node forgets its recent blocks sooner. */
const AUDIT_AGE_MS = 24 * 60 * 60_000;
/** The most that one request for statuses may name. */
const BATCH = 256;
const NODE_TIMEOUT_MS = 20_000;
/** Slots by which a node's tip must be past the slot of the proof before its word that there is no transaction counts. */
const TIP_MARGIN_SLOTS = 16;

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
      let auditAt = now();
      let failing = false;
      while (!signal.aborted) {
        try {
          await reconciler.pass(signal);
          if (now() >= auditAt && !signal.aborted) {
            await reconciler.audit();
            await tidy?.();
            auditAt = now() + auditIntervalMs;
          }
          if (failing) logger.info('claims are followed again');
          failing = false;
        } catch (error) {
          // One line when the trouble begins: a node can be away for an hour.
          if (!failing) logger.error({ err: error }, 'claims cannot be followed for now; trying on');
          failing = true;
        }
        await sleep(intervalMs, undefined, { signal }).catch(() => undefined);
      }
    },
  });
}

/** One look at a time. */
export class Reconciler {
  readonly #connection: Connection;
  readonly #repository: ClaimsRepository;
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #open: Gauge;
  readonly #ended: Counter<'state'>;
  readonly #paidAfterExpiry: Counter;

  constructor({ connection, logger, metrics, now }: Context, { repository }: ReconcilerOptions) {
    this.#connection = connection;
    this.#repository = repository;
    this.#logger = logger;
    this.#now = now;
    const registers = [metrics.registry];
    this.#open = new Gauge({ name: 'curvekit_claims_open', help: 'Claims in progress', registers });
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

  /** Looks at every claim in progress once. @throws when the node or the database does not answer */
  async pass(signal?: AbortSignal): Promise<void> {
    let count = 0;
    let after: Claim | undefined;
    for (;;) {
      const claims = await this.#repository.open(BATCH, after);
      if (claims.length > 0) await this.#look(claims);
      count += claims.length;
      after = claims.at(-1);
      if (claims.length < BATCH || signal?.aborted === true) break;
    }
    this.#open.set(count);
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

  async #look(claims: readonly Claim[]): Promise<void> {
    const { value } = await this.#statuses(
      claims.map(({ signature }) => signature),
      false,
    );
    const unseen: Claim[] = [];
    for (const [index, claim] of claims.entries()) {
      const status = value[index] ?? null;
      if (status === null) unseen.push(claim);
      else await this.#endIfFinal(claim, status);
    }
    if (unseen.length > 0) await this.#lookForExpired(unseen);
  }

  async #lookForExpired(unseen: readonly Claim[]): Promise<void> {
    const height = await this.#ask(this.#connection.getBlockHeight('finalized'));
    const old = unseen.filter(({ lastValidBlockHeight }) => height > lastValidBlockHeight);
    for (const claim of old) {
      // A transaction of long ago is in the history only.
      const { value } = await this.#statuses([claim.signature], true);
      const status = value[0] ?? null;
      if (status !== null) await this.#endIfFinal(claim, status);
      else if (await this.#isGone(claim)) await this.#end(claim, 'EXPIRED', null);
    }
  }

  /**
   * Whether the claim's transaction is in no finalized block and can never be. Requests may be answered by several nodes,
   * some behind, some with a short memory, so each answer must carry its own proof:
   *
   * 1. A node says at a finalized slot P, after the blockhash was read, that the blockhash is too old. P is later than any
   *    block that the transaction could be in.
   * 2. A node whose tip is well past P knows no such transaction.
   * 3. The node's history reaches back to when the blockhash was read.
   */
  async #isGone({ signature, transaction, blockhashSlot }: Claim): Promise<boolean> {
    const { message } = VersionedTransaction.deserialize(Buffer.from(transaction, 'base64'));
    const valid = await this.#ask(
      this.#connection.isBlockhashValid(message.recentBlockhash, { commitment: 'finalized' }),
    );
    const proofSlot = valid.context.slot;
    if (valid.value || proofSlot <= blockhashSlot) return false;
    const firstBlock = await this.#ask(this.#connection.getFirstAvailableBlock());
    if (firstBlock > blockhashSlot) {
      this.#logger.error(
        { claim: signature },
        'the RPC node has forgotten the blocks this claim could be in',
      );
      return false;
    }
    const { context, value } = await this.#statuses([signature], true);
    return context.slot >= proofSlot + TIP_MARGIN_SLOTS && (value[0] ?? null) === null;
  }

  async #endIfFinal(claim: Claim, status: SignatureStatus): Promise<void> {
    // Until then even a failure can be undone by a fork, and the transaction land again.
    if (!isFinalized(status)) return;
    if (status.err === null) await this.#end(claim, 'COMPLETED', null);
    else await this.#end(claim, 'FAILED', JSON.stringify(status.err));
  }

  async #end({ signature }: Claim, state: ClaimEnd, problem: string | null): Promise<void> {
    if (!(await this.#repository.end(signature, state, problem, new Date(this.#now())))) return;
    this.#ended.inc({ state });
    this.#logger.info({ claim: signature, state, problem }, 'a claim has ended');
  }

  #statuses(signatures: string[], searchTransactionHistory: boolean) {
    return this.#ask(this.#connection.getSignatureStatuses(signatures, { searchTransactionHistory }));
  }

  #ask<T>(answer: Promise<T>): Promise<T> {
    return withinTime(answer, NODE_TIMEOUT_MS, 'the RPC node');
  }
}

function isFinalized(status: SignatureStatus | null): status is SignatureStatus {
  return status?.confirmationStatus === 'finalized';
}
