// A model of the ledger that consists of a few maps, and the steps of its random histories.
import fc from 'fast-check';
import type { Asset } from '#app/ledger/accounts.js';
import type { ClaimEnd } from '#app/claims/repository.js';
import { U64_MAX } from '#tests/constants.js';

export const WALLETS = ['wallet 1', 'wallet 2'] as const;
export const TOKENS = 2;
export const ASSETS: readonly Asset[] = ['SOL', 'TOKEN'];
export const HISTORIES = 40;
export const LONGEST = 40;

export type Step =
  | { readonly do: 'credit'; readonly to: readonly Part[]; readonly token: number; readonly asset: Asset }
  | { readonly do: 'credit again'; readonly which: number }
  | {
      readonly do: 'claim';
      readonly wallet: string;
      readonly token: number;
      readonly asset: Asset;
      readonly off: bigint;
    }
  | { readonly do: 'end'; readonly which: number; readonly as: ClaimEnd }
  | { readonly do: 'correct'; readonly which: number }
  | {
      readonly do: 'overdraw';
      readonly wallet: string;
      readonly token: number;
      readonly asset: Asset;
      readonly from: Kind;
    }
  | {
      readonly do: 'fail after reserving';
      readonly wallet: string;
      readonly token: number;
      readonly asset: Asset;
    };

export type Kind = 'claimable' | 'reserved' | 'claimed';

export interface Part {
  readonly wallet: string;
  readonly amount: bigint;
}

export const wallet = fc.constantFrom(...WALLETS);
export const token = fc.nat(TOKENS - 1);
export const asset = fc.constantFrom(...ASSETS);
/** Counted from the newest. */
export const which = fc.nat(LONGEST);
/** Limits the sum of a history to 2^64 − 1, because neither lamports nor tokens can exceed it. */
export const MOST = U64_MAX / BigInt(LONGEST);
export const amount = fc.oneof(fc.bigInt(1n, 1_000n), fc.bigInt(1n, MOST), fc.constant(MOST));

export const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('credit' as const),
      to: fc.uniqueArray(fc.record({ wallet, amount }), { selector: (part) => part.wallet, minLength: 1 }),
      token,
      asset,
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('credit again' as const), which }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('claim' as const),
      wallet,
      token,
      asset,
      off: fc.oneof({ weight: 8, arbitrary: fc.constant(0n) }, fc.constantFrom(1n, -1n)),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      which,
      as: fc.constantFrom<ClaimEnd>('COMPLETED', 'FAILED', 'EXPIRED'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('correct' as const), which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('overdraw' as const),
      wallet,
      token,
      asset,
      from: fc.constantFrom<Kind>('claimable', 'reserved', 'claimed'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('fail after reserving' as const), wallet, token, asset }),
  },
);

export interface ModelClaim {
  readonly signature: string;
  readonly wallet: string;
  readonly mint: string;
  readonly asset: Asset;
  readonly amount: bigint;
  state: ClaimEnd | 'IN_PROGRESS';
}

/** The expected state of the ledger. */
export class Model {
  /** Keyed by `owner mint asset kind`. Without an owner it is the amount that a source has given, negated. */
  readonly balances = new Map<string, bigint>();
  readonly claims: ModelClaim[] = [];
  readonly credited: {
    readonly key: string;
    readonly to: readonly Part[];
    readonly mint: string;
    readonly asset: Asset;
  }[] = [];

  balance(owner: string | null, mint: string, asset: Asset, kind: string): bigint {
    return this.balances.get(nameOf(owner, mint, asset, kind)) ?? 0n;
  }

  add(owner: string | null, mint: string, asset: Asset, kind: string, by: bigint): void {
    this.balances.set(nameOf(owner, mint, asset, kind), this.balance(owner, mint, asset, kind) + by);
  }

  move({ wallet, mint, asset, amount }: ModelClaim, from: Kind, to: Kind): void {
    this.add(wallet, mint, asset, from, -amount);
    this.add(wallet, mint, asset, to, amount);
  }

  isBusy(wallet: string, mint: string): boolean {
    return this.claims.some((c) => c.wallet === wallet && c.mint === mint && c.state === 'IN_PROGRESS');
  }

  /** The balances that are not zero, sorted by name. */
  shown(): [string, bigint][] {
    return [...this.balances].filter(([, balance]) => balance !== 0n).sort();
  }
}

export function chosen<T>(all: readonly T[], which: number): T | undefined {
  return all[all.length - 1 - (which % all.length)];
}

export function nameOf(owner: string | null, mint: string, asset: string, kind: string): string {
  return `${owner ?? '-'}|${mint}|${asset}|${kind}`;
}
