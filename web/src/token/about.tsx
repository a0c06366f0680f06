import { useConfig } from '../config.js';
import { displayText, finePercent, when } from '../format.js';
import type { TokenDetail } from '../market/types.js';
import { CopyAddress, Wallet } from '../parts/address.js';
import { StrangersLink } from '../parts/link.js';
import { detailWords as details } from '../words/token-details.js';
import { words } from '../words/words.js';

const copy = words.tokenPage;
const LINKS: readonly (keyof TokenDetail['links'])[] = ['website', 'x', 'telegram', 'discord'];

/** The creator's description, marked as such. */
export default function About({ token }: { readonly token: TokenDetail }) {
  const { description, links, creator, createdAt, mint, uri, metadata } = token;
  const given = LINKS.flatMap((key) => (links[key] === null ? [] : [[key, links[key]] as const]));
  return (
    <div className="prose">
      {description === null ? (
        <p className="muted">{details.noDescription}</p>
      ) : (
        <>
          <p className="description" dir="auto">
            {description
              .split('\n')
              .map((line) => (line.trim() === '' ? '' : displayText(line)))
              .join('\n')}
          </p>
          <p className="muted small">{details.byCreator}</p>
        </>
      )}
      {given.length > 0 && (
        <ul className="links">
          {given.map(([key, href]) => (
            <li key={key}>
              <StrangersLink href={href}>{copy.links[key]}</StrangersLink>
            </li>
          ))}
        </ul>
      )}
      <dl className="facts">
        <div>
          <dt>{details.creator}</dt>
          <dd>
            <Wallet address={creator} />
            <Earns share={token.feeShare} />
          </dd>
        </div>
        <div>
          <dt>{details.created}</dt>
          <dd>{when(createdAt)}</dd>
        </div>
        <div>
          <dt>{details.mint}</dt>
          <dd>
            <CopyAddress address={mint} what={copy.address} />
          </dd>
        </div>
        <div>
          <dt>{details.metadata}</dt>
          <dd className="break small muted">
            <bdi>{displayText(uri)}</bdi>
            <Reading {...metadata} />
          </dd>
        </div>
      </dl>
    </div>
  );
}

/** Who earns from the fees, when anybody does. */
function Earns({ share: { bps, kind, wallets } }: { readonly share: TokenDetail['feeShare'] }) {
  const { platformFeeBps } = useConfig();
  if (bps === 0) return null;
  const part = finePercent((platformFeeBps * bps) / 10_000);
  return <p className="small muted">{details.earns[kind](part, wallets.length)}</p>;
}

/** For the creator: what became of the metadata. */
function Reading({ fetched, problem, retryAt }: TokenDetail['metadata']) {
  if (fetched && problem === null) return null;
  return (
    <p className="gold" data-testid="metadata">
      {fetched && problem !== null ? details.incomplete(displayText(problem)) : details.notFetched}{' '}
      {retryAt !== null && details.again(when(retryAt))}
    </p>
  );
}
