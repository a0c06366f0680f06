import { market } from '../market/api.js';
import { useLoad } from '../market/use-load.js';
import { Ago } from '../parts/ago.js';
import { Sol, Tokens } from '../parts/amounts.js';
import { Failed, Notice } from '../parts/notice.js';
import { Link } from '../parts/link.js';
import { address as shortened } from '../format.js';
import { words } from '../words/words.js';
import { walletWords } from '../words/wallet-page.js';

const copy = walletWords;
const PAGE = 50;

interface WalletTradesProps {
  readonly address: string;
  /** Symbols by mint, as far as they are known. */
  readonly symbols: ReadonlyMap<string, string>;
}

export function WalletTrades({ address, symbols }: WalletTradesProps) {
  const { data, problem, reload, setData } = useLoad(address, (options) =>
    market.walletTrades(address, { limit: PAGE, ...options }),
  );
  if (data === undefined) {
    if (problem !== undefined) return <Failed title={copy.failed} problem={problem} onRetry={reload} />;
    return <div className="list-skeleton skeleton" />;
  }
  if (data.items.length === 0) return <Notice title={copy.noTrades} />;
  const more = async (cursor: string) => {
    const page = await market.walletTrades(address, { limit: PAGE, cursor });
    setData((before) => before && { items: [...before.items, ...page.items], next: page.next });
  };
  const { next } = data;
  return (
    <>
      <div className="list">
        <table>
          <thead>
            <tr>
              <th scope="col">{words.tokenPage.side}</th>
              <th scope="col">{copy.token}</th>
              <th scope="col">SOL</th>
              <th scope="col" className="wide">
                {copy.amount}
              </th>
              <th scope="col">{words.tokenPage.when}</th>
            </tr>
          </thead>
          <tbody>
            {data.items.map(({ id, isBuy, mint, solAmount, tokenAmount, timestamp }) => (
              <tr key={id}>
                <td>
                  <span className={isBuy ? 'side buy' : 'side sell'}>
                    {isBuy ? words.tokenPage.buy : words.tokenPage.sell}
                  </span>
                </td>
                <td>
                  <Link className="mono wallet-link" href={`/t/${mint}`} title={mint}>
                    {symbols.get(mint) ?? shortened(mint)}
                  </Link>
                </td>
                <td className="strong">
                  <Sol lamports={solAmount} unit={false} />
                </td>
                <td className="wide">
                  <Tokens units={tokenAmount} />
                </td>
                <td className="muted">
                  <Ago at={timestamp} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {next !== null && (
        <div className="more">
          <button type="button" className="btn quiet" onClick={() => void more(next)}>
            {words.more}
          </button>
        </div>
      )}
    </>
  );
}
