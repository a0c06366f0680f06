import { memo, useState } from 'react';
import { displayText } from '../format.js';
import type { Page, TokenSummary, Trade } from '../market/types.js';
import type { Load } from '../market/use-load.js';
import type { TokenFeed } from './token-feed.js';
import { useAccount } from '../wallet/store.js';
import { part } from '../part.js';
import { Wallet } from '../parts/address.js';
import { Link } from '../parts/link.js';
import { Ago } from '../parts/ago.js';
import { Sol, Tokens } from '../parts/amounts.js';
import { Failed, Notice } from '../parts/notice.js';
import { words } from '../words/words.js';

const Some = part(() => import('./some-trades.js'), <div className="list-skeleton skeleton" />);
const copy = words.tokenPage;
/** Rows at first, and per click on "Show more". New trades do not increase the number of rows. */
const ROWS = 50;

const FILTERS = ['all', 'mine', 'creator', 'large'] as const;
export type Filter = (typeof FILTERS)[number];

interface TradesProps {
  readonly token: TokenSummary;
  readonly trades: Load<Page<Trade>>;
  readonly feed: TokenFeed;
  readonly onMore: () => Promise<void>;
}

/** All trades as they come, or some of them, or from the oldest on. */
export function Trades({ token, trades, feed, onMore }: TradesProps) {
  const wallet = useAccount()?.address;
  const [filter, setFilter] = useState<Filter>('all');
  const [order, setOrder] = useState<'newest' | 'oldest'>('newest');
  if (trades.data?.items.length === 0) return <Notice title={copy.noTrades} text={copy.noTradesHint} />;
  const offered = FILTERS.filter((each) => each !== 'mine' || wallet !== undefined);
  return (
    <>
      <div className="bar list-bar">
        <div className="tabs fine" role="group" aria-label={copy.whichTrades}>
          {offered.map((each) => (
            <button key={each} type="button" aria-pressed={each === filter} onClick={() => setFilter(each)}>
              {copy.filters[each]}
            </button>
          ))}
        </div>
        <button
          type="button"
          className="link small"
          onClick={() => setOrder(order === 'newest' ? 'oldest' : 'newest')}
        >
          {copy.orders[order]}
        </button>
      </div>
      {filter === 'all' && order === 'newest' ? (
        <TradeList {...{ token, trades, wallet, onMore }} />
      ) : (
        <Some
          key={`${token.mint} ${filter} ${order} ${wallet}`}
          {...{ token, feed, filter, order, wallet }}
        />
      )}
    </>
  );
}

interface ListProps {
  readonly token: TokenSummary;
  readonly trades: Load<Page<Trade>>;
  readonly wallet: string | undefined;
  readonly onMore: () => Promise<void>;
}

export function TradeList({ token, trades, wallet, onMore }: ListProps) {
  const { data, problem } = trades;
  const [shown, setShown] = useState(() => rowsOf(data));
  if (data === undefined) {
    if (problem !== undefined)
      return <Failed title={words.tokenPage.failed} problem={problem} onRetry={trades.reload} />;
    return <div className="list-skeleton skeleton" />;
  }
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
              <TradeRow key={trade.id} trade={trade} own={trade.trader === wallet} />
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
        <Link href={`/r/${signature}`}>
          <Ago at={timestamp} bare />
        </Link>
      </td>
    </tr>
  );
});
