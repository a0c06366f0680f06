// Takes claims back from the limit of a day that never land. See docs/decisions/signers.md.
import { setTimeout as sleep } from 'node:timers/promises';
import { lookForLanding, type Retry } from '@curvekit/sdk';
import type { NewClaim } from '../claims/repository.js';
import type { Context } from '../context.js';
import { askNode } from '../chain/connection.js';
import { startedOnce } from '../db/jobs/leader-job.js';
import { HistoryProof } from '../chain/history-proof.js';

const LOOK_MS = 5_000;
/** After a day the limit has forgotten the claim. */
const DAY_MS = 86_400_000;
/** Between two looks at a claim whose end is not known. */
const UNKNOWN_MS = 60_000;

const retry: Retry = (request, limitMs) => (limitMs === Infinity ? request() : askNode(request(), limitMs));

interface Open {
  readonly claim: NewClaim;
  readonly takeBack: () => void;
  readonly until: number;
  lookAt: number;
}

/** Asks this process's own RPC node for the proof: the database says what other processes have written. */
export class ExpiredClaims {
  readonly #open = new Map<string, Open>();
  readonly #looking = startedOnce('expired claims', (signal) => this.#run(signal));
  readonly #proof: HistoryProof;

  constructor(private readonly context: Context) {
    this.#proof = new HistoryProof(context.connection.rpcEndpoint, context.config.isSimulated);
  }

  watch(claim: NewClaim, takeBack: () => void): void {
    const now = this.context.now();
    this.#open.set(claim.signature, { claim, takeBack, until: now + DAY_MS, lookAt: now });
    this.#looking.start();
  }

  stop(): Promise<void> {
    return this.#looking.stop();
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { logger } = this.context;
    while (!signal.aborted) {
      await sleep(LOOK_MS, undefined, { signal }).catch(() => undefined);
      if (this.#open.size === 0 || signal.aborted) continue;
      await this.#look(signal).catch((error: unknown) => {
        if (!signal.aborted)
          logger.warn(
            { err: error },
            'looking for claims that expired failed; they count against --sol-per-day until it works',
          );
      });
    }
  }

  async #look(signal: AbortSignal): Promise<void> {
    const { connection, logger, now } = this.context;
    const height = await connection.getBlockHeight('finalized');
    for (const [signature, open] of this.#open) {
      if (signal.aborted) return;
      if (open.until <= now()) this.#open.delete(signature);
      else if (open.lookAt <= now() && this.#proof.isDue(height, open.claim)) {
        const { landing } = await lookForLanding(connection, open.claim, {
          proof: this.#proof,
          retry,
          signal,
        });
        open.lookAt = now() + (landing.kind === 'unknown' ? UNKNOWN_MS : LOOK_MS);
        if (landing.kind === 'expired') {
          open.takeBack();
          logger.info({ claim: signature }, 'a claim never landed and counts no more against --sol-per-day');
        }
        // A transaction that failed on chain still counts. It is rare, and a fork can undo it.
        if (landing.kind === 'expired' || (landing.kind === 'landed' && landing.commitment === 'finalized'))
          this.#open.delete(signature);
      }
    }
  }
}
