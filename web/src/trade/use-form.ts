// The trade form's inputs. They stay when the user connects a wallet.
import { type FormStore, useFormStore } from '../form-store.js';
import { storage } from '../storage.js';
import type { Side, Unit } from './quote.js';

export interface TradeInputs {
  readonly side: Side;
  readonly unit: Unit;
  readonly text: string;
  readonly slippageBps: number;
}

export type Form = FormStore<TradeInputs>;

const KEY = 'curvekit:slippage';
const DEFAULT_BPS = 100;
export const MOST_SLIPPAGE_BPS = 5_000;
/** From this slippage on, the page shows a warning. */
export const HIGH_SLIPPAGE_BPS = 500;

const startOf = (side: Side, text = '') => ({ side, unit: side === 'buy' ? 'sol' : 'token', text }) as const;

export const useTradeForm = (side: Side, text: string): Form =>
  useFormStore(
    () => ({ ...startOf(side, text), slippageBps: keptSlippage() }),
    ({ slippageBps }) => storage.setItem(KEY, String(slippageBps)),
  );

/** The change to a side. An amount of the other side is another one. */
export const turnedTo = (side: Side) => (before: TradeInputs) => (before.side === side ? {} : startOf(side));

function keptSlippage(): number {
  const kept = Number(storage.getItem(KEY) ?? DEFAULT_BPS);
  // A higher slippage is not remembered.
  return Number.isInteger(kept) && kept >= 0 && kept <= HIGH_SLIPPAGE_BPS ? kept : DEFAULT_BPS;
}
