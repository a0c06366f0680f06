import { memo } from 'react';
import { count, displayText, percent } from '../format.js';
import { Dollars } from '../dollars.js';
import type { TokenPrices } from '@curvekit/sdk/market';
import type { TokenSummary } from '../market/types.js';
import { Wallet } from '../parts/address.js';
import { Ago } from '../parts/ago.js';
import { Change, Sol } from '../parts/amounts.js';
import { Picture } from '../parts/art.js';
import { Link } from '../parts/link.js';
import { TokenName } from '../parts/token-name.js';
import { Star } from '../parts/star.js';
import { words } from '../words/words.js';
import { boardWords as copy } from '../words/board.js';
import { clusterNow } from '../now.js';
import { Spark } from './spark.js';
import type { Tab } from './use-board.js';
import { inWindow, SECONDS, usePrices, type Window } from './use-prices.js';

const QUICK_BUY = '0.1';

interface TableProps {
  readonly tokens: readonly TokenSummary[];
  /** The order of the list, and a function that changes it. A wallet's list has one order. */
  readonly tab?: Tab;
  readonly onTab?: ((tab: Tab) => void) | undefined;
  readonly window?: Window;
}

export function TokenTable({ tokens, tab, onTab, window = '24h' }: TableProps) {
  const prices = usePrices(tokens);
  const { columns } = copy;
  /** A head that orders the list by its column. */
  const sorting = (by: Tab, title: string, className?: string) => (
    <th scope="col" className={className} aria-sort={tab === by ? 'descending' : undefined}>
      {onTab === undefined ? (
        title
      ) : (
        <button type="button" onClick={() => onTab(by)}>
          {title}
        </button>
      )}
    </th>
  );
  return (
    <div className="rows">
      <table>
        <thead>
          <tr>
            {sorting('new', columns.token)}
            <th scope="col" className="wide">
              {columns.spark}
            </th>
            {sorting('top', columns.cap)}
            <th scope="col">{copy.windows[window]}</th>
            {window === '24h' ? (
              sorting('trending', columns.volume, 'wide')
            ) : (
              <th scope="col" className="wide">
                {columns.volumeOf(copy.windows[window])}
              </th>
            )}
            {sorting('active', columns.last, 'wide2')}
            <th scope="col" className="wide">
              <span className="sr">{words.trade.buy}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {tokens.map((token) => (
            <Row key={token.mint} token={token} prices={prices.get(token.mint)} window={window} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowProps {
  readonly token: TokenSummary;
  readonly prices: TokenPrices | undefined;
  readonly window: Window;
}

const Row = memo(function Row({ token, prices, window }: RowProps) {
  const { mint, symbol, lastTradeAt, trades, progressBps } = token;
  const moved = inWindow(token, prices, window);
  return (
    <tr data-mint={mint}>
      <td>
        <TokenCell token={token} />
      </td>
      <td className="wide spark-cell">
        {prices !== undefined && <Spark caps={[...prices.spark.slice(0, -1), token.marketCap]} />}
      </td>
      <td>
        <span className="strong">
          <Sol lamports={token.marketCap} />
        </span>
        <small>
          <Dollars lamports={token.marketCap} />
          <span className="how-far">{statusOf(token)}</span>
        </small>
        {token.status === 'trading' && (
          <span className="progress">
            <span style={{ width: `${progressBps / 100}%` }} />
          </span>
        )}
      </td>
      <td className="last-on-phone">
        <Change bps={moved?.change ?? null} />
        {clusterNow() - token.createdAt < SECONDS[window] && (
          <small className="wide">{copy.sinceLaunch}</small>
        )}
      </td>
      <td className="wide">
        {moved !== undefined && <Sol lamports={moved.volume} flash={false} />}
        <small>{copy.trades(trades, count(trades))}</small>
      </td>
      <td className="wide2 muted">{lastTradeAt === null ? copy.never : <Ago at={lastTradeAt} />}</td>
      <td className="wide">
        {token.venue !== 'unknown' && (
          <Link
            className="btn quiet lesser buy"
            href={`/t/${mint}?buy=${QUICK_BUY}`}
            aria-label={`${copy.trade} ${displayText(symbol)}`}
          >
            {copy.trade}
          </Link>
        )}
      </td>
    </tr>
  );
});

function TokenCell({ token }: { readonly token: TokenSummary }) {
  const { mint, image, name, symbol, creator, createdAt } = token;
  return (
    <div className="tok">
      <Star mint={mint} name={displayText(name)} />
      <Picture mint={mint} image={image} size={36} />
      <div className="t">
        <Link href={`/t/${mint}`}>
          <TokenName name={name} symbol={symbol} />
        </Link>
        <small>
          <span className="symbol">
            <bdi>{displayText(symbol)}</bdi> ·{' '}
          </span>
          <Ago at={createdAt} />
          <span className="creator">
            {' '}
            · {copy.by} <Wallet address={creator} />
          </span>
        </small>
      </div>
    </div>
  );
}

function statusOf({ venue, status, progressBps }: TokenSummary): string {
  if (venue === 'pool') return copy.pool;
  if (venue === 'graduating') return copy.graduating;
  if (status !== 'trading') return copy.graduated;
  return `${percent(progressBps)} ${copy.sold}`;
}
