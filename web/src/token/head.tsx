import { useConfig } from '../config.js';
import { count, stranger } from '../format.js';
import { market } from '../market/api.js';
import type { Liveness } from '../market/stream.js';
import type { TokenDetail } from '../market/types.js';
import { useLoad } from '../market/use-load.js';
import { CopyAddress } from '../parts/address.js';
import { Ago } from '../parts/ago.js';
import { Change, Sol } from '../parts/amounts.js';
import { Picture } from '../parts/art.js';
import { StrangersLink } from '../parts/link.js';
import { Live } from '../parts/live.js';
import { words } from '../words/words.js';

const copy = words.tokenPage;
const LINKS = ['website', 'x', 'telegram', 'discord'] as const;

interface HeadProps {
  readonly token: TokenDetail;
  readonly liveness: Liveness | undefined;
}

export function Head({ token, liveness }: HeadProps) {
  const { explorer } = useConfig();
  const { mint, links } = token;
  const holders = useLoad(mint, (options) => market.holders(mint, { limit: 50, ...options }));
  return (
    <div className="head">
      <Picture mint={mint} image={token.image} size={64} />
      <div className="head-names">
        <h1>
          {stranger(token.name)} <span className="muted">{stranger(token.symbol)}</span>
        </h1>
        <div className="sub">
          <CopyAddress address={mint} what={copy.address} />
          <Ago at={token.createdAt} />
          {LINKS.map(
            (name) =>
              links[name] !== null && (
                <StrangersLink key={name} href={links[name]}>
                  {copy.links[name]}
                </StrangersLink>
              ),
          )}
          {explorer !== null && (
            <a
              className="link"
              href={explorer.replace('{path}', `address/${mint}`)}
              target="_blank"
              rel="noreferrer"
            >
              {copy.explorer} ↗
            </a>
          )}
          <Live of={liveness} />
        </div>
      </div>
      <dl className={liveness === 'away' || liveness === 'late' ? 'stats stale' : 'stats'}>
        <div className="lead">
          <dt>{copy.marketCap}</dt>
          <dd data-testid="cap">
            <Sol lamports={token.marketCap} />
          </dd>
        </div>
        <div>
          <dt>{copy.change}</dt>
          <dd>
            <Change bps={token.change24hBps} />
          </dd>
        </div>
        <div>
          <dt>{copy.volume}</dt>
          <dd>
            <Sol lamports={token.volume24h} />
          </dd>
        </div>
        <div>
          <dt>{copy.holders}</dt>
          <dd>{holders.data === undefined ? '—' : count(holders.data.total)}</dd>
        </div>
      </dl>
    </div>
  );
}
