import type { ReactNode } from 'react';
import { TOKEN_ACCOUNT_BYTES } from '../chain/rent.js';
import { useConfig } from '../config.js';
import { finePercent } from '../format.js';
import { Sol, Tokens } from '../parts/amounts.js';
import { costWords as copy } from '../words/trade-details.js';
import type { Parts } from './parts.js';
import type { Quote } from './quote.js';
import { MOST_NETWORK_FEE } from './reserve.js';

export default function CostRows({ token, quote, balances, symbol }: Parts & { readonly quote: Quote }) {
  const { platformFeeBps } = useConfig();
  const opensAccount = quote.side === 'buy' && balances !== undefined && !balances.tokens.has(token.mint);
  return (
    <dl className="costs">
      <Row title={token.venue === 'pool' ? copy.poolFee : copy.fee(finePercent(platformFeeBps))}>
        {quote.tokenFee > 0n && quote.fee === 0n ? (
          <Tokens units={quote.tokenFee} symbol={symbol} />
        ) : (
          <Sol lamports={quote.fee} />
        )}
      </Row>
      <Row title={copy.network}>
        <Sol lamports={MOST_NETWORK_FEE} />
      </Row>
      {opensAccount && (
        <Row title={copy.rent}>
          <Sol lamports={balances.rent(TOKEN_ACCOUNT_BYTES)} />
        </Row>
      )}
    </dl>
  );
}

function Row({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{title}</dt>
      <dd>{children}</dd>
    </div>
  );
}
