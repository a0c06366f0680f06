// A trade whose outcome is not known survives a reload: nothing is bought twice.
import { useEffect, useState } from 'react';
import type { Outcome, Pending } from '../chain/types.js';
import { useConfig } from '../config.js';

const KEY = 'curvekit:pending:';
const LOOK_MS = 1_000;
/** A blockhash lives for about a minute: after two, a node that still does not tell will not. */
const GIVE_UP_MS = 120_000;

/** How trades ended that were looked up: a box that is drawn anew still says it. */
const ended = new Map<string, Exclude<Outcome, 'pending'>>();

export function keepPending(mint: string, pending: Pending): void {
  localStorage.setItem(KEY + mint, JSON.stringify(pending));
}

export function forgetPending(mint: string): void {
  localStorage.removeItem(KEY + mint);
}

function keptPending(mint: string): Pending | undefined {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY + mint) ?? 'null') as Pending | null;
    return typeof kept?.signature === 'string' ? kept : undefined;
  } catch {
    return undefined;
  }
}

export interface PendingLook {
  /** Trading waits for it. */
  readonly pending: Pending | undefined;
  /** How it ended. */
  readonly resolved: Exclude<Outcome, 'pending'> | undefined;
  /** The node does not tell: the person decides. */
  readonly forget: (() => void) | undefined;
  /** Looks for a trade that was just kept. */
  readonly look: () => void;
}

/** @param onResolved called once the outcome is known */
export function usePending(mint: string, onResolved: () => void): PendingLook {
  const config = useConfig();
  const [pending, setPending] = useState(() => keptPending(mint));
  const [resolved, setResolved] = useState<PendingLook['resolved']>(() => ended.get(mint));
  const [canForget, setCanForget] = useState(false);
  useEffect(() => {
    if (pending === undefined) return undefined;
    let stopped = false;
    let timer: ReturnType<typeof setTimeout>;
    const givingUp = setTimeout(() => setCanForget(true), GIVE_UP_MS);
    const look = async () => {
      let outcome: Outcome = 'pending';
      try {
        const { lookUp } = await import('../chain/look-up.js');
        outcome = await lookUp(config, pending);
      } catch (error) {
        console.warn('the last trade cannot be looked up yet', error);
      }
      if (stopped) return;
      if (outcome === 'pending') {
        timer = setTimeout(() => void look(), LOOK_MS);
        return;
      }
      forgetPending(mint);
      ended.set(mint, outcome);
      setResolved(outcome);
      setPending(undefined);
      onResolved();
    };
    void look();
    return () => {
      stopped = true;
      clearTimeout(timer);
      clearTimeout(givingUp);
    };
    // The callback is of the same token.
  }, [pending, config, mint]);
  const forget = () => {
    forgetPending(mint);
    setPending(undefined);
  };
  return {
    pending,
    resolved,
    forget: canForget ? forget : undefined,
    look: () => setPending(keptPending(mint)),
  };
}
