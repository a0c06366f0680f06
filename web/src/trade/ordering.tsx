// The part of the trade box that signs, sends and tracks a trade. Loaded when a wallet is connected.
import { useEffect, type ReactNode } from 'react';
import type { Sign } from '../chain/types.js';
import { useConfig } from '../config.js';
import { displayText, percent } from '../format.js';
import type { TokenDetail, Trade } from '../market/types.js';
import { refreshBalances } from '../wallet/balances.js';
import { Faucet } from '../wallet/faucet.js';
import { OrderStatus } from './order-status.js';
import { usePending } from './pending.js';
import type { Quote, QuotedMarket } from './quote.js';
import type { Form, TradeInputs } from './use-form.js';
import { isBusy, useOrder } from './use-order.js';
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
  /** Shown between the button and the result. */
  readonly children: ReactNode;
}

/** From this price impact on, the user must click twice. */
const SECOND_PRESS_BPS = 1_500;

const typedOf = ({ side, unit, text }: TradeInputs) => `${side} ${unit} ${text}`;

export default function Ordering(props: OrderingProps) {
  const { token, form, market, quote, isClosed, wallet, sign, onMoved, onTraded } = props;
  const { faucet } = useConfig();
  const { side, text } = form.values;
  const typed = typedOf(form.values);
  const bps = quote?.impactBps ?? 0;
  const risk = bps < SECOND_PRESS_BPS ? undefined : { what: `${wallet} ${token.venue} ${typed}`, bps };
  const last = usePending(token.mint, () => void refreshBalances());
  const isReady = form.isReady(risk) && last.pending === undefined && !isClosed;
  const next = isReady && quote && market ? { quote, market } : undefined;
  const symbol = displayText(token.symbol);
  const { order, start, reset } = useOrder({
    next,
    mint: token.mint,
    symbol,
    wallet,
    sign,
    onFailed: last.look,
    onMoved,
    onTraded,
  });

  // A new amount is another trade. The empty field after a trade keeps its result.
  useEffect(() => {
    if (text !== '') reset();
  }, [typed]);
  const press = () => {
    if (next === undefined) return;
    const run = async () => {
      const isDone = await start(next);
      // The same amount would be another trade: half of what was held is all that is left.
      if (isDone) form.set((now) => (typedOf(now) === typed ? { text: '' } : {}));
    };
    form.press({ risk, run });
  };
  const again = quote !== undefined && form.isAsked(risk) && copy.again[side](percent(quote.worseBps));
  return (
    <>
      {again !== false && (
        <p className="sr" role="alert">
          {again}
        </p>
      )}
      {!isClosed && (
        <button
          className={side === 'buy' ? 'btn primary big' : 'btn sellside big'}
          disabled={next === undefined}
          onClick={press}
          data-testid="submit"
        >
          {isBusy(order) ? copy[order.at as 'preparing'] : again || copy.button[side](symbol)}
        </button>
      )}
      {props.lacksSol && faucet && <Faucet address={wallet} />}
      {props.children}
      <OrderStatus order={order} last={last} symbol={symbol} wallet={wallet} onAgain={press} />
    </>
  );
}
