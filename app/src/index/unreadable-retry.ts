// Retries transactions that were set aside: another RPC node, or another version of the service, may be able to read them.
import { IncompleteTransactionError } from '@curvekit/sdk';
import type { Context } from '../context.js';
import { decode, type Found } from './found.js';
import type { NodeHistory } from './node-history.js';
import {
  dueUnreadable,
  forgetUnreadable,
  foundRecords,
  makeAllDue,
  postpone,
  type Unreadable,
} from './store/unreadable.js';

/** Small, so that a sender of many unreadable transactions cannot delay the index. */
const MOST_AT_ONCE = 20;
const PAUSE_MS = 5_000;

type Outcome = 'unreadable' | 'empty' | 'records';

export class UnreadableRetry {
  readonly #context: Context;
  readonly #history: NodeHistory;
  #due = 0;
  #isFirst = true;

  constructor(context: Context, history: NodeHistory) {
    this.#context = context;
    this.#history = history;
  }

  /**
   * Retries due transactions, at most every few seconds. When this instance starts to index, all transactions become due.
   */
  async run(signal: AbortSignal): Promise<void> {
    if (performance.now() < this.#due) return;
    this.#due = performance.now() + PAUSE_MS;
    const { database, logger } = this.#context;
    if (this.#isFirst) {
      const waiting = await dueUnreadable(database.queries, 1, { early: true });
      if (waiting.length > 0) await database.transaction(makeAllDue);
      this.#isFirst = false;
    }
    const due = await dueUnreadable(database.queries, MOST_AT_ONCE);
    if (due.length === 0) return;
    const outcomes = await this.#outcomesOf(due, signal);
    const having = (outcome: Outcome) =>
      due.filter((_, index) => outcomes[index] === outcome).map(({ signature }) => signature);
    const [empty, withRecords] = [having('empty'), having('records')];
    await database.transaction(async (tx) => {
      await postpone(tx, having('unreadable'));
      await forgetUnreadable(tx, empty);
      await foundRecords(tx, withRecords);
    });
    if (empty.length > 0) {
      logger.info(
        { transactions: empty.length },
        'transactions that were set aside can be read now and hold no record',
      );
    }
    if (withRecords.length > 0) {
      logger.error(
        { signatures: withRecords },
        'transactions that were set aside can be read now and hold records: run curvekit reindex',
      );
    }
  }

  async #outcomesOf(due: readonly Unreadable[], signal: AbortSignal): Promise<Outcome[]> {
    const found = await this.#history.find(due, 'finalized', signal);
    return found.map((one) => this.#outcomeOf(one));
  }

  #outcomeOf(found: Found): Outcome {
    if (found.kind === 'missing') return 'unreadable';
    try {
      const decoded = decode(found, this.#context.deployment);
      if (decoded.kind === 'unreadable') return 'unreadable';
      return decoded.records.length === 0 ? 'empty' : 'records';
    } catch (error) {
      if (error instanceof IncompleteTransactionError) return 'unreadable';
      throw error;
    }
  }
}
