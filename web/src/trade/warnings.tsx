import { percent } from '../format.js';
import { Sol } from '../parts/amounts.js';
import { words } from '../words/words.js';
import type { Parts } from './parts.js';

const copy = words.trade;
export const HIGH_IMPACT_BPS = 500;

/** What a trader must know before the button. */
export function Warnings({ quote }: Pick<Parts, 'quote'>) {
  if (quote === undefined) return null;
  const { side, impactBps, graduates, rest } = quote;
  return (
    <>
      {impactBps >= HIGH_IMPACT_BPS && (
        <p className="alert warn" data-testid="impact">
          {copy.impactHigh[side](percent(side === 'buy' ? dearerBps(impactBps) : impactBps))}
        </p>
      )}
      {graduates && (
        <p className="alert warn" data-testid="graduates">
          {copy.graduates} {rest > 0n && <Rest lamports={rest} />}
        </p>
      )}
    </>
  );
}

/** Who gets 20 % fewer tokens for the same SOL pays 25 % more for each. */
const dearerBps = (impactBps: number) => (impactBps * 10_000) / (10_000 - impactBps);

function Rest({ lamports }: { readonly lamports: bigint }) {
  const [before = '', after = ''] = copy.stays('|').split('|');
  return (
    <>
      {before}
      <Sol lamports={lamports} />
      {after}
    </>
  );
}
