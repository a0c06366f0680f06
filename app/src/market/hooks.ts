// The indexer tells the market of its records here, in the transaction that stores, finalizes or drops them.
import type { RecordHooks } from '../indexer/hooks.js';
import { textOf, type NumberedRecord } from '../indexer/records.js';
import { bookCreations, bookMoves } from './books/book-tokens.js';
import { bookTrades } from './books/book-trades.js';
import { dropTradesOfLostPools } from './books/drop-pool-trades.js';
import { takeBack } from './books/take-back.js';

type RecordOf<Kind extends NumberedRecord['kind']> = Extract<NumberedRecord, { kind: Kind }>;

export const marketHooks: RecordHooks = {
  // A token is created before its trades, and trades on its curve before it moves on.
  onStored: async (tx, records) => {
    await bookCreations(tx, records.filter((record) => record.kind === 'create').map(createdToken));
    await bookTrades(tx, records.filter((record) => record.kind === 'trade').map(bookedTrade));
    await bookMoves(
      tx,
      records.filter((record) => record.kind === 'migrate' || record.kind === 'graduate').map(movedToken),
    );
  },
  onFinalized: () => Promise.resolve(),
  onDropping: async (tx, firstId) => {
    await dropTradesOfLostPools(tx, firstId);
    return takeBack(tx, { of: 'records', firstId });
  },
};

function createdToken({ id, data }: RecordOf<'create'>) {
  const { name, symbol, virtualSol, virtualToken } = data;
  return { id, mint: textOf(data.mint), name, symbol, virtualSol, virtualToken };
}

function bookedTrade({ id, data }: RecordOf<'trade'>) {
  const { isBuy, solAmount, tokenAmount, virtualSol, virtualToken, finalized: graduated } = data;
  const [mint, trader, timestamp] = [textOf(data.mint), textOf(data.trader), Number(data.timestamp)];
  return { id, mint, trader, isBuy, solAmount, tokenAmount, virtualSol, virtualToken, graduated, timestamp };
}

function movedToken({ id, kind, data }: RecordOf<'migrate'> | RecordOf<'graduate'>) {
  const mint = textOf(data.mint);
  if (kind === 'migrate') return { id, mint };
  return { id, mint, pool: { virtualSol: data.poolSol, virtualToken: data.poolToken } };
}
