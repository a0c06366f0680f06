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
  // A creator who is not among them may still hold less than all of them.
  const isWhole = holders !== undefined && holders.items.length < MOST_HOLDERS;
  const held = people?.find(({ wallet }) => wallet === token.creator)?.amount ?? (isWhole ? '0' : undefined);
  const hasSoldMost = BigInt(token.creatorSold) * 2n > BigInt(token.creatorBought);
  return (
    <details className="safety small" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span>✓ {copy.supply}</span>
        <span>✓ {copy.freeze}</span>
        {/* A market of the operator's choice has liquidity of its own. */}
        {token.venue !== 'unknown' && <span>{copy.liquidity[graduation]}</span>}
        {largest !== undefined && (
          <span className={largest > HALF_BPS ? 'down' : undefined}>{copy.largest(shareText(largest))}</span>
        )}
        {held !== undefined && (
          <span className={hasSoldMost ? 'down' : undefined}>
            {copy.creator(share(held), share(token.creatorSold))}
          </span>
        )}
        <span>{copy.launchSlot(share(token.launchSlotBought))}</span>
      </summary>
      {open && <Checked token={token} />}
    </details>
  );
}
