// The trade form's inputs. They stay when the user connects a wallet.
import { useState } from 'react';
import { storage } from '../storage.js';
import type { Side, Unit } from './quote.js';

export interface FormState {
  readonly side: Side;
  readonly unit: Unit;
  readonly text: string;
  readonly slippageBps: number;
  /** Whether the slippage choices are shown. */
  readonly choosing: boolean;
}

export interface Form extends FormState {
  readonly set: (change: Partial<FormState>) => void;
}

const KEY = 'curvekit:slippage';
const DEFAULT_BPS = 100;
export const MOST_SLIPPAGE_BPS = 5_000;
/** From this slippage on, the page shows a warning. */
export const HIGH_SLIPPAGE_BPS = 500;

export function useForm(initial: { readonly side: Side; readonly text: string }): Form {
  const [state, setState] = useState<FormState>(() => ({
    ...initial,
    unit: initial.side === 'buy' ? 'sol' : 'token',
    slippageBps: keptSlippage(),
    choosing: false,
  }));
  const set = (change: Partial<FormState>) => {
    setState((before) => {
      const turned = change.side !== undefined && change.side !== before.side;
      const fresh = turned ? { unit: change.side === 'buy' ? 'sol' : 'token', text: '' } : {};
      return { ...before, ...fresh, ...change } as FormState;
    });
    if (change.slippageBps !== undefined) storage.setItem(KEY, String(change.slippageBps));
  };
  return { ...state, set };
}

function keptSlippage(): number {
  const kept = Number(storage.getItem(KEY) ?? DEFAULT_BPS);
  // A higher slippage is not remembered.
  return Number.isInteger(kept) && kept >= 0 && kept <= HIGH_SLIPPAGE_BPS ? kept : DEFAULT_BPS;
}
