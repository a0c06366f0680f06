// The part of the trade box that signs, sends and tracks a trade. Loaded when a wallet is connected.
import { useEffect, useRef, useState } from 'react';
import type { Sign } from '../chain/types.js';
import { useConfig } from '../config.js';
import { displayText, percent } from '../format.js';
import type { TokenDetail, Trade } from '../market/types.js';
import { refreshBalances } from '../wallet/balances.js';
import { Faucet } from '../wallet/faucet.js';
import { OrderStatus } from './order-status.js';
import { usePending } from './pending.js';
import type { Quote, QuotedMarket, Side } from './quote.js';
import type { Form } from './use-form.js';
import { isBusy, type Order, useOrder } from './use-order.js';
import { orderWords as copy } from '../words/order.js';

interface OrderingProps {
  readonly token: TokenDetail;
  readonly form: Form;
  readonly market: QuotedMarket | undefined;
  /** Undefined while the form is invalid. */
  readonly quote: Quote | undefined;
  /** Whether the token does not trade now. */
  readonly isClosed: boolean;
  readonly lacksSol: boolean;
  readonly wallet: string;
  readonly sign: Sign;
  readonly onMoved: () => void;
  readonly onTraded: (trade: Trade) => void;
}

/** From this price impact on, the user must click twice. */
const SECOND_PRESS_BPS = 1_500;
/** An acceptance holds until the impact is a fifth larger. */
const GROWN = 1.2;
/** The second click of a double click must not accept what nobody has read. */
const READ_MS = 1_000;

export default function Ordering(props: OrderingProps) {
  const { token, form, market, quote, isClosed, wallet, sign, onMoved, onTraded } = props;
  const { faucet } = useConfig();
  const last = usePending(token.mint, () => void refreshBalances());
  const symbol = displayText(token.symbol);
  const { order, start, reset } = useOrder({
    mint: token.mint,
    symbol,
    wallet,
    sign,
    onFailed: last.look,
    onMoved,
    onTraded,
  });
  const [acceptance, accept] = useState<{ readonly of: string; readonly impactBps: number }>();
  const typed = `${form.side} ${form.unit} ${form.text}`;
  const key = `${token.venue} ${typed}`;
  const impactBps = quote?.impactBps ?? 0;
  const accepted =
    acceptance?.of === key && impactBps <= acceptance.impactBps * GROWN ? acceptance.impactBps : undefined;
  const isRead = useIsPast(acceptance, READ_MS);
  const isReady = quote !== undefined && market !== undefined && (accepted === undefined || isRead);

  // A new amount is another trade. The empty field after a trade keeps its result.
  useEffect(() => {
    if (form.text !== '') reset();
  }, [typed]);
  /** For when a trade ends. */
  const newest = useRef(typed);
  newest.current = typed;
  const press = () => {
    if (!isReady || last.pending !== undefined || isClosed) return;
    if (impactBps >= SECOND_PRESS_BPS && accepted === undefined) return accept({ of: key, impactBps });
    accept(undefined);
    // The same amount would be another trade: half of what was held is all that is left.
    void start(quote, market).then((isDone) => {
      if (isDone && newest.current === typed) form.set({ text: '' });
    });
  };
  return (
    <>
      {!isClosed && (
        <Action
          side={form.side}
          symbol={symbol}
          order={order}
          isReady={isReady}
          isWaiting={last.pending !== undefined && !isBusy(order)}
          accepted={accepted}
          onPress={press}
        />
      )}
      {props.lacksSol && faucet && <Faucet address={wallet} />}
      <OrderStatus order={order} last={last} symbol={symbol} wallet={wallet} onAgain={press} />
    </>
  );
}

/** Whether the value has been the same for that time. */
function useIsPast(value: unknown, ms: number): boolean {
  const [past, setPast] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPast(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return past === value;
}

interface ActionProps {
  readonly side: Side;
  readonly symbol: string;
  readonly order: Order;
  readonly isReady: boolean;
  /** Whether an earlier trade may still be unfinished. */
  readonly isWaiting: boolean;
  /** The large price impact in basis points that the user has accepted, so that the next click trades. */
  readonly accepted: number | undefined;
  readonly onPress: () => void;
}

function Action({ side, symbol, order, isReady, isWaiting, accepted, onPress }: ActionProps) {
  const busy = isBusy(order);
  return (
    <>
      {accepted !== undefined && !busy && (
        <p className="alert warn" role="alert">
          {copy.impactSecond(percent(accepted))}
        </p>
      )}
      <button
        className={side === 'buy' ? 'btn primary big' : 'btn sellside big'}
        disabled={!isReady || busy || isWaiting}
        onClick={onPress}
        data-testid="submit"
      >
        {busy ? copy[order.at as 'preparing' | 'signing' | 'sending'] : titleOf({ side, symbol, accepted })}
      </button>
    </>
  );
}

function titleOf({ side, symbol, accepted }: Pick<ActionProps, 'side' | 'symbol' | 'accepted'>): string {
  return accepted === undefined ? copy.button[side](symbol) : copy.again[side];
}
