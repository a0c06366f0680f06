import { stranger } from '../format.js';
import type { Position } from '../market/types.js';
import { Sol, Tokens } from '../parts/amounts.js';
import { Picture } from '../parts/art.js';
import { Link } from '../parts/link.js';
import { Notice } from '../parts/notice.js';
import { walletWords } from '../words/wallet-page.js';

const copy = walletWords;

export function Holdings({ tokens }: { readonly tokens: readonly Position[] }) {
  if (tokens.length === 0) return <Notice title={copy.noHoldings} />;
  return (
    <div className="rows">
      <table>
        <thead>
          <tr>
            <th scope="col">{copy.token}</th>
            <th scope="col" className="wide">
              {copy.amount}
            </th>
            <th scope="col">{copy.value}</th>
            <th scope="col" className="wide">
              {copy.cost}
            </th>
            <th scope="col" className="wide">
              {copy.received}
            </th>
            <th scope="col">{copy.profit}</th>
          </tr>
        </thead>
        <tbody>
          {tokens.map(({ mint, name, symbol, image, amount, value, paid, received, profit }) => (
            <tr key={mint}>
              <td>
                <div className="tok">
                  <Picture mint={mint} image={image} size={40} />
                  <div className="t">
                    <Link href={`/t/${mint}`}>
                      <b>{stranger(name)}</b> <span className="muted">{stranger(symbol)}</span>
                    </Link>
                  </div>
                </div>
              </td>
              <td className="wide">
                <Tokens units={amount} />
              </td>
              <td className="strong">
                <Sol lamports={value} />
              </td>
              <td className="wide">
                <Sol lamports={paid} />
              </td>
              <td className="wide">
                <Sol lamports={received} />
              </td>
              <td className={profit.startsWith('-') ? 'down last-on-phone' : 'up last-on-phone'}>
                {profit.startsWith('-') ? '' : '+'}
                <Sol lamports={profit} unit={false} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
