// Random steps as fast-check arbitraries.
import { GRADUATION_VIRTUAL_TOKEN, MAX_PLATFORM_FEE_BPS, TOKEN_SUPPLY } from '@curvekit/sdk';
import fc from 'fast-check';
import { HOLDERS, type ArenaSpec } from './arena.js';
import {
  NEAR_MISSES,
  RENT_THRESHOLDS,
  type Alteration,
  type Amount,
  type CallStep,
  type Minimum,
  type Step,
} from './steps.js';

const U64_MAX = 2n ** 64n - 1n;
const MOST_SHORTENED = 60;

/** Numbers of every magnitude. */
const u64 = fc
  .tuple(fc.bigInt({ min: 0n, max: U64_MAX }), fc.nat({ max: 63 }))
  .map(([all, off]) => all >> BigInt(off));
const extreme = fc.constantFrom(0n, 1n, 2n, U64_MAX - 1n, U64_MAX);
const off = fc.bigInt({ min: -2n, max: 2n });
/** Mostly small, so that a curve does not sell out at once. */
const millionths = fc
  .tuple(fc.integer({ min: 0, max: 1_000_000 }), fc.nat({ max: 8 }))
  .map(([all, off]) => all >> off);
const position = fc.nat({ max: 255 });
const trader = fc.nat({ max: HOLDERS - 1 });
/** Mostly the first token, so that its curve gets many steps. */
const token = fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constant(1) });

function is<const Name extends string>(name: Name): fc.Arbitrary<Name> {
  return fc.constant(name);
}

const amount: fc.Arbitrary<Amount> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ is: is('share'), millionths }) },
  { weight: 2, arbitrary: fc.record({ is: is('value'), value: u64 }) },
  { weight: 1, arbitrary: fc.record({ is: is('value'), value: extreme }) },
  { weight: 1, arbitrary: fc.record({ is: is('balance'), off }) },
  { weight: 1, arbitrary: fc.record({ is: is('rest'), off }) },
);

const minimum: fc.Arbitrary<Minimum> = fc.oneof(
  { weight: 5, arbitrary: fc.constant({ is: 'value' as const, value: 0n }) },
  { weight: 2, arbitrary: fc.record({ is: is('quote'), off }) },
  { weight: 1, arbitrary: fc.record({ is: is('value'), value: fc.oneof(u64, extreme) }) },
);

const alteration: fc.Arbitrary<Alteration> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ is: is('substitute'), account: position, by: position }) },
  { weight: 3, arbitrary: fc.record({ is: is('duplicate'), account: position, of: position }) },
  {
    weight: 4,
    arbitrary: fc.record({ is: fc.constantFrom('signer', 'writable'), account: position, on: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      is: fc.constantFrom('fewer accounts', 'shorter data'),
      left: fc.nat({ max: MOST_SHORTENED }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      is: is('more accounts'),
      by: fc.array(position, { minLength: 1, maxLength: 12 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ is: is('longer data'), bytes: fc.uint8Array({ minLength: 1, maxLength: 200 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      is: is('other byte'),
      at: fc.nat({ max: MOST_SHORTENED }),
      flip: fc.integer({ min: 1, max: 255 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ is: is('other deployment') }) },
  {
    weight: 2,
    arbitrary: fc.record({ is: is('near miss'), account: position, byte: fc.constantFrom(...NEAR_MISSES) }),
  },
);

const options = {
  /** More than half of the calls are valid. The others have up to three alterations. */
  alterations: fc.oneof(
    { weight: 3, arbitrary: fc.constant<Alteration[]>([]) },
    { weight: 2, arbitrary: fc.array(alteration, { minLength: 1, maxLength: 3 }) },
  ),
  called: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
  relayed: fc.oneof(
    { weight: 3, arbitrary: fc.constant(true) },
    { weight: 1, arbitrary: fc.constant(false) },
  ),
};

const virtualSol = fc.oneof(
  { weight: 8, arbitrary: fc.constant(30_000_000_000n) },
  { weight: 2, arbitrary: u64.map((value) => (value === 0n ? 1n : value)) },
  { weight: 1, arbitrary: fc.constantFrom(1n, U64_MAX) },
);
const virtualToken = fc.oneof(
  { weight: 4, arbitrary: fc.constant(1_073_000_000_000_000n) },
  {
    weight: 2,
    arbitrary: fc.bigInt({ min: TOKEN_SUPPLY + 1n, max: TOKEN_SUPPLY + GRADUATION_VIRTUAL_TOKEN - 1n }),
  },
);
const feeBps = fc.oneof(
  fc.constantFrom(0, 1, 100, MAX_PLATFORM_FEE_BPS),
  fc.integer({ min: 0, max: MAX_PLATFORM_FEE_BPS }),
);
const SENSIBLE = 9;

const trade = fc.record({
  is: fc.constantFrom('buyToken', 'sellToken'),
  token,
  trader,
  amount,
  minimum,
  ...options,
});

const creation = fc.record({
  is: is('createToken'),
  token: fc.nat({ max: 3 }),
  text: fc.oneof(
    {
      weight: SENSIBLE,
      arbitrary: fc.tuple(
        fc.integer({ min: 1, max: 32 }),
        fc.integer({ min: 1, max: 10 }),
        fc.integer({ min: 1, max: 200 }),
      ),
    },
    { weight: 1, arbitrary: fc.tuple(fc.nat({ max: 33 }), fc.nat({ max: 11 }), fc.nat({ max: 201 })) },
  ),
  shares: fc.oneof(
    {
      weight: SENSIBLE,
      arbitrary: fc.tuple(
        fc.constantFrom(0, 25, 50, 100, 200, 500),
        fc.nat({ max: 3_333 }),
        fc.nat({ max: 3_333 }),
        fc.nat({ max: 3_333 }),
      ),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(
        fc.nat({ max: 0xffff }),
        fc.nat({ max: 0xffff }),
        fc.nat({ max: 0xffff }),
        fc.nat({ max: 0xffff }),
      ),
    },
  ),
  ...options,
});

const settings = fc.record({
  is: is('adminSetProperties'),
  virtualSol: fc.oneof({ weight: SENSIBLE, arbitrary: virtualSol }, { weight: 1, arbitrary: extreme }),
  virtualToken: fc.oneof({ weight: SENSIBLE, arbitrary: virtualToken }, { weight: 1, arbitrary: u64 }),
  feeBps: fc.oneof(
    { weight: SENSIBLE, arbitrary: feeBps },
    { weight: 1, arbitrary: fc.nat({ max: 0xffff }) },
  ),
  ...options,
});

const lamports = fc.oneof(
  { weight: 3, arbitrary: fc.bigInt({ min: 10n ** 9n, max: 10n ** 12n }) },
  { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: 10n ** 7n }) },
  { weight: 1, arbitrary: fc.constantFrom(0n, 890_880n, U64_MAX - 10n ** 6n, U64_MAX) },
);

const call: fc.Arbitrary<CallStep> = fc.oneof(
  { weight: 60, arbitrary: trade },
  { weight: 8, arbitrary: fc.record({ is: is('migrate'), token, ...options }) },
  { weight: 4, arbitrary: fc.record({ is: is('validateLogRecord'), ...options }) },
  { weight: 2, arbitrary: creation },
  { weight: 3, arbitrary: settings },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 77, arbitrary: call },
  {
    weight: 4,
    arbitrary: fc.record({ is: is('several'), calls: fc.array(call, { minLength: 2, maxLength: 4 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      is: is('set curve'),
      token,
      state: fc.record({
        initialized: fc.nat({ max: 4 }),
        virtualSol: fc.oneof(u64, extreme),
        virtualToken: fc.oneof(
          off.map((by) => GRADUATION_VIRTUAL_TOKEN + by),
          u64,
        ),
      }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ is: is('set curve balance'), token, sells: fc.boolean(), off }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      is: is('donate lamports'),
      to: position,
      lamports: fc.oneof(fc.bigInt({ min: 0n, max: 10n ** 10n }), u64),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ is: is('donate tokens'), token, from: trader, to: position, millionths }),
  },
  { weight: 3, arbitrary: fc.record({ is: is('set balance'), of: trader, lamports }) },
  {
    weight: 3,
    arbitrary: fc.record({
      is: is('set token account'),
      token,
      of: trader,
      to: fc.constantFrom('open', 'open', 'open', 'frozen', 'blank', 'closed'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      is: is('set rent'),
      lamportsPerByte: fc.constantFrom(0n, 1n, 3_480n, 6_960n, 6_960n, 70_000n),
      threshold: fc.constantFrom(...RENT_THRESHOLDS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      is: is('set time'),
      unixTimestamp: fc.oneof(
        fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
        fc.constantFrom(0n, 1_800_000_000n),
      ),
    }),
  },
);

/** Maximum number of steps in an arena. */
export const MOST_STEPS = 160;

export const steps: fc.Arbitrary<Step[]> = fc.array(step, {
  minLength: 1,
  maxLength: MOST_STEPS,
  size: 'max',
});

export const arenaSpec: fc.Arbitrary<ArenaSpec> = fc
  .record({
    // Shrinking the seed would not simplify the case.
    seed: fc.noShrink(fc.nat()),
    virtualSol,
    virtualToken,
    feeBps,
    traderLamports: fc.constantFrom(10n ** 9n, 10n ** 11n, 10n ** 11n, 10n ** 12n, 10n ** 18n),
    feeReceiverLamports: fc.constantFrom(10n ** 12n, 0n, 890_880n, U64_MAX - 10n ** 9n),
  })
  .map((spec) => ({ ...spec, virtualSol: lower(spec.virtualSol, mostVirtualSol(spec.virtualToken)) }));

/** The largest initial reserve with which a curve can graduate: the final reserve must fit a u64. */
function mostVirtualSol(virtualToken: bigint): bigint {
  return (GRADUATION_VIRTUAL_TOKEN * U64_MAX) / virtualToken;
}

function lower(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
