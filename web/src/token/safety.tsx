// What nobody can do with the token, and who holds most of it.
import { useState } from 'react';
import { percent } from '../format.js';
import type { TokenSummary } from '../market/types.js';
import { part } from '../part.js';
import { words } from '../words/words.js';
import { isPerson, MOST_HOLDERS, type useHolders } from './use-holders.js';

const Checked = part(() => import('./checked.js'));
const copy = words.tokenPage.safety;
const TEN = 10;
/** From this share on it is told in red. */
const HALF_BPS = 5_000;

interface SafetyProps {
  readonly token: TokenSummary;
  readonly holders: ReturnType<typeof useHolders>['data'];
}

export function Safety({ token, holders }: SafetyProps) {
  const [open, setOpen] = useState(false);
  const people = holders?.items.filter(isPerson);
  const largest = people?.slice(0, TEN).reduce((sum, { shareBps }) => sum + shareBps, 0);
  // A creator who is not among them may still hold less than all of them.
  const isWhole = holders !== undefined && holders.items.length < MOST_HOLDERS;
  const creator =
    people?.find(({ wallet }) => wallet === token.creator)?.shareBps ?? (isWhole ? 0 : undefined);
  return (
    <details className="safety small" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span>✓ {copy.supply}</span>
        <span>✓ {copy.freeze}</span>
        {largest !== undefined && (
          <span className={largest > HALF_BPS ? 'down' : undefined}>{copy.largest(percent(largest))}</span>
        )}
        {creator !== undefined && <span>{copy.creator(percent(creator))}</span>}
      </summary>
      {open && <Checked token={token} />}
    </details>
  );
}
