import { Dollars } from '../dollars.js';
import { count, displayText } from '../format.js';
import type { Liveness } from '../market/stream.js';
import type { TokenDetail } from '../market/types.js';
import { CopyAddress } from '../parts/address.js';
import { Ago } from '../parts/ago.js';
import { Change, Sol } from '../parts/amounts.js';
import { Picture } from '../parts/art.js';
import { ExplorerLink, StrangersLink } from '../parts/link.js';
import { Live } from '../parts/live.js';
import { Star } from '../parts/star.js';
import { words } from '../words/words.js';
import { Safety } from './safety.js';
import { useHolders } from './use-holders.js';

const copy = words.tokenPage;
const LINKS = ['website', 'x', 'telegram', 'discord'] as const;

interface HeadProps {
  readonly token: TokenDetail;
  readonly liveness: Liveness | undefined;
}

export function Head({ token, liveness }: HeadProps) {
  const { mint, links } = token;
  const holders = useHolders(token);
  return (
    <div className="head">
      <Picture mint={mint} image={token.image} size={64} />
      <div className="head-names">
        <h1>
          <bdi>{displayText(token.name)}</bdi>{' '}
          <span className="muted">
            <bdi>{displayText(token.symbol)}</bdi>
          </span>
        </h1>
        <div className="sub">
          <CopyAddress address={mint} what={copy.address} />
          <Star mint={mint} name={displayText(token.name)} />
          <Ago at={token.createdAt} />
          {LINKS.map(
            (name) =>
              links[name] !== null && (
                <StrangersLink key={name} href={links[name]}>
                  {copy.links[name]}
                </StrangersLink>
              ),
          )}
          <ExplorerLink path={`address/${mint}`} />
          <Live of={liveness} />
          <Same token={token} />
        </div>
        <Safety token={token} holders={holders.data} />
      </div>
      <dl className={liveness === 'away' || liveness === 'late' ? 'stats stale' : 'stats'}>
        <div className="lead">
          <dt>
            {copy.marketCap}
            <Dollars lamports={token.marketCap} prefix=" · " />
          </dt>
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
          <dd>{holders.data === undefined ? '—' : count(holders.data.people)}</dd>
        </div>
      </dl>
    </div>
  );
}

/** Anybody can launch a token with any name: only the address tells them apart. */
function Same({ token: { name, symbol, same } }: { readonly token: TokenDetail }) {
  if (same.names === 0 && same.symbols === 0) return null;
  const text =
    same.names > 0
      ? copy.sameNames(same.names, displayText(name))
      : copy.sameSymbols(same.symbols, displayText(symbol));
  return (
    <span className="gold" title={copy.sameHint} data-testid="same">
      {text}
    </span>
  );
}
