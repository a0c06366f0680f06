import { percent } from '../format.js';
import { orderWords as copy } from '../words/order.js';
import type { Side } from './quote.js';
import { isBusy, type Order } from './use-order.js';

interface ActionProps {
  readonly side: Side;
  readonly symbol: string;
  readonly order: Order;
  readonly isReady: boolean;
  /** Whether an earlier trade may still be unfinished. */
  readonly isWaiting: boolean;
  /** The large price impact in basis points that the user has accepted, so that the next click trades. */
  readonly accepted: number | undefined;
  readonly onPress: () => void;
}

export function Action({ side, symbol, order, isReady, isWaiting, accepted, onPress }: ActionProps) {
  const busy = isBusy(order);
  return (
    <>
      {accepted !== undefined && !busy && (
        <p className="alert warn" role="alert">
          {copy.impactSecond(percent(accepted))}
        </p>
      )}
      <button
        className={side === 'buy' ? 'btn primary big' : 'btn sellside big'}
        disabled={!isReady || busy || isWaiting}
        onClick={onPress}
        data-testid="submit"
      >
        {busy ? copy[order.at as 'preparing' | 'signing' | 'sending'] : titleOf({ side, symbol, accepted })}
      </button>
    </>
  );
}

function titleOf({ side, symbol, accepted }: Pick<ActionProps, 'side' | 'symbol' | 'accepted'>): string {
  return accepted === undefined ? copy.button[side](symbol) : copy.again[side];
}
