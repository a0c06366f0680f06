import { useConfig } from '../config.js';
import { TokenCurve } from '../curve/token-curve.js';
import type { TokenDetail } from '../market/types.js';
import { graduationWords as copy } from '../words/graduation.js';

/** Shown when the curve is sold out and its pool is not open yet, or when the operator manages its liquidity. */
export default function Moved({ token }: { readonly token: TokenDetail }) {
  const { graduation } = useConfig();
  const { venue, migration } = token;
  const url = migration?.url ?? null;
  return (
    <>
      <div className="curvebox" data-testid="moved">
        <TokenCurve token={token} height={128} />
      </div>
      <p className="alert warn" role="status">
        {venue === 'unknown' ? copy.movedUnknown : copy.graduating[graduation]}
      </p>
      {url !== null && /^https:\/\//.test(url) && (
        <a className="btn quiet" href={url} target="_blank" rel="noreferrer noopener">
          {copy.market} ↗
        </a>
      )}
    </>
  );
}
