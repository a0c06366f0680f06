// Looks up a trade with an unknown outcome after a reload, so that the user does not buy twice. The SDK stores it.
import { forgetTransaction, rememberedTransaction } from '@curvekit/sdk/kit/trade';
import { useEffect, useState } from 'react';
import type { Memory, Outcome } from '../chain/types.js';
import { useConfig } from '../config.js';
import { storage } from '../storage.js';
import { loadTrading } from './prepared.js';

const LOOK_MS = 1_000;
/** A blockhash is valid for about a minute. After two minutes the node will probably never know the outcome. */
const GIVE_UP_MS = 120_000;

type Ended = Exclude<Outcome, 'pending' | 'none'>;

/** Outcomes of looked-up trades, so that a newly mounted box still shows them. */
const ended = new Map<string, Ended>();

/** The store for the trade of a token. */
export const memoryOf = (mint: string): Memory => ({ store: storage, key: `curvekit:pending:${mint}` });

type Pending = ReturnType<typeof rememberedTransaction>;

export interface PendingLook {
  /** The unfinished trade. Trading waits for its outcome. */
  readonly pending: Pending;
  /** The outcome of the trade. */
  readonly resolved: Ended | undefined;
  /** Deletes the stored trade. Available when the node does not know the outcome, so that the user can decide. */
  readonly forget: (() => void) | undefined;
  /** Looks for a stored trade. */
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
        const { lookUp } = await loadTrading();
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
    // `onResolved` and `memory` depend only on the mint.
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
