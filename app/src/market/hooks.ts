// The indexer passes its records to the market here, in the transaction that stores, finalizes or drops them.
import type { Transaction } from '../db/database.js';
import type { Dropped, IndexHooks, Stored } from '../index/hooks.js';
import { bookCreations, bookMoves } from './books/book-tokens.js';
import { bookTrades } from './books/book-trades.js';
import { takeBack } from './books/take-back.js';
import { publishDropped, publishRecords } from './stream/publish.js';

export const marketHooks = {
  // Order: a token's creation, then the trades on its curve, then its migration or graduation.
  onStored: async (tx: Transaction, stored: Stored) => {
    const { records, trades } = stored;
    await bookCreations(
      tx,
      records.filter((record) => record.kind === 'create'),
    );
    await bookTrades(tx, trades);
    await bookMoves(
      tx,
      records.filter((record) => record.kind === 'migrate' || record.kind === 'graduate'),
    );
    await publishRecords(tx, stored);
  },
  onDropped: async (tx: Transaction, dropped: Dropped) => {
    await takeBack(tx, dropped);
    await publishDropped(tx, dropped.mints, dropped.firstId);
  },
} satisfies IndexHooks;
