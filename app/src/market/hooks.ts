// The indexer passes its records to the market here, in the transaction that stores, finalizes or drops them.
import type { RecordHooks } from '../indexer/hooks.js';
import { textOf, type NumberedRecord } from '../indexer/records.js';
import { bookCreations, bookMoves } from './books/book-tokens.js';
import { bookTrades } from './books/book-trades.js';
import { dropTradesOfLostPools } from './books/pool-trades.js';
import { lostMints, takeBack } from './books/take-back.js';
import { appendReset } from './stream/outbox.js';
import { publish, publishDropped } from './stream/publish.js';
import { happenedIn, liveRecords } from './stream/record-events.js';

type RecordOf<Kind extends NumberedRecord['kind']> = Extract<NumberedRecord, { kind: Kind }>;

export const marketHooks: RecordHooks = {
  // Order: a token's creation, then the trades on its curve, then its migration or graduation.
  onStored: async (tx, records, finalized) => {
    await bookCreations(tx, records.filter((record) => record.kind === 'create').map(createdToken));
    await bookTrades(tx, records.filter((record) => record.kind === 'trade').map(bookedTrade));
    await bookMoves(
      tx,
      records.filter((record) => record.kind === 'migrate' || record.kind === 'graduate').map(movedToken),
    );
    const { live, hasOlder } = liveRecords(records);
    if (hasOlder) await appendReset(tx);
    await publish(tx, happenedIn(live, finalized));
  },
  onFinalized: () => Promise.resolve(),
  onDropping: async (tx, firstId) => {
    await dropTradesOfLostPools(tx, firstId);
    const lost = { of: 'records', firstId } as const;
    const mints = await lostMints(tx, lost);
    const takeThemBack = await takeBack(tx, lost);
    return async () => {
      await takeThemBack();
      await publishDropped(tx, mints, firstId);
    };
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
