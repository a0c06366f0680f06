import { memo, useState } from 'react';
import { displayText } from '../format.js';
import type { Page, TokenSummary, Trade } from '../market/types.js';
import type { Load } from '../market/use-load.js';
import { useAccount } from '../wallet/store.js';
import { Wallet } from '../parts/address.js';
import { Ago } from '../parts/ago.js';
import { Sol, Tokens } from '../parts/amounts.js';
import { Failed, Notice } from '../parts/notice.js';
import { words } from '../words/words.js';

const copy = words.tokenPage;
/** Rows at first, and per click on "Show more". New trades do not increase the number of rows. */
const ROWS = 50;

interface TradesProps {
  readonly token: TokenSummary;
  readonly trades: Load<Page<Trade>>;
  readonly onMore: () => Promise<void>;
}

export function Trades({ token, trades, onMore }: TradesProps) {
  const account = useAccount();
  const { data, problem } = trades;
  const [shown, setShown] = useState(() => rowsOf(data));
  if (data === undefined) {
    if (problem !== undefined)
      return <Failed title={words.tokenPage.failed} problem={problem} onRetry={trades.reload} />;
    return <div className="list-skeleton skeleton" />;
  }
  if (data.items.length === 0) return <Notice title={copy.noTrades} text={copy.noTradesHint} />;
  return (
    <>
      <div className="list">
        <table>
          <thead>
            <tr>
              <th scope="col">{copy.side}</th>
              <th scope="col">SOL</th>
              <th scope="col" className="wide">
                <bdi>{displayText(token.symbol)}</bdi>
              </th>
              <th scope="col">{copy.trader}</th>
              <th scope="col">{copy.when}</th>
            </tr>
          </thead>
          <tbody data-testid="trades">
            {data.items.slice(0, shown).map((trade) => (
              <TradeRow key={trade.id} trade={trade} own={trade.trader === account?.address} />
            ))}
          </tbody>
        </table>
      </div>
      {(data.next !== null || data.items.length > shown) && (
        <div className="more">
          <button
            type="button"
            className="btn quiet"
            onClick={() => {
              setShown(shown + ROWS);
              if (data.items.length < shown + ROWS) void onMore();
            }}
          >
            {words.more}
          </button>
        </div>
      )}
    </>
  );
}

/** As many rows as were shown when the list was left. */
const rowsOf = (data: Page<Trade> | undefined) =>
  Math.max(ROWS, Math.floor((data?.items.length ?? 0) / ROWS) * ROWS);

interface TradeRowProps {
  readonly trade: Trade;
  readonly own: boolean;
}

const TradeRow = memo(function TradeRow({ trade, own }: TradeRowProps) {
  const { isBuy, signature, solAmount, tokenAmount, trader, timestamp } = trade;
  return (
    <tr data-signature={signature} className={own ? 'own' : undefined}>
      <td>
        <span className={isBuy ? 'side buy' : 'side sell'}>{isBuy ? copy.buy : copy.sell}</span>
      </td>
      <td className="strong">
        <Sol lamports={solAmount} unit={false} />
      </td>
      <td className="wide">
        <Tokens units={tokenAmount} />
      </td>
      <td>
        <Wallet address={trader} own={own} />
      </td>
      <td className="muted">
        <Ago at={timestamp} bare />
      </td>
    </tr>
  );
});
