import { useEffect, useState } from 'react';
import { useConfig } from '../config.js';
import { address, isNoChange, percent, sol } from '../format.js';
import { orderWords as copy } from '../words/order.js';
import { Link } from '../parts/link.js';
import { Faucet } from '../wallet/faucet.js';
import type { PendingLook } from './pending.js';
import { whatOf } from './traded-text.js';
import { isBusy, type Order } from './use-order.js';
import type { Traded } from '../chain/types.js';
import type { Quote } from './quote.js';

const LOOK_AT_WALLET_MS = 20_000;

interface OrderStatusProps {
  readonly order: Order;
  readonly last: PendingLook;
  readonly symbol: string;
  readonly wallet: string | undefined;
  /** Trades once more, at a new quote. */
  readonly onAgain: () => void;
}

export function OrderStatus({ order, last, symbol, wallet, onAgain }: OrderStatusProps) {
  return (
    <>
      <div role="status" data-testid="progress" data-at={order.at}>
        <Progress order={order} symbol={symbol} />
      </div>
      {order.at === 'failed' && <Failure order={order} wallet={wallet} onAgain={onAgain} />}
      {last.pending !== undefined && !isBusy(order) && (
        <div className="alert warn" role="status" data-testid="pending">
          <strong>{copy.unknown}</strong> {copy.unknownHint(address(last.pending.signature))}
          {last.forget !== undefined && (
            <button type="button" className="btn quiet lesser" onClick={last.forget}>
              {copy.forget}
            </button>
          )}
        </div>
      )}
      {last.resolved !== undefined && last.pending === undefined && order.at !== 'done' && (
        <p
          className={last.resolved === 'succeeded' ? 'alert good' : 'alert'}
          role="status"
          data-testid="resolved"
        >
          {resolutionOf(last.resolved)}
        </p>
      )}
    </>
  );
}

function Progress({ order, symbol }: Pick<OrderStatusProps, 'order' | 'symbol'>) {
  const [isLate, setIsLate] = useState(false);
  const { at } = order;
  useEffect(() => {
    setIsLate(false);
    if (at !== 'signing') return undefined;
    const timer = setTimeout(() => setIsLate(true), LOOK_AT_WALLET_MS);
    return () => clearTimeout(timer);
  }, [at]);
  if (order.at === 'done') {
    const { traded, quote, finalized } = order;
    const { signature } = traded;
    const what = whatOf(traded, symbol);
    return (
      <p className="alert good" data-testid="done" data-signature={signature}>
        <strong>{what}</strong> · {sol(traded.solAmount)} SOL · {comparedWith(quote, traded)} ·{' '}
        {finalized ? copy.finalized : copy.confirmed}{' '}
        <span className="mono" title={signature}>
          {address(signature)}
        </span>{' '}
        <Link className="link" href={`/r/${signature}`}>
          {copy.receipt}
        </Link>
      </p>
    );
  }
  if (isLate) return <p className="alert warn">{copy.look}</p>;
  return isBusy(order) ? <span className="sr">{copy[at as 'preparing']}</span> : null;
}

/** How much more or less the trader got than the quote said, for what the trade took. */
function comparedWith(quote: Quote, { side, solAmount, tokenAmount }: Traded): string {
  const [got, spent] = side === 'buy' ? [tokenAmount, solAmount] : [solAmount, tokenAmount];
  const [quoted, cost] = side === 'buy' ? [quote.token, quote.sol] : [quote.sol, quote.token];
  const bps = Number((got * cost * 10_000n) / (quoted * spent)) - 10_000;
  if (isNoChange(bps)) return copy.asQuoted;
  return bps > 0 ? copy.better(percent(bps)) : copy.worse(percent(-bps));
}

interface FailureProps extends Pick<OrderStatusProps, 'wallet' | 'onAgain'> {
  readonly order: Order & { readonly at: 'failed' };
}

function Failure({ order: { problem }, wallet, onAgain }: FailureProps) {
  const { faucet } = useConfig();
  return (
    <div className="alert" role="alert" data-testid="problem" data-kind={problem.kind}>
      <p>{problem.text}</p>
      {problem.kind === 'no-sol' && faucet && wallet !== undefined && <Faucet address={wallet} />}
      {problem.kind === 'slippage' && (
        <button type="button" className="btn quiet lesser" onClick={onAgain}>
          {copy.newQuote}
        </button>
      )}
    </div>
  );
}

function resolutionOf(resolved: NonNullable<PendingLook['resolved']>): string {
  if (resolved === 'succeeded') return copy.resolvedOk;
  return resolved === 'failed' ? copy.resolvedFailed : copy.resolvedExpired;
}
