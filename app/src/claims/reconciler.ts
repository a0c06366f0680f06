// Tracks claims until they land or expire. Expiring a claim that was paid would pay it twice, so it takes proof
// (`history-proof.ts`). A missing answer changes nothing.
import { lookForLanding, lookForRecentLandings, type LandedOutcome, type Retry } from '@curvekit/sdk';
import type { Connection } from '@solana/web3.js';
import type { Context } from '../context.js';
import type { Logger } from '../base/logging/logging.js';
import { askNode } from '../chain/connection.js';
import { HistoryProof } from '../chain/history-proof.js';
import { inTraceOf } from '../base/tracing/spans.js';
import { type Claim, type ClaimEnd, ClaimsRepository, type ClaimState } from './repository.js';
import { Counter, Gauge } from 'prom-client';
import { measure } from '../base/metrics.js';

export interface ReconcilerOptions {
  readonly repository: ClaimsRepository;
  /** Created when omitted. */
  readonly metrics?: ClaimMetrics;
}

export interface ClaimLook {
  readonly state: ClaimState;
  /** Why the RPC node cannot prove that the transaction landed or expired, although its blockhash is too old. */
  readonly undecided?: string;
}

/** How long expired claims are audited. Every RPC node keeps its blocks at least this long. */
const AUDIT_AGE_MS = 24 * 60 * 60_000;
/** Maximum signatures in one request for statuses. */
const BATCH = 256;
/** Maximum claims in one pass. The next pass continues from there. */
const BATCHES_IN_A_PASS = 20;
const NODE_TIMEOUT_MS = 20_000;
/** Limits the slow checks in a pass, so that paid claims are not delayed. */
const PROOFS_IN_A_PASS_MS = 20_000;

const retry: Retry = (request, limitMs = NODE_TIMEOUT_MS) =>
  limitMs === Infinity ? request() : askNode(request(), limitMs);

const IN_PROGRESS: ClaimLook = { state: 'IN_PROGRESS' };

/** Passes run one at a time. */
export class Reconciler {
  readonly #connection: Connection;
  readonly #repository: ClaimsRepository;
  readonly #logger: Logger;
  readonly #now: () => number;
  readonly #proof: HistoryProof;
  readonly #retries = new RetrySchedule();
  readonly #metrics: ClaimMetrics;
  /** Where the next pass continues. */
  #after: Claim | undefined;
  /** Claims in progress that the current round has counted so far. */
  #round = new Set<string>();

  constructor(context: Context, { repository, metrics }: ReconcilerOptions) {
    const { config, connection, logger, now } = context;
    this.#connection = connection;
    this.#repository = repository;
    this.#logger = logger;
    this.#now = now;
    this.#proof = new HistoryProof(connection.rpcEndpoint, config.isSimulated);
    this.#metrics = metrics ?? createClaimMetrics(context);
  }

  /**
   * Checks every claim in progress once. With very many claims it checks a part, and the next pass checks the next part.
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
      this.#retries.keepOnly(this.#round);
      this.#round = new Set();
      break;
    }
    this.#metrics.undecidable.set(this.#retries.failing);
  }

  /** Checks one claim in progress, also in the RPC node's history. @throws when the RPC node or the database does not answer */
  async lookForEnd(claim: Claim, signal: AbortSignal): Promise<ClaimLook> {
    const { landing } = await lookForLanding(this.#connection, claim, { proof: this.#proof, retry, signal });
    switch (landing.kind) {
      case 'landed':
        return this.#endIfFinal(claim, landing);
      case 'expired':
        return this.#end(claim, 'EXPIRED', null, null);
      case 'unknown':
        return { ...IN_PROGRESS, undecided: landing.reason };
      case 'pending':
      case 'expiring':
        return IN_PROGRESS;
    }
  }

  /** Checks that no recently expired claim was paid after all, and corrects the ledger if one was. */
  async audit(): Promise<void> {
    const signatures = await this.#repository.expiredSince(new Date(this.#now() - AUDIT_AGE_MS));
    for (let start = 0; start < signatures.length; start += BATCH) {
      const batch = signatures.slice(start, start + BATCH);
      const statuses = this.#connection.getSignatureStatuses(batch, { searchTransactionHistory: true });
      const { value } = await askNode(statuses, NODE_TIMEOUT_MS);
      for (const [index, signature] of batch.entries()) {
        const status = value[index] ?? null;
        if (status?.confirmationStatus === 'finalized' && status.err === null)
          await this.#correct(signature, status.slot);
      }
    }
  }

  async #correct(signature: string, landed: number): Promise<void> {
    this.#metrics.paidAfterExpiry.inc();
    try {
      await this.#repository.correct(signature, { now: new Date(this.#now()), landed });
      this.#logger.fatal(
        { claim: signature },
        'a claim landed after it was marked EXPIRED; it is COMPLETED now, and its amount is debited again. Check RPC_URL: the node gave a wrong proof',
      );
    } catch (error) {
      this.#logger.fatal(
        { err: error, claim: signature },
        'a claim landed after it was marked EXPIRED, and its amount was claimed again since: it was paid twice. Check RPC_URL: the node gave a wrong proof',
      );
    }
  }

  async #look(claims: readonly Claim[], proofsUntil: number, signal: AbortSignal): Promise<void> {
    const { landings, height } = await lookForRecentLandings(this.#connection, claims, { retry });
    const unseen: Claim[] = [];
    for (const [index, claim] of claims.entries()) {
      const landing = landings[index]!;
      if (landing.kind !== 'landed') unseen.push(claim);
      else await this.#decide(claim, () => this.#endIfFinal(claim, landing), signal);
    }
    for (const claim of unseen) {
      if (signal.aborted || performance.now() >= proofsUntil) return;
      if (this.#proof.isDue(height, claim) && this.#retries.isDue(claim.signature)) {
        await this.#decide(claim, () => this.lookForEnd(claim, signal), signal);
      }
    }
  }

  /** Retries a failing claim with backoff, so that it does not delay the others. */
  async #decide(claim: Claim, look: () => Promise<ClaimLook>, signal: AbortSignal): Promise<void> {
    const { signature } = claim;
    const undecided = (details: object) => {
      if (signal.aborted || !this.#retries.failed(signature)) return;
      this.#logger.error(
        { ...details, claim: signature },
        "a claim's outcome is not known yet, and it stays in progress; if that lasts, run `curvekit claims recheck`",
      );
    };
    try {
      const { state, undecided: reason } = await look();
      if (state !== 'IN_PROGRESS') this.#retries.forget(signature);
      else if (reason === undefined) this.#retries.postpone(signature);
      else undecided({ reason });
    } catch (error) {
      undecided({ err: error });
    }
  }

  async #endIfFinal(claim: Claim, { commitment, err, slot }: LandedOutcome): Promise<ClaimLook> {
    // Before finality, a reorg can undo a failure too, and the transaction can land again.
    if (commitment !== 'finalized') return IN_PROGRESS;
    if (err === null) return this.#end(claim, 'COMPLETED', null, slot);
    return this.#end(claim, 'FAILED', JSON.stringify(err), slot);
  }

  /** @param landed slot of the transaction; null when it expired */
  async #end(
    { signature }: Claim,
    state: ClaimEnd,
    problem: string | null,
    landed: number | null,
  ): Promise<ClaimLook> {
    const ends = () =>
      this.#repository.end(signature, state, problem, { now: new Date(this.#now()), landed });
    if (!(await inTraceOf(signature, 'book claim', { 'curvekit.claim.state': state }, ends))) {
      // Another process has ended the claim already.
      return { state: (await this.#repository.find(signature))?.state ?? state };
    }
    this.#metrics.ended.inc({ state });
    this.#logger.info({ claim: signature, state, problem }, 'a claim has ended');
    return { state };
  }
}

// Schedules retries with exponential backoff.

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;

interface Wait {
  /** Consecutive failures; 0 while it only waits. */
  readonly failures: number;
  /** A time of `performance.now()`. */
  readonly until: number;
}

class RetrySchedule {
  readonly #waits = new Map<string, Wait>();

  /** Number of keys whose last try failed. */
  get failing(): number {
    return [...this.#waits.values()].filter(({ failures }) => failures > 0).length;
  }

  isDue(key: string): boolean {
    return performance.now() >= (this.#waits.get(key)?.until ?? 0);
  }

  /** Tries the key again soon, without a failure. */
  postpone(key: string): void {
    this.#waits.set(key, { failures: 0, until: performance.now() + FIRST_PAUSE_MS });
  }

  /** Records a failure. @returns whether it is the first in a row */
  failed(key: string): boolean {
    const failures = (this.#waits.get(key)?.failures ?? 0) + 1;
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
    this.#waits.set(key, { failures, until: performance.now() + pause });
    return failures === 1;
  }

  forget(key: string): void {
    this.#waits.delete(key);
  }

  keepOnly(keys: ReadonlySet<string>): void {
    for (const key of this.#waits.keys()) if (!keys.has(key)) this.#waits.delete(key);
  }
}

// Prometheus metrics of claims.

interface ClaimMetrics {
  readonly undecidable: Gauge;
  readonly ended: Counter<'state'>;
  readonly paidAfterExpiry: Counter;
}

export function createClaimMetrics({
  metrics,
  database,
}: Pick<Context, 'metrics' | 'database'>): ClaimMetrics {
  const registers = [metrics.registry];
  const repository = new ClaimsRepository(database);
  // Every instance computes this metric, because the leader may be down.
  measure(metrics.registry, 'curvekit_claims_open', 'Claims in progress', () => repository.countOpen());
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
