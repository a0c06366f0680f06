// What is known of a token: its accounts as they must be after every step.
import type { TokenKeys } from './keys.js';

export interface TokenState {
  readonly keys: TokenKeys;
  /** 0 not created, 1 trading, 2 sold out, 3 migrated. */
  status: 0 | 1 | 2 | 3;
  virtualSol: bigint;
  virtualToken: bigint;
  /** The reserves with which the curve began. */
  initialSol: bigint;
  /** The community's share, in basis points. */
  afterMigrationFee: number;
  curveLamports: bigint;
  vault: bigint;
  supply: bigint;
  /** Token units of each trader, or undefined when the account is closed. */
  held: (bigint | undefined)[];
  /** Whether the community's storages are open. */
  wsolOpen: boolean;
  tokenOpen: boolean;
  /** Lamports per byte when the accounts were created. */
  rentPerByte: bigint;
  /** Lamports that all traders together have paid to the curve and got from it, fees apart. */
  paid: bigint;
  got: bigint;
}

export function newToken(keys: TokenKeys): TokenState {
  return {
    keys,
    status: 0,
    virtualSol: 0n,
    virtualToken: 0n,
    initialSol: 0n,
    afterMigrationFee: 0,
    curveLamports: 0n,
    vault: 0n,
    supply: 0n,
    held: keys.held.map(() => 0n),
    wsolOpen: false,
    tokenOpen: false,
    rentPerByte: 0n,
    paid: 0n,
    got: 0n,
  };
}

/** A step that did something else than it must. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** @throws Violation unless the two are equal */
export function same(what: string, actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Violation(`${what}: is ${String(actual)}, must be ${String(expected)}`);
}

/** @throws Violation unless it holds */
export function must(what: string, holds: boolean): void {
  if (!holds) throw new Violation(`does not hold: ${what}`);
}
