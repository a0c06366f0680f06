import { TokenCurve } from '../curve/token-curve.js';
import { stranger } from '../format.js';
import type { TokenDetail } from '../market/types.js';
import { words } from '../words/words.js';
import { OrderStatus } from './order-status.js';
import type { PendingLook } from './pending.js';
import type { Order } from './use-order.js';

interface MovedProps {
  readonly token: TokenDetail;
  readonly order: Order;
  readonly last: PendingLook;
}

/** The curve is sold out, and its pool is not open yet, or is the operator's business. */
export function Moved({ token, order, last }: MovedProps) {
  const { venue, migration } = token;
  const url = migration?.url ?? null;
  return (
    <div className="trade-form" data-testid="moved">
      <div className="curvebox">
        <TokenCurve token={token} height={128} />
      </div>
      <p className="alert warn" role="status">
        {venue === 'unknown' ? words.tokenPage.movedUnknown : words.tokenPage.graduating}
      </p>
      {url !== null && /^https:\/\//.test(url) && (
        <a className="btn quiet" href={url} target="_blank" rel="noreferrer noopener">
          {words.tokenPage.market} ↗
        </a>
      )}
      <OrderStatus
        order={order}
        last={last}
        symbol={stranger(token.symbol)}
        isStale={false}
        wallet={undefined}
      />
    </div>
  );
}
