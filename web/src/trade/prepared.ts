// A trade that is read, priced and simulated before the press. In place of the wallet's answer it waits for the press.
import type { TradeOrder } from '../chain/trade.js';
import type { Traded } from '../chain/types.js';
import { loaded } from '../load.js';
import type { MarketConfig } from '../market/types.js';

/** A blockhash is valid for about a minute. */
const LONGEST_MS = 20_000;

export interface Prepared {
  /** False when it has failed or is too old. */
  isGood: boolean;
  /** Lets the wallet be asked. @throws as `trade` */
  readonly press: () => Promise<Traded>;
  /** Gives it up before the press. */
  readonly drop: () => void;
}

export function prepare(config: MarketConfig, order: TradeOrder): Prepared {
  const stopping = new AbortController();
  const drop = () => stopping.abort();
  const timer = setTimeout(drop, LONGEST_MS);
  let press!: () => void;
  const pressed = new Promise<void>((resolve, reject) => {
    press = resolve;
    stopping.signal.addEventListener('abort', () => reject(new Error('dropped')));
  });
  const sign = Object.assign(
    async (transaction: Uint8Array) => {
      await pressed;
      return order.sign(transaction);
    },
    { sends: order.sign.sends },
  );
  const trading = loaded(() => import('../chain/trade.js')).then(({ trade }) =>
    trade(config, { ...order, sign, signal: stopping.signal }),
  );
  const prepared = {
    isGood: true,
    press: () => {
      clearTimeout(timer);
      press();
      return trading;
    },
    drop,
  };
  for (const ending of [pressed, trading]) ending.catch(() => (prepared.isGood = false));
  return prepared;
}
