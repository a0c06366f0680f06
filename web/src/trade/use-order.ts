// One trade from the click to its finalization, with its state for the form.
import { useEffect, useState } from 'react';
import type { Sign, Traded } from '../chain/types.js';
import { useConfig } from '../config.js';
import type { Problem } from '../errors.js';
import { problemOf } from './problems.js';
import { refreshBalances } from '../wallet/balances.js';
import { memoryOf } from './pending.js';
import type { Quote } from './quote.js';
import { watchFinality } from './finality.js';

export type Order =
  | { readonly at: 'idle' }
  | { readonly at: 'preparing' | 'signing' | 'sending' }
  | { readonly at: 'done'; readonly traded: Traded; readonly finalized: boolean }
  | { readonly at: 'failed'; readonly problem: Problem };

export const isBusy = ({ at }: Order) => at === 'preparing' || at === 'signing' || at === 'sending';

interface OrderOptions {
  readonly mint: string;
  readonly wallet: string;
  readonly sign: Sign;
  /** Called on an error, to look up the trade if its outcome is unknown. */
  readonly onFailed: () => void;
  /** Called when the market on chain differs from the one on the page. */
  readonly onMoved: () => void;
}

export function useOrder({ mint, wallet, sign, onFailed, onMoved }: OrderOptions) {
  const config = useConfig();
  const [order, setOrder] = useState<Order>({ at: 'idle' });
  const signature = order.at === 'done' && !order.finalized ? order.traded.signature : undefined;
  useEffect(() => {
    if (signature === undefined) return undefined;
    return watchFinality(config, signature, () =>
      setOrder((before) => (before.at === 'done' ? { ...before, finalized: true } : before)),
    );
  }, [config, signature]);

  async function start(quote: Quote, venue: 'curve' | 'pool'): Promise<void> {
    if (isBusy(order)) return;
    setOrder({ at: 'preparing' });
    try {
      const { trade } = await import('../chain/trade.js');
      const traded = await trade(config, {
        mint,
        wallet,
        venue,
        params: quote.params,
        sign: (transaction) => {
          setOrder({ at: 'signing' });
          return sign(transaction);
        },
        onSigned: () => setOrder({ at: 'sending' }),
        remember: memoryOf(mint),
      });
      setOrder({ at: 'done', traded, finalized: false });
    } catch (error) {
      const problem = problemOf(error);
      console.warn(error);
      // If the SDK still remembers the trade, its outcome is unknown.
      onFailed();
      if (problem.kind === 'slippage' || problem.kind === 'moved') onMoved();
      setOrder({ at: 'failed', problem });
    } finally {
      void refreshBalances();
    }
  }
  const reset = () => setOrder((before) => (isBusy(before) ? before : { at: 'idle' }));
  return { order, start, reset };
}
