import { useConfig } from '../config.js';
import { finePercent } from '../format.js';
import type { TokenDetail } from '../market/types.js';
import { words } from '../words/words.js';

const copy = words.tokenPage;
const WHOLE_BPS = 10_000;

/** What happens at graduation, as it is written on chain. */
export default function Community({ token }: { readonly token: TokenDetail }) {
  const { platformFeeBps } = useConfig();
  const { afterMigrationFeeBps, burnBps, holdersBps, lpBps } = token;
  const rows = [
    [copy.community, afterMigrationFeeBps],
    [copy.burn, burnBps],
    [copy.toHolders, holdersBps],
    [copy.toLp, lpBps],
    [copy.toCreator, WHOLE_BPS - burnBps - holdersBps - lpBps],
  ] as const;
  const shown = afterMigrationFeeBps === 0 ? rows.slice(0, 1) : rows;
  return (
    <div className="prose">
      <p>{copy.termsIntro}</p>
      <dl className="facts">
        {[...shown, [copy.fee, platformFeeBps] as const].map(([name, bps]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{finePercent(bps)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
