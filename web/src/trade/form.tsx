import { useState, type FormEvent } from 'react';
import type { Sign } from '../chain/types.js';
import { stranger } from '../format.js';
import { useBalances, refreshBalances } from '../wallet/balances.js';
import { words } from '../words/words.js';
import { Action } from './action.js';
import { AmountField } from './amount-field.js';
import type { BoxProps } from './box.js';
import { Chips } from './chips.js';
import { Costs } from './costs.js';
import { CurveBox } from './curve-box.js';
import { Moved } from './moved.js';
import { usePending } from './pending.js';
import { problemWithFunds, readAsked } from './read-form.js';
import { OrderStatus } from './order-status.js';
import { quoteOf } from './quote.js';
import { Result } from './result.js';
import { SideSwitch } from './side-switch.js';
import { Slippage } from './slippage.js';
import { useMarket } from './use-market.js';
import { isBusy, useOrder } from './use-order.js';

interface FormProps extends BoxProps {
  readonly wallet: string | undefined;
  readonly sign: Sign | undefined;
}

/** From this impact on, a second press is asked for. */
const SECOND_PRESS_BPS = 1_500;

export function TradeForm({ token, form, isStale, onMoved, wallet, sign }: FormProps) {
  const balances = useBalances(wallet);
  const [touched, setTouched] = useState(false);
  const isWanted = touched || wallet !== undefined || form.text !== '';
  const market = useMarket(token, isWanted);
  const last = usePending(token.mint, () => void refreshBalances());
  const { order, place, reset } = useOrder({ mint: token.mint, wallet, sign, onUnknown: last.look, onMoved });
  /** Quote for which the large impact was accepted. */
  const [accepted, setAccepted] = useState('');

  if (token.venue === 'graduating' || token.venue === 'unknown') {
    return <Moved token={token} order={order} last={last} />;
  }
  const { asked, problem: unread } = readAsked(form);
  const quoted = asked === undefined || market === undefined ? undefined : quoteOf(market, asked);
  const quote = quoted?.quote;
  const short = quote === undefined ? undefined : problemWithFunds(quote, token, balances);
  const problem = unread ?? quoted?.problem ?? short;
  const key = `${form.side} ${form.unit} ${form.text}`;
  const needsSecondPress = quote !== undefined && quote.impactBps >= SECOND_PRESS_BPS && accepted !== key;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (quote === undefined || market === undefined || problem !== undefined) return;
    if (needsSecondPress) setAccepted(key);
    else void place(quote, market.venue);
  };
  const change: typeof form.set = (next) => {
    if (!isBusy(order)) reset();
    form.set(next);
  };
  const symbol = stranger(token.symbol);
  const parts = { token, form: { ...form, set: change }, balances, quote, symbol };
  return (
    <form className="trade-form" onSubmit={submit} onFocus={() => setTouched(true)} noValidate>
      <SideSwitch side={form.side} onSide={(side) => change({ side })} />
      <AmountField {...parts} problem={problem} />
      <Chips {...parts} />
      <Result {...parts} isReading={isWanted && token.venue === 'pool' && market === undefined} />
      <CurveBox token={token} quote={quote} />
      <Costs {...parts} />
      <Slippage form={parts.form} />
      <Action
        side={form.side}
        symbol={symbol}
        order={order}
        isReady={quote !== undefined && problem === undefined}
        isWaiting={last.pending !== undefined && !isBusy(order)}
        canSign={sign !== undefined}
        wallet={wallet}
        accepted={accepted === key}
      />
      <OrderStatus order={order} last={last} symbol={symbol} isStale={isStale} wallet={wallet} />
      <p className="muted small center">{words.trade.promise}</p>
    </form>
  );
}
