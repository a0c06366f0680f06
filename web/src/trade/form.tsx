import { type ReactNode, useState } from 'react';
import type { Sign } from '../chain/types.js';
import { displayText, finePercent } from '../format.js';
import { part } from '../part.js';
import { useBalances } from '../wallet/balances.js';
import { words } from '../words/words.js';
import { AmountField } from './amount-field.js';
import type { BoxProps } from './box.js';
import { Chips } from './chips.js';
import { CurveBox } from './curve-box.js';
import { lacksSol, problemWithFunds, readAsked } from './read-form.js';
import { quoteOf, type Side } from './quote.js';
import { useMarket } from './use-market.js';
import { openConnect } from '../wallet/store.js';
import { Line } from './line.js';
import { HIGH_SLIPPAGE_BPS, turnedTo } from './use-form.js';

const WhatIf = part(() => import('./what-if.js'));
const Holding = part(() => import('./holding.js'));
const Moved = part(() => import('./moved.js'));
const Ordering = part(() => import('./ordering.js'), <div className="btn big" />);
const Choices = part(() => import('./slippage-choices.js'));
const Rows = part(() => import('./cost-rows.js'));
const copy = words.trade;

interface FormProps extends BoxProps {
  readonly wallet: string | undefined;
  readonly sign: Sign | undefined;
}

export function TradeForm(props: FormProps) {
  const { token, form, liveness, pending, onMoved, onTraded, wallet, sign } = props;
  const balances = useBalances(wallet, token.mint);
  const { side, text, slippageBps } = form.values;
  /** Token reserve after the sale of others that the user looks at. */
  const [after, setAfter] = useState<bigint>();
  const isWanted = form.touched || wallet !== undefined || text !== '';
  const market = useMarket(token, isWanted);

  const isClosed = token.venue === 'graduating' || token.venue === 'unknown';
  const { asked, problem: unread } = readAsked(form.values);
  const quoted = asked === undefined || market === undefined ? undefined : quoteOf(market, asked);
  const quote = quoted?.quote;
  const short = quote === undefined ? undefined : problemWithFunds(quote, token, balances);
  const problem = unread ?? quoted?.problem ?? short;
  const symbol = displayText(token.symbol);
  const held = balances?.tokens.get(token.mint) ?? 0n;
  const parts = { token, form, balances, quote, symbol };
  const isReading = isWanted && token.venue === 'pool' && market === undefined;
  const line = !isClosed && <Line {...parts} isReading={isReading} />;
  return (
    // Enter in a field clicks the form's button.
    <form className="trade-form" {...form.element}>
      {isClosed ? (
        <Moved token={token} />
      ) : (
        <>
          <SideSwitch side={side} onSide={(side) => form.set(turnedTo(side))} />
          {wallet !== undefined && held > 0n && market !== undefined && (
            <Holding {...{ wallet, held, market, pending, form }} mint={token.mint} />
          )}
          <AmountField {...parts} problem={problem} />
          <Chips {...parts} />
        </>
      )}
      {wallet === undefined ? (
        !isClosed && <ConnectAction />
      ) : sign === undefined ? (
        <button className="btn primary big" disabled data-testid="submit">
          {copy[side]}
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
        >
          {line}
        </Ordering>
      )}
      {sign === undefined && line}
      {!isClosed && (
        <>
          <CurveBox token={token} quote={quote} held={held} after={after} />
          <Fold
            title={copy.slippage}
            className="slippage"
            value={
              <span className={slippageBps > HIGH_SLIPPAGE_BPS ? 'gold strong' : 'strong'}>
                {finePercent(slippageBps)}
              </span>
            }
          >
            <Choices form={form} />
          </Fold>
          {quote !== undefined && (
            <Fold title={copy.fees}>
              <Rows {...parts} quote={quote} />
            </Fold>
          )}
          {market !== undefined && (
            <Fold title={copy.whatIf}>
              <WhatIf {...{ token, market, wallet, held }} onReserve={setAfter} />
            </Fold>
          )}
        </>
      )}
      {(liveness === 'away' || liveness === 'late') && (
        <p className="gold small center">{copy.stale[liveness]}</p>
      )}
      {!isClosed && <p className="muted small center">{copy.promise}</p>}
    </form>
  );
}

function ConnectAction() {
  return (
    <button type="button" className="btn primary big" onClick={openConnect}>
      {words.trade.connect}
    </button>
  );
}

interface FoldProps {
  readonly title: string;
  readonly value?: ReactNode;
  readonly className?: string;
  readonly children: ReactNode;
}

/** Its children are loaded when it is opened. */
function Fold({ title, value, className = '', children }: FoldProps) {
  const [open, setOpen] = useState(false);
  return (
    <details className={`fold ${className}`} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span>{title}</span>
        {value}
      </summary>
      {open && children}
    </details>
  );
}

interface SideSwitchProps {
  readonly side: Side;
  readonly onSide: (side: Side) => void;
}

function SideSwitch({ side, onSide }: SideSwitchProps) {
  return (
    <div className="seg" role="group" aria-label={words.trade.side}>
      {(['buy', 'sell'] as const).map((each) => (
        <button
          key={each}
          type="button"
          className={each}
          data-shortcut={each}
          aria-pressed={side === each}
          onClick={() => onSide(each)}
        >
          {words.trade[each]}
        </button>
      ))}
    </div>
  );
}
