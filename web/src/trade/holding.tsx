// What the connected wallet holds of the token, what a sale of all of it pays now, and its result since its first trade.
import { useEffect, useMemo, useRef } from 'react';
import { positionOf, type TradedSums } from '@curvekit/sdk/quotes';
import { useConfig } from '../config.js';
import { change } from '../format.js';
import { market as service } from '../market/api.js';
import type { Trade } from '../market/types.js';
import { useLoad } from '../market/use-load.js';
import { Sol, Tokens } from '../parts/amounts.js';
import { isDust, Untraded } from '../parts/untraded.js';
import { holdingWords as copy } from '../words/trade-details.js';
import { walletWords } from '../words/wallet-page.js';
import { amountText, TOKEN_DECIMALS } from './amount-text.js';
import { evenCap } from './even-cap.js';
import { showEven } from './even.js';
import { sdkMarket, type QuotedMarket } from './quote.js';
import type { Form } from './use-form.js';

/** The index usually has a trade of another window, or of another program, within a second. */
const INDEXED_MS = 3_000;

/** The most positions of an answer. */
const MOST_LISTED = 200;

interface HoldingProps {
  readonly wallet: string;
  readonly mint: string;
  /** Token base units in the wallet's associated account. */
  readonly held: bigint;
  readonly market: QuotedMarket;
  /** Own trades that the index does not have yet. */
  readonly pending: readonly Trade[];
  readonly form: Form;
}

export default function Holding({ wallet, mint, held, market, pending, form }: HoldingProps) {
  const { traded, isBehind } = useTraded(wallet, mint, held, pending);
  const { saleValue, untraded, profit } = positionOf(sdkMarket(market), held, traded ?? NOTHING);
  const isAllTraded = isDust(untraded);
  // Right after a trade the balance can be older than the trade.
  const isKnown = traded !== undefined && (isAllTraded || !isBehind);
  const { supply } = useConfig();
  const { paid = 0n, received = 0n } = traded ?? {};
  const even = useMemo(
    () => (isKnown && isAllTraded ? evenCap(market, held, { paid, received }, BigInt(supply)) : undefined),
    // Trades of others move along the same curve, so they do not change it.
    [market.venue, isKnown, isAllTraded, held, paid, received, supply],
  );
  useEffect(() => showEven(mint, even), [mint, even]);
  useEffect(() => () => showEven(mint, undefined), [mint]);
  const sellAll = () => form.set({ side: 'sell', unit: 'token', text: amountText(held, TOKEN_DECIMALS) });
  return (
    <div className="holding small" data-testid="holding">
      <div className="foot-row">
        <span>
          {copy.hold} <Tokens units={held} /> · {copy.sells} <Sol lamports={saleValue ?? 0n} />
        </span>
        <button type="button" className="link" onClick={sellAll}>
          {copy.sellAll}
        </button>
      </div>
      {isKnown && profit !== null && traded.paid > 0n && (
        <div className="muted" title={walletWords.profitHint}>
          {copy.paid} <Sol lamports={traded.paid} unit={false} />
          {traded.received > 0n && (
            <>
              {' · '}
              {copy.received} <Sol lamports={traded.received} unit={false} />
            </>
          )}
          {' · '}
          <span className={profit < 0n ? 'down' : profit > 0n ? 'up' : undefined} data-testid="profit">
            {profit > 0n && '+'}
            <Sol lamports={profit} /> ({change(Number((profit * 10_000n) / traded.paid))})
          </span>
        </div>
      )}
      {isKnown && <Untraded units={untraded} />}
    </div>
  );
}

const NOTHING: TradedSums = { tokenAmount: 0n, paid: 0n, received: 0n };

/** The sums of the wallet's trades, also of those that the service's sums lack. Without sums until the service has answered. */
function useTraded(
  wallet: string,
  mint: string,
  held: bigint,
  pending: readonly Trade[],
): { readonly traded?: TradedSums; readonly isBehind: boolean } {
  const { data, reload } = useLoad(wallet, (options) => service.wallet(wallet, options));
  const own = pending.filter(({ trader }) => trader === wallet);
  /** The sums lack an own trade until they are read again, even if the index has it. */
  const read = useRef({ data, held, trades: own });
  if (read.current.data !== data) read.current = { data, held, trades: [] };
  const earlier = read.current.trades.filter((one) =>
    own.every(({ signature }) => signature !== one.signature),
  );
  const trades = (read.current.trades = [...own, ...earlier]);
  const isBehind = trades.length > 0 || held !== read.current.held;
  useEffect(() => {
    if (own.length > 0) return undefined;
    const timer = setTimeout(reload, INDEXED_MS);
    return () => clearTimeout(timer);
  }, [held, own.length, reload]);
  if (data === undefined) return { isBehind };
  const position = data.tokens.find((one) => one.mint === mint);
  // The service lists only those worth the most.
  if (position === undefined && data.tokens.length >= MOST_LISTED) return { isBehind };
  const { traded = 0, paid = 0, received = 0 } = position ?? {};
  const known = { tokenAmount: BigInt(traded), paid: BigInt(paid), received: BigInt(received) };
  return { traded: trades.reduce(withTrade, known), isBehind };
}

function withTrade({ tokenAmount, paid, received }: TradedSums, trade: Trade): TradedSums {
  const [sol, units] = [BigInt(trade.solAmount), BigInt(trade.tokenAmount)];
  return trade.isBuy
    ? { tokenAmount: tokenAmount + units, paid: paid + sol, received }
    : { tokenAmount: tokenAmount - units, paid, received: received + sol };
}
