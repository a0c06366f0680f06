import { useState } from 'react';
import { finePercent } from '../format.js';
import { part } from '../part.js';
import { words } from '../words/words.js';
import type { Parts } from './parts.js';
import { HIGH_IMPACT_BPS } from './warnings.js';

const Rows = part(() => import('./cost-rows.js'));
const copy = words.trade;

/** The price impact, and behind it the fees. */
export function Costs(parts: Parts) {
  const [open, setOpen] = useState(false);
  const { quote } = parts;
  if (quote === undefined) return null;
  return (
    <details className="fold" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span>{copy.fees}</span>
        <span className={quote.impactBps >= HIGH_IMPACT_BPS ? 'down' : undefined}>
          {copy.impact(finePercent(quote.impactBps))}
        </span>
      </summary>
      {open && <Rows {...parts} quote={quote} />}
    </details>
  );
}
