// A confirmed trade is finalized about 13 seconds later.
import { rpc, rpcUrlOf } from '../chain/rpc.js';
import type { MarketConfig } from '../market/types.js';

const LOOK_MS = 2_000;
const MOST_LOOKS = 60;

interface Statuses {
  readonly value: readonly ({ readonly confirmationStatus?: string } | null)[];
}

/** @returns a function that stops watching */
export function watchFinality(config: MarketConfig, signature: string, onFinal: () => void): () => void {
  let looks = 0;
  const timer = setInterval(() => {
    looks += 1;
    if (looks > MOST_LOOKS) clearInterval(timer);
    rpc<Statuses>(rpcUrlOf(config), 'getSignatureStatuses', [[signature]]).then(
      ({ value: [status] }) => {
        if (status?.confirmationStatus !== 'finalized') return;
        clearInterval(timer);
        onFinal();
      },
      // Ignore errors: the next poll asks again.
      () => undefined,
    );
  }, LOOK_MS);
  return () => clearInterval(timer);
}
