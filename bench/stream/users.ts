// Users of the market: they read tokens, trades and the board, each time from another instance.
import type { Service } from '#app/service.js';
import type { MarketRows } from '../http/market-rows.js';

const STEP_MS = 20;
/** In ten reads. */
const OF_TOKEN = 5;
const OF_TRADES = 3;

export interface Reads {
  /** Milliseconds of each answer. */
  readonly took: number[];
  unread: number;
}

/** @returns ends the reads, and gives what they took */
export function readAsUsers(
  services: readonly Service[],
  { mints, popular }: MarketRows,
  perSecond: number,
): { end(): Promise<Reads> } {
  const reads: Reads = { took: [], unread: 0 };
  const open = new Set<Promise<void>>();
  const startedAt = performance.now();
  let count = 0;
  const pathOf = (read: number): string => {
    // Half of all reads are of popular tokens, as half of all trades are.
    const from = read % 2 === 0 ? popular : mints;
    const mint = from[(read * 7_919) % from.length]!;
    const kind = read % 10;
    if (kind < OF_TOKEN) return `/v1/market/tokens/${mint}`;
    return kind < OF_TOKEN + OF_TRADES ? `/v1/market/tokens/${mint}/trades` : '/v1/market/tokens';
  };
  const read = async (url: string): Promise<void> => {
    const asked = performance.now();
    const ok = await fetch(url).then(
      async (response) => (await response.arrayBuffer()).byteLength > 0 && response.ok,
      () => false,
    );
    if (ok) reads.took.push(performance.now() - asked);
    else reads.unread += 1;
  };
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) * perSecond) / 1_000;
    for (; count < due; count += 1) {
      const reading = read(services[count % services.length]!.url + pathOf(count));
      open.add(reading);
      void reading.finally(() => open.delete(reading));
    }
  }, STEP_MS);
  return {
    async end() {
      clearInterval(timer);
      await Promise.all(open);
      return reads;
    },
  };
}
