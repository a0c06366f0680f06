// The part of the trade box that a wallet needs: it signs, sends and follows. Loaded once a wallet is connected.
import { useEffect, useState, type RefObject } from 'react';
import type { Sign } from '../chain/types.js';
import { stranger } from '../format.js';
import type { TokenDetail } from '../market/types.js';
import { refreshBalances } from '../wallet/balances.js';
import { Action } from './action.js';
import { OrderStatus } from './order-status.js';
import { usePending } from './pending.js';
import type { Quote, QuotedMarket } from './quote.js';
import type { Form } from './use-form.js';
import { isBusy, useOrder } from './use-order.js';

interface OrderingProps {
  readonly token: TokenDetail;
  readonly form: Form;
  readonly market: QuotedMarket | undefined;
  /** Undefined while the form has a mistake. */
  readonly quote: Quote | undefined;
  /** The token does not trade now. */
  readonly isClosed: boolean;
  readonly wallet: string;
  readonly sign: Sign;
  /** What submitting the form does. */
  readonly place: RefObject<() => void>;
  readonly onMoved: () => void;
}

/** From this impact on, a second press is asked for. */
const SECOND_PRESS_BPS = 1_500;

export default function Ordering(props: OrderingProps) {
  const { token, form, market, quote, isClosed, wallet, sign, place, onMoved } = props;
  const last = usePending(token.mint, () => void refreshBalances());
  const { order, start, reset } = useOrder({ mint: token.mint, wallet, sign, onFailed: last.look, onMoved });
  /** Inputs for which the large impact was accepted. */
  const [accepted, setAccepted] = useState('');
  const key = `${form.side} ${form.unit} ${form.text}`;
  const isAccepted = accepted === key;
  const isReady = quote !== undefined && market !== undefined;
  const symbol = stranger(token.symbol);

  // What was said of the last trade goes when one types the next.
  useEffect(() => reset(), [key]);
  useEffect(() => {
    place.current = () => {
      if (!isReady || last.pending !== undefined || isClosed) return;
      if (quote.impactBps >= SECOND_PRESS_BPS && !isAccepted) setAccepted(key);
      else void start(quote, market.venue);
    };
    // Enter in the field of a form without a button still submits it.
    return () => {
      place.current = () => undefined;
    };
  });
  return (
    <>
      {!isClosed && (
        <Action
          side={form.side}
          symbol={symbol}
          order={order}
          isReady={isReady}
          isWaiting={last.pending !== undefined && !isBusy(order)}
          accepted={isAccepted}
        />
      )}
      <OrderStatus order={order} last={last} symbol={symbol} wallet={wallet} />
    </>
  );
}
