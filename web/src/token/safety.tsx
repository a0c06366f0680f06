// What nobody can do with the token, who holds most of it, and what its creator did.
import { useState } from 'react';
import { useConfig } from '../config.js';
import type { TokenDetail } from '../market/types.js';
import { part } from '../part.js';
import { words } from '../words/words.js';
import { shareBps, shareText, togetherBps } from './shares.js';
import { isPerson, MOST_HOLDERS, type useHolders } from './use-holders.js';

const Checked = part(() => import('./checked.js'));
const copy = words.tokenPage.safety;
const TEN = 10;
/** From this share on it is told in red. */
const HALF_BPS = 5_000;
/** Takes the place of a share until the holders are read, so that the lines stay. */
const UNKNOWN = '…';

interface SafetyProps {
  readonly token: TokenDetail;
  readonly holders: ReturnType<typeof useHolders>['data'];
}

export function Safety({ token, holders }: SafetyProps) {
  const { supply, graduation } = useConfig();
  const [open, setOpen] = useState(false);
  const all = BigInt(supply);
  const share = (units: string) => shareText(shareBps(BigInt(units), all));
  const people = holders?.items.filter(isPerson);
  const largest = people && togetherBps(people.slice(0, TEN), all);
  const isWhole = holders !== undefined && holders.items.length < MOST_HOLDERS;
  const held = people?.find(({ wallet }) => wallet === token.creator)?.amount ?? (isWhole ? '0' : undefined);
  // A creator who is not among many holders holds at most as much as the last of them.
  const atMost = people?.at(-1)?.amount;
  const creator = held !== undefined ? share(held) : atMost === undefined ? UNKNOWN : `≤ ${share(atMost)}`;
  const hasSoldMost = BigInt(token.creatorSold) * 2n > BigInt(token.creatorBought);
  return (
    <details className="safety small" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span>✓ {copy.supply}</span>
        <span>✓ {copy.freeze}</span>
        {/* A market of the operator's choice has liquidity of its own. */}
        {token.venue !== 'unknown' && <span>{copy.liquidity[graduation]}</span>}
        {token.launchSlotBought !== '0' && <span>{copy.launchSlot(share(token.launchSlotBought))}</span>}
        <span className={largest !== undefined && largest > HALF_BPS ? 'down' : undefined}>
          {copy.largest(largest === undefined ? UNKNOWN : shareText(largest))}
        </span>
        <span className={hasSoldMost ? 'down' : undefined}>
          {copy.creator(creator, share(token.creatorSold))}
        </span>
      </summary>
      {open && <Checked token={token} />}
    </details>
  );
}
