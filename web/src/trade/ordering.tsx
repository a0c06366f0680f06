// The part of the trade box that signs, sends and tracks a trade. Loaded when a wallet is connected.
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
  /** Undefined while the form is invalid. */
  readonly quote: Quote | undefined;
  /** Whether the token does not trade now. */
  readonly isClosed: boolean;
  readonly wallet: string;
  readonly sign: Sign;
  /** The action of submitting the form. */
  readonly place: RefObject<() => void>;
  readonly onMoved: () => void;
}

/** From this price impact on, the user must click twice. */
const SECOND_PRESS_BPS = 1_500;

export default function Ordering(props: OrderingProps) {
  const { token, form, market, quote, isClosed, wallet, sign, place, onMoved } = props;
  const last = usePending(token.mint, () => void refreshBalances());
  const { order, start, reset } = useOrder({ mint: token.mint, wallet, sign, onFailed: last.look, onMoved });
  /** The inputs for which the user accepted the large impact. */
  const [accepted, setAccepted] = useState('');
  const key = `${form.side} ${form.unit} ${form.text}`;
  const isAccepted = accepted === key;
  const isReady = quote !== undefined && market !== undefined;
  const symbol = stranger(token.symbol);

  // Clear the result of the last trade when the user changes the inputs.
  useEffect(() => reset(), [key]);
  useEffect(() => {
    place.current = () => {
      if (!isReady || last.pending !== undefined || isClosed) return;
      if (quote.impactBps >= SECOND_PRESS_BPS && !isAccepted) setAccepted(key);
      else void start(quote, market.venue);
    };
    // After unmount, Enter in the form can still submit it, so reset the action.
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
