import { Sol, Tokens } from '../parts/amounts.js';
import { words } from '../words/words.js';
import type { Parts } from './parts.js';

const copy = words.trade;

/** The other side of the trade for the typed amount. */
export function Result({ form, quote, symbol, isReading }: Parts & { readonly isReading: boolean }) {
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
