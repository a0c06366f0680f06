import type { Position } from '../market/types.js';
import { Sol, Tokens } from '../parts/amounts.js';
import { Picture } from '../parts/art.js';
import { Link } from '../parts/link.js';
import { TokenName } from '../parts/token-name.js';
import { Notice } from '../parts/notice.js';
import { Untraded } from '../parts/untraded.js';
import { words } from '../words/words.js';
import { walletWords } from '../words/wallet-page.js';

const copy = walletWords;

interface HoldingsProps {
  readonly tokens: readonly Position[];
  /** Whether the connected wallet is this one, so that it can sell. */
  readonly own: boolean;
}

export function Holdings({ tokens, own }: HoldingsProps) {
  if (tokens.length === 0) return <Notice title={copy.noHoldings} />;
  return (
    <div className="rows">
      {tokens.some(({ amount }) => amount === null) && <p className="gold small center">{copy.silentNode}</p>}
      <table>
        <thead>
          <tr>
            <th scope="col">{copy.token}</th>
            <th scope="col" className="wide">
              {copy.amount}
            </th>
            <th scope="col" title={copy.valueHint}>
              {copy.value}
            </th>
            <th scope="col" className="wide">
              {copy.cost}
            </th>
            <th scope="col" className="wide">
              {copy.received}
            </th>
            <th scope="col" title={copy.profitHint}>
              {copy.profit}
            </th>
            {own && (
              <th scope="col" className="wide">
                <span className="sr">{words.trade.sell}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {tokens.map(
            ({ mint, name, symbol, image, venue, amount, untraded, value, paid, received, profit }) => (
              <tr key={mint}>
                <td>
                  <div className="tok">
                    <Picture mint={mint} image={image} size={40} />
                    <div className="t">
                      <Link href={`/t/${mint}`}>
                        <TokenName name={name} symbol={symbol} />
                      </Link>
                      <Untraded units={BigInt(untraded ?? 0)} />
                    </div>
                  </div>
                </td>
                <td className="wide">{amount === null ? copy.unknown : <Tokens units={amount} />}</td>
                <td className="strong">
                  {value !== null ? (
                    <Sol lamports={value} />
                  ) : (
                    <span className="muted">{venue === 'graduating' ? copy.closed : copy.unknown}</span>
                  )}
                </td>
                <td className="wide">
                  <Sol lamports={paid} />
                </td>
                <td className="wide">
                  <Sol lamports={received} />
                </td>
                <Profit lamports={profit} />
                {own && (
                  <td className="wide">
                    {value !== null && value !== '0' && (
                      <Link className="btn quiet lesser" href={`/t/${mint}?sell`}>
                        {words.trade.sell}
                      </Link>
                    )}
                  </td>
                )}
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}

function Profit({ lamports }: { readonly lamports: string | null }) {
  if (lamports === null) return <td className="muted last-on-phone">{copy.unknown}</td>;
  const sign = lamports.startsWith('-') ? 'down' : lamports === '0' ? '' : 'up';
  return (
    <td className={`${sign} last-on-phone`}>
      <span>
        {sign === 'up' && '+'}
        <Sol lamports={lamports} unit={false} />
      </span>
    </td>
  );
}
