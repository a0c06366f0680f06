// A trade whose outcome is not known survives a reload: nothing is bought twice. The SDK keeps it.
import { forgetTransaction, rememberedTransaction } from '@curvekit/sdk/trade';
import { useEffect, useState } from 'react';
import type { Memory, Outcome } from '../chain/types.js';
import { useConfig } from '../config.js';

const LOOK_MS = 1_000;
/** A blockhash lives for about a minute: after two, a node that still does not tell will not. */
const GIVE_UP_MS = 120_000;

type Ended = Exclude<Outcome, 'pending' | 'none'>;

/** How trades ended that were looked up: a box that is drawn anew still says it. */
const ended = new Map<string, Ended>();

/** Where the trade of a token is kept. */
export const memoryOf = (mint: string): Memory => ({ store: localStorage, key: `curvekit:pending:${mint}` });

type Pending = ReturnType<typeof rememberedTransaction>;

export interface PendingLook {
  /** Trading waits for it. */
  readonly pending: Pending;
  /** How it ended. */
  readonly resolved: Ended | undefined;
  /** The node does not tell: the person decides. */
  readonly forget: (() => void) | undefined;
  /** Looks for a trade that is kept. */
  readonly look: () => void;
}

/** @param onResolved called once the outcome is known */
export function usePending(mint: string, onResolved: () => void): PendingLook {
  const config = useConfig();
  const memory = memoryOf(mint);
  const [pending, setPending] = useState(() => rememberedTransaction(memory));
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
        const { lookUp } = await import('../chain/trade.js');
        outcome = await lookUp(config, memory);
      } catch (error) {
        console.warn('the last trade cannot be looked up yet', error);
      }
      if (outcome !== 'pending' && outcome !== 'none') ended.set(mint, outcome);
      if (stopped) return;
      if (outcome === 'pending') {
        timer = setTimeout(() => void look(), LOOK_MS);
        return;
      }
      setResolved(ended.get(mint));
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
    forgetTransaction(memory);
    setPending(undefined);
  };
  return {
    pending,
    resolved,
    forget: canForget ? forget : undefined,
    look: () => setPending(rememberedTransaction(memory)),
  };
}
