// Amounts: short text, the exact value on hover, and a coloured flash when they change.
import { useEffect, useRef } from 'react';
import { change, exactSol, exactTokens, sol, tokens, type Amount } from '../format.js';
import { words } from '../words/words.js';

const calm = matchMedia('(prefers-reduced-motion: reduce)');

function useFlash(value: bigint) {
  const element = useRef<HTMLDataElement>(null);
  const before = useRef(value);
  const flashing = useRef(false);
  useEffect(() => {
    const { current } = element;
    const colour = value > before.current ? 'var(--up)' : 'var(--down)';
    if (current === null || value === before.current) return;
    before.current = value;
    // Do not restart a running flash, because a busy token would flicker.
    if (flashing.current || calm.matches) return;
    flashing.current = true;
    current.animate([{ color: colour }, {}], { duration: 300, easing: 'ease-out' }).onfinish = () => {
      flashing.current = false;
    };
  }, [value]);
  return element;
}

export function Sol({ lamports, unit = true }: { readonly lamports: Amount; readonly unit?: boolean }) {
  const ref = useFlash(BigInt(lamports));
  return (
    <data ref={ref} value={exactSol(lamports)} title={`${exactSol(lamports)} SOL`}>
      {sol(lamports)}
      {unit && ' SOL'}
    </data>
  );
}

export function Tokens({ units, symbol }: { readonly units: Amount; readonly symbol?: string }) {
  const unit = symbol === undefined ? '' : ` ${symbol}`;
  return (
    <data value={exactTokens(units)} title={`${exactTokens(units)}${unit}`}>
      {tokens(units)}
      {unit}
    </data>
  );
}

/** A change, with its direction as sign, as colour, and as a word for screen readers. */
export function Change({ bps }: { readonly bps: number | null }) {
  if (bps === null) return <span className="muted">—</span>;
  return (
    <span className={bps < 0 ? 'down' : 'up'}>
      <span className="sr">{bps < 0 ? words.down : words.up} </span>
      {change(bps)}
    </span>
  );
}
