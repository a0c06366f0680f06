// Cases that both entries of the SDK must build identically, or refuse identically.
import { Keypair, SystemProgram } from '@solana/web3.js';
import * as web3 from '@curvekit/sdk';
import { DEFAULT_PROPERTIES } from '@curvekit/testing';
import { MINT_RENT } from '#tests/constants.js';

export const key = () => Keypair.generate().publicKey;
export const [mint, payer, account] = [key(), key(), key()];

export const TERMS = {
  ...{ mint, payer, name: 'Curvy', symbol: 'CURV', uri: 'https://example.org/curvy.json' },
  mintRentLamports: MINT_RENT,
};
export const SHARES = { afterMigrationFee: 500, afterMigrationBurnBp: 1_000, afterMigrationLpBp: 2_000 };
export const BUY = { mint, payer, solToSpend: 10n, minTokenToReceive: 3n };
export const SELL = { mint, payer, tokenToSpend: 10n, minSolToReceive: 3n };
export const FIRST_BUY = { solToSpend: 5n, minTokenToReceive: 0n };
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

export const text = mint.toBase58();
export const zero = SystemProgram.programId;
export const REFUSED: readonly (readonly [name: string, builder: Builder, params: Params])[] = [
  ['no mint', 'buy', { ...BUY, mint: undefined }],
  ['the zero key as mint', 'sell', { ...SELL, mint: zero }],
  ['a mint that is a number', 'migrate', { mint: 5 }],
  ['the zero key as payer', 'createToken', { ...TERMS, payer: zero }],
  ['the zero key as new mint', 'createToken', { ...TERMS, mint: zero }],
  ['a buy of nothing', 'buy', { ...BUY, solToSpend: 0n }],
  ['a buy of a number', 'buy', { ...BUY, solToSpend: 1 }],
  ['a buy above u64', 'buy', { ...BUY, solToSpend: 2n ** 64n }],
  ['no minimum', 'buy', { ...BUY, minTokenToReceive: undefined }],
  ['an invalid token account', 'buy', { ...BUY, userTokenAccount: {} }],
  ['the zero key as token account', 'sell', { ...SELL, userTokenAccount: zero }],
  ['a given account to create', 'buy', { ...BUY, userTokenAccount: account, createTokenAccount: true }],
  ['another nonce', 'buy', { ...BUY, pdaTokenNonce: 1 }],
  ['another nonce', 'sell', { ...SELL, pdaTokenNonce: 1 }],
  ['another nonce', 'createToken', { ...TERMS, pdaTokenNonce: 1 }],
  ['a sell of nothing', 'sell', { ...SELL, tokenToSpend: 0n }],
  ['a negative minimum', 'sell', { ...SELL, minSolToReceive: -1n }],
  ['a sell before the pool', 'sell', { ...SELL, market: WAITING }],
  ['a buy before the pool', 'buy', { ...BUY, market: WAITING }],
  ['a pool buy of nothing', 'buy', { ...BUY, market: IN_POOL, solToSpend: 0n }],
  ['no name', 'createToken', { ...TERMS, name: '' }],
  ['a name of invisible letters', 'createToken', { ...TERMS, name: '\u3164\u200b\u2800' }],
  ['33 bytes of name', 'createToken', { ...TERMS, name: 'n'.repeat(33) }],
  ['half an emoji', 'createToken', { ...TERMS, symbol: '🌊'.slice(0, 1) }],
  ['no uri', 'createToken', { ...TERMS, uri: undefined }],
  ['a fee outside the set', 'createToken', { ...TERMS, afterMigrationFee: 99 }],
  ['too large shares', 'createToken', { ...TERMS, afterMigrationBurnBp: 9_999, afterMigrationLpBp: 2 }],
  ['a first buy of nothing', 'createToken', { ...TERMS, firstBuy: { ...FIRST_BUY, solToSpend: 0n } }],
  ['negative lamports', 'createToken', { ...TERMS, mintLamports: -1n }],
  ['no virtual SOL', 'adminSetProperties', { ...DEFAULT_PROPERTIES, initialVirtualSol: 0n }],
  ['too few virtual tokens', 'adminSetProperties', { ...DEFAULT_PROPERTIES, initialVirtualToken: 1n }],
  ['a fee above 10 %', 'adminSetProperties', { ...DEFAULT_PROPERTIES, platformFeeBps: 1_001 }],
  ['a graduation by a key', 'graduate', { mint, payer, deployment: KEY_HELD }],
];
