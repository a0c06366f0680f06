// What this browser was quoted for its newest trades. Only a receipt shows it.
import { storage } from '../storage.js';

const KEY = 'curvekit:quoted';
const MOST = 40;

/** Lamports for a sale, token units for a buy. */
export interface KeptOrder {
  readonly signature: string;
  readonly quoted: string;
  readonly least: string;
  /** Milliseconds. */
  readonly at: number;
}

const read = (): KeptOrder[] => {
  try {
    const stored: unknown = JSON.parse(storage.getItem(KEY) ?? '[]');
    return Array.isArray(stored) ? (stored as KeptOrder[]) : [];
  } catch {
    return [];
  }
};

export function keepOrder(
  signature: string,
  {
    side,
    sol,
    token,
    least,
  }: Readonly<Record<'sol' | 'token' | 'least', bigint>> & { readonly side: 'buy' | 'sell' },
): void {
  const order = {
    signature,
    quoted: String(side === 'buy' ? token : sol),
    least: String(least),
    at: Date.now(),
  };
  storage.setItem(KEY, JSON.stringify([order, ...read()].slice(0, MOST)));
}

export const keptOrder = (signature: string): KeptOrder | undefined =>
  read().find((order) => order.signature === signature);
