// One trade from the click to its finalization, with its state for the form.
import { useEffect, useRef, useState } from 'react';
import type { Sign, Traded } from '../chain/types.js';
import { useConfig } from '../config.js';
import type { Problem } from '../errors.js';
import type { MarketConfig, Trade } from '../market/types.js';
import { keepOrder } from '../receipt/orders.js';
import { toast, useIsLeft } from '../shell/toast.js';
import { refreshBalances } from '../wallet/balances.js';
import { memoryOf } from './pending.js';
import { loadTrading, prepare, type Prepared } from './prepared.js';
import { problemOf } from './problems.js';
import type { Quote, QuotedMarket } from './quote.js';
import { resultOf } from './traded-text.js';
import { rpc, rpcUrlOf } from '../chain/rpc.js';

export type Order =
  | { readonly at: 'idle' }
  | { readonly at: 'preparing' | 'signing' | 'sending' }
  | { readonly at: 'done'; readonly traded: Traded; readonly quote: Quote; readonly finalized: boolean }
  | { readonly at: 'failed'; readonly problem: Problem };

export const isBusy = ({ at }: Order) => at === 'preparing' || at === 'signing' || at === 'sending';

/** A trade that a press would make. */
export interface Next {
  readonly quote: Quote;
  readonly market: QuotedMarket;
}

/** An amount that stands still for so long is prepared before the press. */
const STILL_MS = 300;
/** At most so often: each preparation is five requests to the node. */
const AGAIN_MS = 5_000;

interface OrderOptions {
  /** Undefined while a press would do nothing. */
  readonly next: Next | undefined;
  readonly mint: string;
  readonly symbol: string;
  readonly wallet: string;
  readonly sign: Sign;
  /** Called on an error, to look up the trade if its outcome is unknown. */
  readonly onFailed: () => void;
  /** Called when the market on chain differs from the one on the page. */
  readonly onMoved: () => void;
  /** Called with the trade when it has landed. */
  readonly onTraded: (trade: Trade) => void;
}

export function useOrder({ next, mint, symbol, wallet, sign, onFailed, onMoved, onTraded }: OrderOptions) {
  const config = useConfig();
  const isLeft = useIsLeft();
  const [order, setOrder] = useState<Order>({ at: 'idle' });
  const signature = order.at === 'done' && !order.finalized ? order.traded.signature : undefined;
  useEffect(() => {
    if (signature === undefined) return undefined;
    return watchFinality(config, signature, () =>
      setOrder((before) => (before.at === 'done' ? { ...before, finalized: true } : before)),
    );
  }, [config, signature]);

  const preparing = ({ quote, market }: Next) => {
    const terms = {
      mint,
      wallet,
      venue: market.venue,
      pool: market.venue === 'pool' ? market.pool : undefined,
      params: quote.params,
      sign,
      onSigned: () => setOrder({ at: 'sending' }),
      remember: memoryOf(mint),
    };
    return prepare(config, terms, () => setOrder({ at: 'signing' }));
  };
  const waiting = useRef<{ readonly what: string; readonly trade: Prepared }>(undefined);
  const lastAt = useRef(-Infinity);
  // A wallet that also sends is remembered before it is asked, so its trade begins with the press.
  const what = next === undefined || isBusy(order) || sign.sends === true ? undefined : whatOf(next);
  useEffect(() => {
    // A failure is told after the press.
    if (next !== undefined) loadTrading().catch(() => undefined);
    if (what === undefined) return undefined;
    const wait = Math.max(STILL_MS, lastAt.current + AGAIN_MS - Date.now());
    const timer = setTimeout(() => {
      lastAt.current = Date.now();
      waiting.current = { what, trade: preparing(next!) };
    }, wait);
    return () => {
      clearTimeout(timer);
      waiting.current?.trade.drop();
    };
  }, [what, sign]);

  /** @returns whether it was traded */
  async function start(pressed: Next): Promise<boolean> {
    const { quote } = pressed;
    const ready = waiting.current;
    const isReady = ready?.what === whatOf(pressed) && ready.trade.isGood;
    if (isReady) waiting.current = undefined;
    setOrder({ at: 'preparing' });
    try {
      const traded = await (isReady ? ready.trade : preparing(pressed)).press();
      keepOrder(traded.signature, quote);
      setOrder({ at: 'done', traded, quote, finalized: false });
      if (traded.shown !== undefined) onTraded(traded.shown);
      if (isLeft.current) toast(resultOf(traded, symbol), true);
      return true;
    } catch (error) {
      const problem = problemOf(error);
      console.warn(error);
      // If the SDK still remembers the trade, its outcome is unknown.
      onFailed();
      if (problem.kind === 'slippage' || problem.kind === 'moved') onMoved();
      setOrder({ at: 'failed', problem });
      if (isLeft.current) toast(problem.text, false);
      return false;
    } finally {
      void refreshBalances();
    }
  }
  const reset = () => setOrder((before) => (isBusy(before) ? before : { at: 'idle' }));
  return { order, start, reset };
}

const whatOf = ({ quote, market }: Next) => `${market.venue} ${Object.entries(quote.params).join()}`;

// A confirmed trade is finalized about 13 seconds later.
const LOOK_MS = 2_000;
const MOST_LOOKS = 60;

interface Statuses {
  readonly value: readonly ({ readonly confirmationStatus?: string } | null)[];
}

/** @returns a function that stops watching */
function watchFinality(config: MarketConfig, signature: string, onFinal: () => void): () => void {
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
