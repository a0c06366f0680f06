// Cases that both entries of the SDK must build identically, or refuse identically.
import { Keypair, PublicKey } from '@solana/web3.js';
import * as web3 from '@curvekit/sdk';
import { DEFAULT_PROPERTIES } from '@curvekit/testing';
import { MINT_RENT } from '#tests/constants.js';

const key = () => Keypair.generate().publicKey;
export const [mint, payer] = [key(), key()];
const account = key();

export const TERMS = {
  ...{ mint, payer, name: 'Curvy', symbol: 'CURV', uri: 'https://example.org/curvy.json' },
  mintRentLamports: MINT_RENT,
};
const SHARES = { afterMigrationFee: 500, afterMigrationBurnBp: 1_000, afterMigrationLpBp: 2_000 };
export const BUY = { mint, payer, solToSpend: 10n, minTokenToReceive: 3n };
export const SELL = { mint, payer, tokenToSpend: 10n, minSolToReceive: 3n };
const FIRST_BUY = { solToSpend: 5n, minTokenToReceive: 0n };
export const KEY_HELD = web3.KEY_HELD_DEPLOYMENT;
export const OTHER = web3.createDeployment({
  programId: key(),
  admin: key(),
  feeReceiver: key(),
  dexOwner: key(),
  graduation: { programId: key(), treasury: key() },
});

export const CURVE = { initialized: 1, virtualSol: 30_000_000_000n, virtualToken: 1_073_000_000_000_000n };
export const STATE = { ...CURVE, afterMigrationFee: 0, afterMigrationBurnBp: 0, platformFeeBps: 100 };
export const POOL = {
  amm: 'raydium-cpmm',
  sol: 85_000_000_000n,
  token: 206_900_000_000_000n,
  tradable: true,
  openTime: 0n,
  tradeFeeRate: 2_500n,
  protocolFeeRate: 120_000n,
  fundFeeRate: 40_000n,
  creatorFeeRate: 0n,
  creatorFeeSide: 'input',
} as const;
export const ON_CURVE: web3.Market = { venue: 'curve', mint, curve: STATE };
export const POOL_ADDRESS = web3.poolAddress(mint).address;
export const IN_POOL: web3.Market = {
  venue: 'pool',
  mint,
  curve: { ...STATE, initialized: 3 },
  pool: POOL,
  addresses: web3.AMM.addresses(POOL_ADDRESS, mint),
};
export const WAITING: web3.Market = {
  venue: 'graduating',
  mint,
  curve: { ...STATE, initialized: 2 },
  poolAddress: POOL_ADDRESS,
};

/** A builder that both entries have, called with arguments of the main one. */
export type Builder =
  'createToken' | 'buy' | 'sell' | 'migrate' | 'adminSetProperties' | 'graduate' | 'sweepFees';
export type Params = Readonly<Record<string, unknown>>;

export const BUILT: readonly (readonly [name: string, builder: Builder, params: Params])[] = [
  ['a token', 'createToken', TERMS],
  ['a token with shares and a first buy', 'createToken', { ...TERMS, ...SHARES, firstBuy: FIRST_BUY }],
  ['a token whose mint has lamports', 'createToken', { ...TERMS, mintLamports: 1n }],
  ['a token whose mint has its rent', 'createToken', { ...TERMS, mintLamports: MINT_RENT }],
  ['a token of another build', 'createToken', { ...TERMS, firstBuy: FIRST_BUY, deployment: OTHER }],
  ['a buy', 'buy', BUY],
  ['a buy into an account', 'buy', { ...BUY, userTokenAccount: account }],
  ['a buy without an account', 'buy', { ...BUY, createTokenAccount: false }],
  ['a buy with a nonce', 'buy', { ...BUY, pdaTokenNonce: web3.curveAddress(mint).bump }],
  ['a buy of another build', 'buy', { ...BUY, deployment: OTHER }],
  ['a buy of a market', 'buy', { ...BUY, mint: undefined, market: ON_CURVE }],
  ['a buy from a pool', 'buy', { ...BUY, mint: undefined, market: IN_POOL }],
  ['a buy that keeps wrapped SOL', 'buy', { ...BUY, market: IN_POOL, keepWrappedSol: true }],
  ['a sell', 'sell', SELL],
  ['a sell from an account', 'sell', { ...SELL, userTokenAccount: account, closeTokenAccount: true }],
  ['a sell of another build', 'sell', { ...SELL, deployment: OTHER }],
  ['a sell to a pool', 'sell', { ...SELL, mint: undefined, market: IN_POOL, closeTokenAccount: true }],
  ['a migration', 'migrate', { mint }],
  ['a migration into an account', 'migrate', { mint, feeTokenAccount: account }],
  ['a migration of another build', 'migrate', { mint, deployment: OTHER }],
  ['properties', 'adminSetProperties', DEFAULT_PROPERTIES],
  ['properties of another build', 'adminSetProperties', { ...DEFAULT_PROPERTIES, deployment: OTHER }],
  ['a graduation', 'graduate', { mint, payer }],
  ['a sweep', 'sweepFees', {}],
  ['a sweep of another build', 'sweepFees', { deployment: OTHER }],
];

const zero = PublicKey.default;
/** 280e12 · (2^64 − 1) / 1,073e12. With more, the SOL reserve at graduation would overflow a u64. */
const MOST_VIRTUAL_SOL = 4_813_689_040_669_780_477n;
const otherNonce = (web3.curveAddress(mint).bump + 1) % 256;

/** Bounds that both entries accept. */
export const BOUNDS: readonly (readonly [name: string, builder: Builder, params: Params])[] = [
  ['the longest texts, in bytes', 'createToken', { ...TERMS, name: '🌊'.repeat(8), symbol: 'é'.repeat(5) }],
  ['the longest uri', 'createToken', { ...TERMS, uri: 'u'.repeat(200) }],
  ...[
    { initialVirtualToken: 10n ** 15n + 1n },
    { initialVirtualToken: 128n * 10n ** 13n - 1n },
    { initialVirtualSol: 1n, platformFeeBps: 0 },
    { initialVirtualSol: MOST_VIRTUAL_SOL, platformFeeBps: 1_000 },
  ].map(
    (values) =>
      ['properties at a bound', 'adminSetProperties', { ...DEFAULT_PROPERTIES, ...values }] as const,
  ),
];

/** What each builder refuses: the name of the argument, and the wrong values, one at a time. */
export const REFUSED: readonly (readonly [
  builder: Builder,
  right: Params,
  argument: string,
  wrong: readonly Params[],
])[] = [
  ['buy', BUY, 'mint', [{ mint: undefined }, { mint: 5 }, { mint: zero }]],
  ['buy', BUY, 'payer', [{ payer: zero }]],
  ['buy', BUY, 'solToSpend', [0n, -1n, 1, 2n ** 64n].map((solToSpend) => ({ solToSpend }))],
  ['buy', BUY, 'minTokenToReceive', [{ minTokenToReceive: undefined }, { minTokenToReceive: -1n }]],
  ['buy', BUY, 'userTokenAccount', [{ userTokenAccount: {} }]],
  ['buy', BUY, 'createTokenAccount', [{ userTokenAccount: account, createTokenAccount: true }]],
  ['buy', BUY, 'pdaTokenNonce', [{ pdaTokenNonce: otherNonce }]],
  ['buy', { ...BUY, market: IN_POOL }, 'solToSpend', [{ solToSpend: 0n }]],
  ['buy', { ...BUY, market: IN_POOL }, 'minTokenToReceive', [{ minTokenToReceive: -1n }]],
  ['buy', { ...BUY, market: IN_POOL }, 'payer', [{ payer: zero }]],
  ['sell', SELL, 'mint', [{ mint: zero }, { mint: undefined }]],
  ['sell', SELL, 'tokenToSpend', [{ tokenToSpend: 0n }, { tokenToSpend: 2n ** 64n }]],
  ['sell', SELL, 'minSolToReceive', [{ minSolToReceive: -1n }]],
  ['sell', SELL, 'userTokenAccount', [{ userTokenAccount: zero }]],
  ['sell', SELL, 'pdaTokenNonce', [{ pdaTokenNonce: otherNonce }]],
  ['sell', { ...SELL, market: IN_POOL }, 'tokenToSpend', [{ tokenToSpend: 2n ** 64n }]],
  ['sell', { ...SELL, market: IN_POOL }, 'minSolToReceive', [{ minSolToReceive: -1n }]],
  ['migrate', { mint }, 'mint', [{ mint: 5 }]],
  ['migrate', { mint }, 'pdaTokenNonce', [{ pdaTokenNonce: otherNonce }]],
  ['migrate', { mint }, 'feeTokenAccount', [{ feeTokenAccount: {} }]],
  ['createToken', TERMS, 'payer', [{ payer: zero }]],
  ['createToken', TERMS, 'mint', [{ mint: zero }]],
  [
    ...(['createToken', TERMS, 'name'] as const),
    ['', '\u3164\u200b\u2800', 'n'.repeat(33), '🌊'.repeat(9), '🌊'.slice(0, 1), 5].map((name) => ({ name })),
  ],
  ['createToken', TERMS, 'symbol', [{ symbol: '🌊'.slice(0, 1) }, { symbol: 's'.repeat(11) }]],
  ['createToken', TERMS, 'uri', [{ uri: undefined }, { uri: 'u'.repeat(201) }]],
  ['createToken', TERMS, 'afterMigrationFee', [{ afterMigrationFee: 99 }]],
  ['createToken', TERMS, 'afterMigrationBurnBp', [{ afterMigrationBurnBp: -1 }]],
  ['createToken', TERMS, 'afterMigrationHoldersBp', [{ afterMigrationHoldersBp: 10_001 }]],
  [
    ...(['createToken', TERMS, 'afterMigrationLpBp'] as const),
    [{ afterMigrationBurnBp: 9_999, afterMigrationLpBp: 2 }],
  ],
  ['createToken', TERMS, 'firstBuy.solToSpend', [{ firstBuy: { ...FIRST_BUY, solToSpend: 0n } }]],
  [
    'createToken',
    TERMS,
    'firstBuy.minTokenToReceive',
    [{ firstBuy: { ...FIRST_BUY, minTokenToReceive: -1n } }],
  ],
  ['createToken', TERMS, 'mintLamports', [{ mintLamports: -1n }]],
  [
    'createToken',
    TERMS,
    'mintRentLamports',
    [0n, undefined, 2n ** 53n].map((mintRentLamports) => ({ mintRentLamports })),
  ],
  ['createToken', TERMS, 'pdaTokenNonce', [{ pdaTokenNonce: otherNonce }]],
  [
    ...(['adminSetProperties', DEFAULT_PROPERTIES, 'initialVirtualSol'] as const),
    [0n, -1n, MOST_VIRTUAL_SOL + 1n, 2n ** 64n].map((initialVirtualSol) => ({ initialVirtualSol })),
  ],
  [
    ...(['adminSetProperties', DEFAULT_PROPERTIES, 'initialVirtualToken'] as const),
    [{ initialVirtualToken: 10n ** 15n }, { initialVirtualToken: 128n * 10n ** 13n }],
  ],
  [
    ...(['adminSetProperties', DEFAULT_PROPERTIES, 'platformFeeBps'] as const),
    [1_001, -1, 1.5, 100n].map((platformFeeBps) => ({ platformFeeBps })),
  ],
];

/** Refused for another reason than an argument. */
export const CLOSED: readonly (readonly [name: string, builder: Builder, params: Params])[] = [
  ['a sell before the pool', 'sell', { ...SELL, market: WAITING }],
  ['a buy before the pool', 'buy', { ...BUY, market: WAITING }],
  ['a graduation by a key', 'graduate', { mint, payer, deployment: KEY_HELD }],
];
