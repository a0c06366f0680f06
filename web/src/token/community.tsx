import { useConfig } from '../config.js';
import { finePercent } from '../format.js';
import type { TokenDetail } from '../market/types.js';
import { detailWords as details } from '../words/token-details.js';

const WHOLE_BPS = 10_000;

/** The token's on-chain terms for graduation. */
export default function Community({ token }: { readonly token: TokenDetail }) {
  const { platformFeeBps, graduation } = useConfig();
  const { afterMigrationFeeBps, burnBps, holdersBps, lpBps } = token;
  const rows = [
    [details.community, afterMigrationFeeBps],
    [details.burn, burnBps],
    [details.toHolders, holdersBps],
    [details.toLp, lpBps],
    [details.toCreator, WHOLE_BPS - burnBps - holdersBps - lpBps],
  ] as const;
  const shown = afterMigrationFeeBps === 0 ? rows.slice(0, 1) : rows;
  return (
    <div className="prose">
      <p>
        {details.graduates[graduation]} {details.communityIntro}
      </p>
      <dl className="facts">
        {[...shown, [details.fee, platformFeeBps] as const].map(([name, bps]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{finePercent(bps)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
