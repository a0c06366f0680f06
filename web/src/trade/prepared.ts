// A trade that is read, priced and simulated before the press. In place of the wallet's answer it waits for the press.
import type { TradeOrder } from '../chain/trade.js';
import type { Traded } from '../chain/types.js';
import { loaded } from '../load.js';
import type { MarketConfig } from '../market/types.js';

/** A blockhash is valid for about a minute. */
const LONGEST_MS = 20_000;

export interface Prepared {
  /** False when it has failed, is too old, or was dropped: nothing is sent. */
  isGood: boolean;
  readonly drop: () => void;
  /** Lets the wallet be asked. @throws as `trade` */
  readonly press: () => Promise<Traded>;
}

/** Loads what a trade needs: a busy token's amount never stands still. */
export const loadTrading = () => loaded(() => import('../chain/trade.js'));

export function prepare(config: MarketConfig, order: TradeOrder, onSigning: () => void): Prepared {
  const stopping = new AbortController();
  let press!: () => void;
  const pressed = new Promise<void>((resolve) => (press = resolve));
  const ask = (transaction: Uint8Array) => pressed.then(onSigning).then(() => order.sign(transaction));
  const terms = { ...order, sign: Object.assign(ask, { sends: order.sign.sends }), signal: stopping.signal };
  const trading = loadTrading().then(({ trade }) => trade(config, terms));
  const prepared = {
    isGood: true,
    drop: () => {
      prepared.isGood = false;
      stopping.abort();
    },
    press: () => {
      clearTimeout(timer);
      press();
      return trading;
    },
  };
  const timer = setTimeout(prepared.drop, LONGEST_MS);
  trading.catch(() => (prepared.isGood = false));
  return prepared;
}
