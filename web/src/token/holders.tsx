import { useConfig } from '../config.js';
import { percent } from '../format.js';
import type { TokenSummary } from '../market/types.js';
import { shareText, togetherBps } from './shares.js';
import { isPerson, useHolders } from './use-holders.js';
import { Wallet } from '../parts/address.js';
import { useAccount } from '../wallet/store.js';
import { Tokens } from '../parts/amounts.js';
import { Failed, Notice } from '../parts/notice.js';
import { detailWords as details } from '../words/token-details.js';
import { words } from '../words/words.js';

const copy = words.tokenPage;
const TEN = 10;

export default function Holders({ token }: { readonly token: TokenSummary }) {
  const { supply } = useConfig();
  const account = useAccount();
  const { data, problem, reload } = useHolders(token);
  if (data === undefined) {
    if (problem !== undefined) return <Failed title={copy.failed} problem={problem} onRetry={reload} />;
    return <div className="list-skeleton skeleton" />;
  }
  if (data.items.length === 0) return <Notice title={details.noHolders} />;
  const people = data.items.filter(isPerson).slice(0, TEN);
  const together = togetherBps(people, BigInt(supply));
  return (
    <div className="list">
      {people.length > 0 && (
        <p className="muted small first-ten">{details.firstHold(people.length, shareText(together))}</p>
      )}
      <table>
        <thead>
          <tr>
            <th scope="col">{details.wallet}</th>
            <th scope="col">{details.amount}</th>
            <th scope="col">{details.share}</th>
          </tr>
        </thead>
        <tbody>
          {data.items.map(({ wallet, amount, shareBps, is }) => (
            <tr key={wallet} className={wallet === account?.address ? 'own' : undefined}>
              <td>
                <Wallet address={wallet} own={wallet === account?.address} />
                {is !== null && <span className="tag">{details.is[is]}</span>}
              </td>
              <td>
                <Tokens units={amount} />
              </td>
              <td className="share">
                <meter min={0} max={10_000} value={shareBps} aria-label={details.share} />
                {percent(shareBps)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
