// Random actions on a launchpad. Tokens and wallets are chosen by number, modulo their count.
import fc from 'fast-check';
import { GRADUATION_VIRTUAL_TOKEN, MAX_PLATFORM_FEE_BPS, TOKEN_SUPPLY } from '@curvekit/sdk';
import { SOL, U64_MAX } from '#tests/constants.js';

/** The minimum of a trade: none, exactly the quote, or one more than the quote. */
export type Minimum = 'none' | 'quoted' | 'above';

export type Step =
  | {
      readonly kind: 'buy';
      readonly token: number;
      readonly wallet: number;
      readonly solToSpend: bigint;
      readonly minimum: Minimum;
    }
  /** In basis points of the wallet's balance; above 10,000 it tries to sell more than it has. */
  | {
      readonly kind: 'sell';
      readonly token: number;
      readonly wallet: number;
      readonly shareBp: number;
      readonly minimum: Minimum;
    }
  | { readonly kind: 'donateSol'; readonly token: number; readonly lamports: bigint }
  | {
      readonly kind: 'donateTokens';
      readonly token: number;
      readonly wallet: number;
      readonly shareBp: number;
    }
  | { readonly kind: 'migrate'; readonly token: number }
  | {
      readonly kind: 'setProperties';
      readonly initialVirtualSol: bigint;
      readonly initialVirtualToken: bigint;
      readonly platformFeeBps: number;
    }
  | { readonly kind: 'launch' };

const token = fc.nat(1_000);
const wallet = fc.nat(1_000);
const minimum = fc.constantFrom<Minimum>('none', 'quoted', 'quoted', 'above');
const feeBps = fc.oneof(fc.constantFrom(0, 1, 100, MAX_PLATFORM_FEE_BPS), fc.nat(MAX_PLATFORM_FEE_BPS));

const solToSpend = fc.oneof(
  { weight: 1, arbitrary: fc.bigInt(1n, 1_000n) },
  { weight: 3, arbitrary: fc.bigInt(1_000n, SOL) },
  { weight: 5, arbitrary: fc.bigInt(SOL, 60n * SOL) },
  { weight: 1, arbitrary: fc.constant(U64_MAX) },
);

const shareBp = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 9_999 }) },
  { weight: 2, arbitrary: fc.constant(10_000) },
  { weight: 1, arbitrary: fc.integer({ min: 10_001, max: 20_000 }) },
);

export const randomStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 40,
    arbitrary: fc.record({ kind: fc.constant('buy' as const), token, wallet, solToSpend, minimum }),
  },
  {
    weight: 30,
    arbitrary: fc.record({ kind: fc.constant('sell' as const), token, wallet, shareBp, minimum }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('donateSol' as const),
      token,
      lamports: fc.bigInt(1n, 5n * SOL),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('donateTokens' as const),
      token,
      wallet,
      shareBp: fc.integer({ min: 1, max: 10_000 }),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('migrate' as const), token }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('setProperties' as const),
      initialVirtualSol: fc.bigInt(SOL / 100n, 100n * SOL),
      initialVirtualToken: fc.bigInt(TOKEN_SUPPLY + 1n, TOKEN_SUPPLY + GRADUATION_VIRTUAL_TOKEN - 1n),
      platformFeeBps: feeBps,
    }),
  },
  { weight: 2, arbitrary: fc.constant({ kind: 'launch' as const }) },
);
