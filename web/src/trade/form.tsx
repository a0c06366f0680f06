import { useState } from 'react';
import type { Sign } from '../chain/types.js';
import { displayText } from '../format.js';
import { part } from '../part.js';
import { useBalances } from '../wallet/balances.js';
import { words } from '../words/words.js';
import { AmountField } from './amount-field.js';
import type { BoxProps } from './box.js';
import { Chips } from './chips.js';
import { ConnectAction } from './connect-action.js';
import { Costs } from './costs.js';
import { CurveBox } from './curve-box.js';
import { lacksSol, problemWithFunds, readAsked } from './read-form.js';
import { quoteOf } from './quote.js';
import { Result } from './result.js';
import { SideSwitch } from './side-switch.js';
import { Slippage } from './slippage.js';
import { useMarket } from './use-market.js';
import { Warnings } from './warnings.js';

const Moved = part(() => import('./moved.js'));
const Ordering = part(() => import('./ordering.js'), <div className="btn big" />);

interface FormProps extends BoxProps {
  readonly wallet: string | undefined;
  readonly sign: Sign | undefined;
}

export function TradeForm({ token, form, liveness, onMoved, onTraded, wallet, sign }: FormProps) {
  const balances = useBalances(wallet, token.mint);
  const [touched, setTouched] = useState(false);
  const isWanted = touched || wallet !== undefined || form.text !== '';
  const market = useMarket(token, isWanted);

  const isClosed = token.venue === 'graduating' || token.venue === 'unknown';
  const { asked, problem: unread } = readAsked(form);
  const quoted = asked === undefined || market === undefined ? undefined : quoteOf(market, asked);
  const quote = quoted?.quote;
  const short = quote === undefined ? undefined : problemWithFunds(quote, token, balances);
  const problem = unread ?? quoted?.problem ?? short;
  const symbol = displayText(token.symbol);
  const parts = { token, form, balances, quote, symbol };
  return (
    // Enter in a field clicks the form's button.
    <form
      className="trade-form"
      onSubmit={(event) => event.preventDefault()}
      onFocus={() => setTouched(true)}
      noValidate
    >
      {isClosed ? (
        <Moved token={token} />
      ) : (
        <>
          <SideSwitch side={form.side} onSide={(side) => form.set({ side })} />
          <AmountField {...parts} problem={problem} />
          <Chips {...parts} />
          <Warnings quote={quote} />
        </>
      )}
      {wallet === undefined ? (
        !isClosed && <ConnectAction />
      ) : sign === undefined ? (
        <button className="btn primary big" disabled data-testid="submit">
          {words.trade[form.side]}
        </button>
      ) : (
        <Ordering
          key={wallet}
          token={token}
          form={form}
          market={market}
          quote={problem === undefined ? quote : undefined}
          isClosed={isClosed}
          lacksSol={lacksSol(quote, token, balances)}
          wallet={wallet}
          sign={sign}
          onMoved={onMoved}
          onTraded={onTraded}
        />
      )}
      {!isClosed && (
        <>
          <Result {...parts} isReading={isWanted && token.venue === 'pool' && market === undefined} />
          <Slippage form={form} />
          <Costs {...parts} />
          <CurveBox token={token} quote={quote} />
        </>
      )}
      {(liveness === 'away' || liveness === 'late') && (
        <p className="gold small center">{words.trade.stale[liveness]}</p>
      )}
      {!isClosed && <p className="muted small center">{words.trade.promise}</p>}
    </form>
  );
}
