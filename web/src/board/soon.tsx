import { memo } from 'react';
import { useConfig } from '../config.js';
import { Dollars } from '../dollars.js';
import { TokenCurve } from '../curve/token-curve.js';
import { percent, displayText } from '../format.js';
import { lamportsToGraduation } from '../market/progress.js';
import type { TokenSummary } from '../market/types.js';
import { Change, Sol } from '../parts/amounts.js';
import { Picture } from '../parts/art.js';
import { Link } from '../parts/link.js';
import { boardWords } from '../words/board.js';

const copy = boardWords;
/** From this part of the curve on, a token is about to graduate. */
const SOON_BPS = 7_500;

/** The tokens closest to graduation. */
export function Soon({ tokens }: { readonly tokens: readonly TokenSummary[] }) {
  if (tokens.length === 0) return null;
  return (
    <ul className={tokens.length === 1 ? 'soon one' : 'soon'} aria-label={copy.closest}>
      {tokens.map((token) => (
        <li key={token.mint}>
          <Link className="card soon-card" href={`/t/${token.mint}`}>
            <SoonCard token={token} />
          </Link>
        </li>
      ))}
    </ul>
  );
}

export const SoonCard = memo(function SoonCard({ token }: { readonly token: TokenSummary }) {
  const { graduationVirtualToken } = useConfig();
  const left = <Sol lamports={lamportsToGraduation(token, graduationVirtualToken)} flash={false} />;
  return (
    <>
      <Picture mint={token.mint} image={token.image} size={52} />
      <div className="clipped">
        <div className="name">
          <bdi>{displayText(token.name)}</bdi>
        </div>
        <div className="sub">
          <span className="muted">
            <bdi>{displayText(token.symbol)}</bdi> ·{' '}
          </span>
          <Change bps={token.change24hBps} />
        </div>
      </div>
      <div className="cap">
        <Sol lamports={token.marketCap} />
        <small>
          <Dollars lamports={token.marketCap} suffix=" " />
          {copy.marketCap}
        </small>
      </div>
      <TokenCurve token={token} height={84} isDecoration />
      <div className="facts">
        {token.progressBps >= SOON_BPS ? (
          <span className="gold">
            {copy.soon}: {left}
          </span>
        ) : (
          <span>
            <span className="strong">{left}</span> {copy.toGraduation}
          </span>
        )}
        <span>
          <span className="strong">{percent(token.progressBps)}</span> {copy.sold}
        </span>
      </div>
    </>
  );
});
