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
import { HIGH_IMPACT_BPS, Warnings } from './warnings.js';
import { openConnect } from '../wallet/store.js';
import type { Parts } from './parts.js';
import { type Form, HIGH_SLIPPAGE_BPS } from './use-form.js';
import { Sol, Tokens } from '../parts/amounts.js';

const WhatIf = part(() => import('./what-if.js'));
const Holding = part(() => import('./holding.js'));
const Moved = part(() => import('./moved.js'));
const Ordering = part(() => import('./ordering.js'), <div className="btn big" />);

interface FormProps extends BoxProps {
  readonly wallet: string | undefined;
  readonly sign: Sign | undefined;
}

export function TradeForm(props: FormProps) {
  const { token, form, liveness, pending, onMoved, onTraded, wallet, sign } = props;
  const balances = useBalances(wallet, token.mint);
  const [touched, setTouched] = useState(false);
  /** Token reserve after the sale of others that the user looks at. */
  const [after, setAfter] = useState<bigint>();
  const isWanted = touched || wallet !== undefined || form.text !== '';
  const market = useMarket(token, isWanted);

  const isClosed = token.venue === 'graduating' || token.venue === 'unknown';
  const { asked, problem: unread } = readAsked(form);
  const quoted = asked === undefined || market === undefined ? undefined : quoteOf(market, asked);
  const quote = quoted?.quote;
  const short = quote === undefined ? undefined : problemWithFunds(quote, token, balances);
  const problem = unread ?? quoted?.problem ?? short;
  const symbol = displayText(token.symbol);
  const held = balances?.tokens.get(token.mint) ?? 0n;
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
          {wallet !== undefined && held > 0n && market !== undefined && (
            <Holding {...{ wallet, held, market, pending, form }} mint={token.mint} />
          )}
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
          <CurveBox token={token} quote={quote} held={held} after={after} />
          {market !== undefined && (
            <Fold title={copy.whatIf}>
              <WhatIf {...{ token, market, wallet, held }} onReserve={setAfter} />
            </Fold>
          )}
        </>
      )}
      {(liveness === 'away' || liveness === 'late') && (
        <p className="gold small center">{words.trade.stale[liveness]}</p>
      )}
      {!isClosed && <p className="muted small center">{words.trade.promise}</p>}
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

const Rows = part(() => import('./cost-rows.js'));
const copy = words.trade;

/** The price impact, and behind it the fees. */
function Costs(parts: Parts) {
  const { quote } = parts;
  if (quote === undefined) return null;
  const impact = (
    <span className={quote.impactBps >= HIGH_IMPACT_BPS ? 'down' : undefined}>
      {copy.impact(finePercent(quote.impactBps))}
    </span>
  );
  return (
    <Fold title={copy.fees} value={impact}>
      <Rows {...parts} quote={quote} />
    </Fold>
  );
}

interface FoldProps {
  readonly title: string;
  readonly value?: ReactNode;
  readonly children: ReactNode;
}

/** Its children are loaded when it is opened. */
function Fold({ title, value, children }: FoldProps) {
  const [open, setOpen] = useState(false);
  return (
    <details className="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
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

const Choices = part(() => import('./slippage-choices.js'));

/** The slippage setting: how much worse than quoted the price may be. */
function Slippage({ form }: { readonly form: Form }) {
  const { slippageBps, choosing, set } = form;
  return (
    <details className="fold slippage" open={choosing}>
      <summary
        onClick={(event) => {
          event.preventDefault();
          set({ choosing: !choosing });
        }}
      >
        <span>{words.trade.slippage}</span>
        <span className={slippageBps > HIGH_SLIPPAGE_BPS ? 'gold strong' : 'strong'}>
          {finePercent(slippageBps)}
        </span>
      </summary>
      {choosing && <Choices form={form} />}
    </details>
  );
}

/** The other side of the trade for the typed amount. */
function Result({ form, quote, symbol, isReading }: Parts & { readonly isReading: boolean }) {
  const { side, unit } = form;
  const title = titleOf(side === 'buy', unit === 'sol');
  const showsTokens = unit === 'sol';
  return (
    <div className="amount result">
      <div className="label">
        <span>{title}</span>
        {quote !== undefined && (
          <span>
            {copy.atLeast}{' '}
            {side === 'buy' ? <Tokens units={quote.least} symbol={symbol} /> : <Sol lamports={quote.least} />}
          </span>
        )}
      </div>
      <div className="value">
        <output data-testid="out">
          {quote === undefined ? (
            <span className="muted">{isReading ? copy.loadingPool : '0'}</span>
          ) : showsTokens ? (
            <Tokens units={quote.token} />
          ) : (
            <Sol lamports={quote.sol} unit={false} />
          )}
        </output>
        <span className="unit">{showsTokens ? symbol : 'SOL'}</span>
      </div>
    </div>
  );
}

function titleOf(isBuy: boolean, typedSol: boolean): string {
  if (isBuy) return typedSol ? copy.about : copy.costs;
  return typedSol ? copy.sellAbout : copy.about;
}
