// Amounts: short to read, exact on hover, and a flash of their direction when they change.
import { useEffect, useRef } from 'react';
import { change, exactSol, exactTokens, sol, tokens, type Amount } from '../format.js';
import { words } from '../words/words.js';

function useFlash(value: bigint) {
  const element = useRef<HTMLDataElement>(null);
  const before = useRef(value);
  useEffect(() => {
    const { current } = element;
    const direction = value > before.current ? 'flash-up' : 'flash-down';
    if (current === null || value === before.current) return;
    before.current = value;
    current.classList.remove('flash-up', 'flash-down');
    // The animation starts anew only after a layout without it.
    void current.offsetWidth;
    current.classList.add(direction);
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

/** Direction by sign, colour and, for screen readers, a word. */
export function Change({ bps }: { readonly bps: number | null }) {
  if (bps === null) return <span className="muted">—</span>;
  return (
    <span className={bps < 0 ? 'down' : 'up'}>
      <span className="sr">{bps < 0 ? words.down : words.up} </span>
      {change(bps)}
    </span>
  );
}
