// Amounts: short text, the exact value on hover, and a coloured flash when they change.
import { useEffect, useRef } from 'react';
import { change, isNoChange, exactSol, exactTokens, sol, tokens, type Amount } from '../format.js';
import { words } from '../words/words.js';

const calm = matchMedia('(prefers-reduced-motion: reduce)');

/** A value that changes more often would flicker, and an animation draws each frame. */
const STILL_MS = 1_000;

function useFlash(value: bigint, isOn: boolean) {
  const element = useRef<HTMLDataElement>(null);
  const before = useRef(value);
  const changedAt = useRef(-Infinity);
  useEffect(() => {
    const { current } = element;
    const colour = value > before.current ? 'var(--up)' : 'var(--down)';
    if (!isOn || current === null || value === before.current) return;
    before.current = value;
    const isStill = performance.now() - changedAt.current > STILL_MS;
    changedAt.current = performance.now();
    if (isStill && !calm.matches)
      current.animate([{ color: colour }, {}], { duration: 300, easing: 'ease-out' });
  }, [value, isOn]);
  return element;
}

interface SolProps {
  readonly lamports: Amount;
  readonly unit?: boolean;
  /** Whether a change flashes green or red. Not for an amount of which more is not better. */
  readonly flash?: boolean;
}

export function Sol({ lamports, unit = true, flash = true }: SolProps) {
  const ref = useFlash(BigInt(lamports), flash);
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
    <span className={isNoChange(bps) ? undefined : bps < 0 ? 'down' : 'up'}>
      {!isNoChange(bps) && <span className="sr">{bps < 0 ? words.down : words.up} </span>}
      {change(bps)}
    </span>
  );
}
