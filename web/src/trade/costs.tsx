import { useConfig } from '../config.js';
import { finePercent } from '../format.js';
import { Sol, Tokens } from '../parts/amounts.js';
import { words } from '../words/words.js';
import type { Parts } from './parts.js';
import { MOST_NETWORK_FEE, TOKEN_ACCOUNT_RENT } from './reserve.js';

const copy = words.trade;
const HIGH_IMPACT_BPS = 500;

export function Costs({ token, quote, balances, symbol }: Parts) {
  const { platformFeeBps } = useConfig();
  if (quote === undefined) return null;
  const opensAccount = quote.side === 'buy' && balances !== undefined && !balances.tokens.has(token.mint);
  const isHigh = quote.impactBps >= HIGH_IMPACT_BPS;
  return (
    <>
      <dl className="costs">
        <div>
          <dt>{token.venue === 'pool' ? copy.poolFee : copy.fee(finePercent(platformFeeBps))}</dt>
          <dd>
            {quote.tokenFee > 0n && quote.fee === 0n ? (
              <Tokens units={quote.tokenFee} symbol={symbol} />
            ) : (
              <Sol lamports={quote.fee} />
            )}
          </dd>
        </div>
        <div>
          <dt>{copy.network}</dt>
          <dd>
            <Sol lamports={MOST_NETWORK_FEE} />
          </dd>
        </div>
        {opensAccount && (
          <div>
            <dt>{copy.rent}</dt>
            <dd>
              <Sol lamports={TOKEN_ACCOUNT_RENT} />
            </dd>
          </div>
        )}
        <div>
          <dt>{copy.impact}</dt>
          <dd className={isHigh ? 'down' : undefined}>{finePercent(quote.impactBps)}</dd>
        </div>
      </dl>
      {isHigh && quote.side === 'buy' && (
        <p className="alert warn">{copy.impactHigh(finePercent(quote.impactBps))}</p>
      )}
      {quote.graduates && (
        <p className="alert warn" data-testid="graduates">
          {copy.graduates} {quote.rest > 0n && <Rest lamports={quote.rest} />}
        </p>
      )}
    </>
  );
}

function Rest({ lamports }: { readonly lamports: bigint }) {
  const [before = '', after = ''] = copy.stays('|').split('|');
  return (
    <>
      {before}
      <Sol lamports={lamports} />
      {after}
    </>
  );
}
