// The process that is measured: the service's indexer and what it books for partners and the market, without the rest of the service.
// Tells how far it is whenever it is asked.
import { createIndexer } from '#app/indexer/indexer.js';
import { readConfig } from '#app/config/config.js';
import { createContext } from '#app/context.js';
import { marketHooks } from '#app/market/hooks.js';
import { referralHooks } from '#app/partner/referrals.js';

export interface IndexerState {
  readonly records: number;
  /** Records that did not follow from those before them. */
  readonly gaps: number;
  readonly residentBytes: number;
  readonly cpuSeconds: number;
}

const context = await createContext(readConfig(process.env));
const indexer = createIndexer(context, {
  ...referralHooks(context.config.referralShareBps),
  records: marketHooks,
});
const { indexerRecords, indexerGaps } = context.metrics;
const sum = async (counter: Pick<typeof indexerGaps, 'get'>) =>
  (await counter.get()).values.reduce((total, { value }) => total + value, 0);

async function tell(): Promise<void> {
  const { user, system } = process.cpuUsage();
  const state: IndexerState = {
    records: await sum(indexerRecords),
    gaps: await sum(indexerGaps),
    residentBytes: process.memoryUsage.rss(),
    cpuSeconds: (user + system) / 1_000_000,
  };
  process.send?.(state);
}

process.on('message', () => void tell());
process.on('disconnect', () => process.exit(0));
indexer.start();
await tell();
