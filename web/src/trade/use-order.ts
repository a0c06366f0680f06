// One trade from the click to the network's word, and what the form says meanwhile.
import { useEffect, useState } from 'react';
import type { Sign } from '../chain/types.js';
import { useConfig } from '../config.js';
import { problemOf, type Problem } from '../errors.js';
import { refreshBalances } from '../wallet/balances.js';
import { forgetPending, keepPending } from './pending.js';
import type { Quote } from './quote.js';
import { watchFinality } from './finality.js';

export type Order =
  | { readonly at: 'idle' }
  | { readonly at: 'preparing' | 'signing' | 'sending' }
  | { readonly at: 'done'; readonly signature: string; readonly quote: Quote; readonly finalized: boolean }
  | { readonly at: 'failed'; readonly problem: Problem };

export const isBusy = ({ at }: Order) => at === 'preparing' || at === 'signing' || at === 'sending';

interface OrderOptions {
  readonly mint: string;
  readonly wallet: string;
  readonly sign: Sign;
  /** The outcome is unknown: look it up. */
  readonly onUnknown: () => void;
  /** The chain's market is not the one that was shown. */
  readonly onMoved: () => void;
}

export function useOrder({ mint, wallet, sign, onUnknown, onMoved }: OrderOptions) {
  const config = useConfig();
  const [order, setOrder] = useState<Order>({ at: 'idle' });
  const signature = order.at === 'done' && !order.finalized ? order.signature : undefined;
  useEffect(() => {
    if (signature === undefined) return undefined;
    return watchFinality(config, signature, () =>
      setOrder((before) => (before.at === 'done' ? { ...before, finalized: true } : before)),
    );
  }, [config, signature]);

  async function start(quote: Quote, venue: 'curve' | 'pool'): Promise<void> {
    if (isBusy(order)) return;
    setOrder({ at: 'preparing' });
    let kept = false;
    try {
      const { trade } = await import('../chain/trade.js');
      const done = await trade(config, {
        mint,
        wallet,
        venue,
        params: quote.params,
        sign,
        steps: {
          onSigning: () => setOrder({ at: 'signing' }),
          onSending: (pending) => {
            keepPending(mint, pending);
            kept = true;
            setOrder({ at: 'sending' });
          },
        },
      });
      forgetPending(mint);
      setOrder({ at: 'done', signature: done, quote, finalized: false });
    } catch (error) {
      const problem = problemOf(error);
      console.warn(error);
      // Everything but the SDK's definite ends leaves the outcome open.
      if (kept && !isDefinite(error)) onUnknown();
      else forgetPending(mint);
      if (problem.kind === 'slippage' || problem.kind === 'moved') onMoved();
      setOrder({ at: 'failed', problem });
    } finally {
      void refreshBalances();
    }
  }
  const reset = () => setOrder((before) => (isBusy(before) ? before : { at: 'idle' }));
  return { order, start, reset };
}

/** Errors of the SDK after which the transaction can never land. */
function isDefinite(error: unknown): boolean {
  const { name, reason } = error as { name?: string; reason?: unknown };
  return name !== 'OutcomeUnknownError' && typeof reason === 'string';
}
