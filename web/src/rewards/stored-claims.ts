// Stores signed but unpaid claims, so that they survive a reload.
import { storage } from '../storage.js';
export type ClaimKind = 'SOL' | 'TOKEN' | 'BURN';

export interface StoredClaim {
  readonly mint: string;
  readonly kind: ClaimKind;
  readonly signature: string;
  readonly transaction: readonly number[];
}

const keyOf = (wallet: string) => `curvekit:claims:${wallet}`;

export function storedClaims(wallet: string): readonly StoredClaim[] {
  try {
    return JSON.parse(storage.getItem(keyOf(wallet)) ?? '[]') as StoredClaim[];
  } catch {
    return [];
  }
}

export function storeClaim(wallet: string, claim: StoredClaim): void {
  const others = storedClaims(wallet).filter(({ signature }) => signature !== claim.signature);
  storage.setItem(keyOf(wallet), JSON.stringify([...others, claim]));
}

export function forgetClaim(wallet: string, signature: string): void {
  const others = storedClaims(wallet).filter((claim) => claim.signature !== signature);
  if (others.length === 0) storage.removeItem(keyOf(wallet));
  else storage.setItem(keyOf(wallet), JSON.stringify(others));
}
