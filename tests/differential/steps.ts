// What may happen to a token, as fast-check makes and shortens it. Amounts and accounts are relative to the state in
// which a step is taken, so that a shortened sequence still means something.
import fc from 'fast-check';
import { MAX_PLATFORM_FEE_BPS, TOKEN_SUPPLY, GRADUATION_VIRTUAL_TOKEN } from '@curvekit/sdk';
import type { ArenaSpec } from './arena.js';

export const HOT_INSTRUCTIONS = ['buyToken', 'sellToken', 'migrate', 'validateLogRecord'] as const;
export type HotInstruction = (typeof HOT_INSTRUCTIONS)[number];

/** An amount: outright, or off something by a little. */
export type Amount =
  | { readonly is: 'value'; readonly value: bigint }
  /** A share of what the trader holds, in millionths. */
  | { readonly is: 'share'; readonly millionths: number }
  | { readonly is: 'near'; readonly what: 'balance' | 'graduation'; readonly off: bigint };

export type Minimum =
  | { readonly is: 'value'; readonly value: bigint }
  | { readonly is: 'quote'; readonly off: bigint };

/** Something wrong with an instruction, or only unusual. */
export type Alteration =
  | { readonly is: 'substitute'; readonly account: number; readonly by: number }
  | { readonly is: 'duplicate'; readonly account: number; readonly of: number }
  | { readonly is: 'signer' | 'writable'; readonly account: number; readonly on: boolean }
  | { readonly is: 'fewer accounts' | 'shorter data'; readonly left: number }
  | { readonly is: 'more accounts'; readonly by: number }
  | { readonly is: 'longer data'; readonly bytes: Uint8Array }
  | { readonly is: 'other byte'; readonly at: number; readonly flip: number }
  | { readonly is: 'other deployment' };

export type Step =
  | {
      readonly is: 'call';
      readonly instruction: HotInstruction;
      readonly trader: number;
      readonly amount: Amount;
      readonly minimum: Minimum;
      readonly traderPaysFee: boolean;
      readonly alterations: readonly Alteration[];
    }
  | { readonly is: 'donate lamports'; readonly to: 'curve' | 'vault' | 'fee receiver'; readonly lamports: bigint }
  | { readonly is: 'donate tokens'; readonly trader: number; readonly millionths: number }
  | { readonly is: 'set fee'; readonly platformFeeBps: number }
  | { readonly is: 'set balance'; readonly of: number; readonly lamports: bigint }
  | { readonly is: 'set rent'; readonly lamportsPerByte: bigint };

const U64_MAX = 2n ** 64n - 1n;
const u64 = fc.tuple(fc.bigInt({ min: 0n, max: U64_MAX }), fc.nat({ max: 63 })).map(([all, off]) => all >> BigInt(off));
const extreme = fc.constantFrom(0n, 1n, 2n, U64_MAX - 1n, U64_MAX);
const off = fc.bigInt({ min: -2n, max: 2n });
const share = fc.integer({ min: 0, max: 1_000_000 });
const index = fc.nat({ max: 63 });

const amount: fc.Arbitrary<Amount> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ is: fc.constant('share' as const), millionths: share }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('value' as const), value: u64 }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('value' as const), value: extreme }) },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constant('near' as const),
      what: fc.constantFrom('balance' as const, 'graduation' as const),
      off,
    }),
  },
);

const minimum: fc.Arbitrary<Minimum> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ is: 'value' as const, value: 0n }) },
  { weight: 2, arbitrary: fc.record({ is: fc.constant('quote' as const), off }) },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('value' as const), value: fc.oneof(u64, extreme) }) },
);

const alteration: fc.Arbitrary<Alteration> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ is: fc.constant('substitute' as const), account: index, by: index }) },
  { weight: 3, arbitrary: fc.record({ is: fc.constant('duplicate' as const), account: index, of: index }) },
  {
    weight: 4,
    arbitrary: fc.record({
      is: fc.constantFrom('signer' as const, 'writable' as const),
      account: index,
      on: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constantFrom('fewer accounts' as const, 'shorter data' as const),
      left: fc.nat({ max: 26 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: fc.constant('more accounts' as const), by: index }) },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constant('longer data' as const), bytes: fc.uint8Array({ maxLength: 40 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constant('other byte' as const),
      at: fc.nat({ max: 25 }),
      flip: fc.integer({ min: 1, max: 255 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ is: 'other deployment' as const }) },
);

/** Half of the calls are right, the others wrong in up to three ways. */
const alterations = fc.oneof(
  fc.constant([] as Alteration[]),
  fc.array(alteration, { minLength: 1, maxLength: 3 }),
);

const call: fc.Arbitrary<Step> = fc.record({
  is: fc.constant('call' as const),
  instruction: fc.oneof(
    { weight: 10, arbitrary: fc.constant('buyToken' as const) },
    { weight: 10, arbitrary: fc.constant('sellToken' as const) },
    { weight: 4, arbitrary: fc.constant('migrate' as const) },
    { weight: 2, arbitrary: fc.constant('validateLogRecord' as const) },
  ),
  trader: fc.nat({ max: 2 }),
  amount,
  minimum,
  traderPaysFee: fc.boolean(),
  alterations,
});

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 30, arbitrary: call },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constant('donate lamports' as const),
      to: fc.constantFrom('curve' as const, 'vault' as const, 'fee receiver' as const),
      lamports: fc.bigInt({ min: 0n, max: 10n ** 10n }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ is: fc.constant('donate tokens' as const), trader: fc.nat({ max: 2 }), millionths: share }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constant('set fee' as const),
      platformFeeBps: fc.integer({ min: 0, max: MAX_PLATFORM_FEE_BPS }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constant('set balance' as const),
      of: fc.nat({ max: 2 }),
      lamports: fc.oneof(fc.constant(0n), fc.bigInt({ min: 890_880n, max: 10n ** 12n }), fc.constant(U64_MAX - 10n ** 6n)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      is: fc.constant('set rent' as const),
      lamportsPerByte: fc.constantFrom(3_480n, 6_960n, 70_000n),
    }),
  },
);

export const steps: fc.Arbitrary<Step[]> = fc.array(step, { minLength: 1, maxLength: 60, size: 'max' });

export const arenaSpec: fc.Arbitrary<ArenaSpec> = fc.record({
  seed: fc.nat(),
  initialVirtualSol: fc.oneof(
    { weight: 4, arbitrary: fc.constant(30_000_000_000n) },
    { weight: 2, arbitrary: u64.map((value) => (value === 0n ? 1n : value)) },
    { weight: 1, arbitrary: fc.constantFrom(1n, U64_MAX) },
  ),
  initialVirtualToken: fc.oneof(
    { weight: 4, arbitrary: fc.constant(1_073_000_000_000_000n) },
    {
      weight: 2,
      arbitrary: fc.bigInt({ min: TOKEN_SUPPLY + 1n, max: TOKEN_SUPPLY + GRADUATION_VIRTUAL_TOKEN - 1n }),
    },
  ),
  platformFeeBps: fc.oneof(
    fc.constantFrom(0, 1, 100, MAX_PLATFORM_FEE_BPS),
    fc.integer({ min: 0, max: MAX_PLATFORM_FEE_BPS }),
  ),
  traderLamports: fc.constantFrom(10n ** 9n, 10n ** 12n, 10n ** 18n),
  feeReceiverLamports: fc.constantFrom(0n, 890_880n, 10n ** 12n, U64_MAX - 10n ** 9n),
});
