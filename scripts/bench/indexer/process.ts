// The measured process: the service's indexer with its bookings for partners and the market, without the rest of the
// service. It starts with the first message, and answers each with its progress.
import { createIndexer } from '#app/index/indexer.js';
import { readConfig } from '#app/config/config.js';
import { createContext } from '#app/context.js';
import { marketHooks } from '#app/market/books/book-tokens.js';
import { volumeHooks } from '#app/market/shares/volume.js';
import { referralHooks } from '#app/partners/referrals.js';

export interface IndexerState {
  /** Gaps: records that do not follow from those before them. */
  readonly gaps: number;
  readonly residentBytes: number;
  readonly cpuSeconds: number;
}

const context = await createContext(readConfig(process.env));
const { referralShareBps, creatorShareBps } = context.config;
const indexer = createIndexer(context, [
  referralHooks(referralShareBps),
  volumeHooks(creatorShareBps),
  marketHooks,
]);

async function tell(): Promise<void> {
  const { user, system } = process.cpuUsage();
  const { values } = await context.metrics.indexerGaps.get();
  const state: IndexerState = {
    gaps: values.reduce((total, { value }) => total + value, 0),
    residentBytes: process.memoryUsage.rss(),
    cpuSeconds: (user + system) / 1_000_000,
  };
  process.send?.(state);
}

process.once('message', () => indexer.start());
process.on('message', () => void tell());
process.on('disconnect', () => process.exit(0));
await tell();
