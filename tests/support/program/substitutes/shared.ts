// Wrong accounts for those that several instructions share, and the program's refusals.
// threat: account-of-another-kind, cheaper-properties, fees-to-another
import { NATIVE_MINT, TOKEN_2022_PROGRAM_ID } from '@solana/spl-token';
import {
  Keypair,
  SYSVAR_EPOCH_SCHEDULE_PUBKEY,
  type PublicKey,
  type TransactionInstruction,
} from '@solana/web3.js';
import {
  ADMIN,
  associatedTokenAddress,
  ATA_PROGRAM_ADDRESS,
  DEX_OWNER,
  LOGGING_AUTHORITY_SEED,
  PROPERTIES_ADDRESS,
  SETTINGS_SEED,
  TOKEN_PROGRAM_ADDRESS,
} from '@curvekit/sdk';
import {
  MATCH,
  WRONG_FEE_RECEIVER,
  LOGICAL,
  ADDRESS,
  OTHER_MINT,
  OTHER_OWNER,
  DISCRIMINATOR,
  PROGRAM_OWNER,
  NOTHING_THERE,
} from '#tests/program/refusals.js';
import { nonCanonicalAddress, nonCanonicalCurve } from '#tests/program/non-canonical.js';
import type { Scene } from '#tests/program/scene.js';

export type WrongAccount = readonly [what: string, wrong: (scene: Scene) => PublicKey, refusal: string];
/** Wrong accounts for every account of an instruction. */
export type Substitutes<Accounts> = { readonly [Account in keyof Accounts]: readonly WrongAccount[] };

export interface Subject<Accounts> {
  readonly name: string;
  /** The instruction, valid except for these accounts. */
  readonly build: (scene: Scene, accounts: Partial<Accounts>) => TransactionInstruction;
  readonly substitutes: Substitutes<Accounts>;
}

/** A copy of this program at another address. */
export const COPY = Keypair.generate().publicKey;

export const wallet = ({ stranger }: Scene) => stranger.publicKey;
export const nothing = (scene: Scene) => scene.nothing;
export const ownAccount = ({ trader, token }: Scene) =>
  associatedTokenAddress(trader.publicKey, token.mint).address;
export const nonCanonical = (seed: Uint8Array) => (scene: Scene) =>
  nonCanonicalAddress([seed, scene.newMint.toBytes()]).address;

export const programs = (refusal: string, ...others: readonly (readonly [string, PublicKey])[]) =>
  [
    ...others.map(([what, address]): WrongAccount => [what, () => address, refusal]),
    ['a copy of this program', () => COPY, refusal],
    ['a wallet', wallet, refusal],
    ['an address without an account', nothing, refusal],
  ] satisfies WrongAccount[];

export const NOT_SYSTEM = programs('3008 InvalidProgramId', ['the token program', TOKEN_PROGRAM_ADDRESS]);
export const NOT_TOKEN = programs(
  '3008 InvalidProgramId',
  ['Token-2022', TOKEN_2022_PROGRAM_ID],
  ['the associated-token program', ATA_PROGRAM_ADDRESS],
);
export const NOT_THIS_PROGRAM = programs(ADDRESS, ['the token program', TOKEN_PROGRAM_ADDRESS]);

export const NOT_RENT: readonly WrongAccount[] = [
  ['another sysvar', () => SYSVAR_EPOCH_SCHEDULE_PUBKEY, '3015 AccountSysvarMismatch'],
  ['a wallet', wallet, '3015 AccountSysvarMismatch'],
];

export const NOT_LOG_AUTHORITY: readonly WrongAccount[] = [
  [
    'the address with a non-canonical bump',
    () => nonCanonicalAddress([LOGGING_AUTHORITY_SEED]).address,
    ADDRESS,
  ],
  ['the properties', () => PROPERTIES_ADDRESS, ADDRESS],
  ['a wallet', wallet, ADDRESS],
  ['an address without an account', nothing, ADDRESS],
];

export const NOT_PROPERTIES: readonly WrongAccount[] = [
  ['a curve', ({ token }) => token.curve.address, DISCRIMINATOR],
  ['a mint', ({ token }) => token.mint, PROGRAM_OWNER],
  ['a wallet', wallet, PROGRAM_OWNER],
  [
    'the address with a non-canonical bump',
    () => nonCanonicalAddress([SETTINGS_SEED]).address,
    NOTHING_THERE,
  ],
  ['an address without an account', nothing, NOTHING_THERE],
];

export const NOT_CURVE: readonly WrongAccount[] = [
  [
    'the address with a non-canonical nonce',
    ({ token }) => nonCanonicalCurve(token.mint).address,
    NOTHING_THERE,
  ],
  ['the properties', () => PROPERTIES_ADDRESS, DISCRIMINATOR],
  ['the mint', ({ token }) => token.mint, PROGRAM_OWNER],
  ['the vault', ({ token }) => token.vault.address, PROGRAM_OWNER],
  ['a wallet', wallet, PROGRAM_OWNER],
  ['an address without an account', nothing, NOTHING_THERE],
];

/** For instructions that trade. */
export const NOT_TRADED_CURVE: readonly WrongAccount[] = [
  ["another token's curve", ({ other }) => other.curve.address, MATCH],
  ['a graduated curve', ({ graduated }) => graduated.curve.address, MATCH],
  ...NOT_CURVE,
];

/** For instructions that trade. */
export const NOT_TRADED_MINT: readonly WrongAccount[] = [
  ["another token's", ({ other }) => other.mint, MATCH],
  ['wrapped SOL', () => NATIVE_MINT, MATCH],
  ['a mint of Token-2022', ({ mint2022 }) => mint2022, MATCH],
  ['an address without an account', nothing, MATCH],
];

export const NOT_FEE_RECEIVER: readonly WrongAccount[] = [
  ['the trader itself', ({ trader }) => trader.publicKey, WRONG_FEE_RECEIVER],
  ['the admin', () => ADMIN, WRONG_FEE_RECEIVER],
  ['the DEX owner', () => DEX_OWNER, WRONG_FEE_RECEIVER],
  ['the curve', ({ token }) => token.curve.address, WRONG_FEE_RECEIVER],
  ['a wallet', wallet, WRONG_FEE_RECEIVER],
  ['an address without an account', nothing, WRONG_FEE_RECEIVER],
];

export const NOT_TOKEN_ACCOUNT: readonly WrongAccount[] = [
  [
    'a blank account of the token program',
    ({ blankTokenAccount }) => blankTokenAccount,
    'Curve UninitializedAccount',
  ],
  ['the mint', ({ token }) => token.mint, 'Curve InvalidAccountData'],
  ['an account of Token-2022', ({ account2022 }) => account2022, PROGRAM_OWNER],
  ['a wallet', wallet, PROGRAM_OWNER],
  ['an address without an account', nothing, NOTHING_THERE],
];

export const NOT_USER_TOKEN_ACCOUNT: readonly WrongAccount[] = [
  [
    "the trader's account of another mint",
    ({ trader, other }) => associatedTokenAddress(trader.publicKey, other.mint).address,
    OTHER_MINT,
  ],
  ["the curve's account of another mint", ({ foreignVault }) => foreignVault, OTHER_OWNER],
  [
    "another wallet's account",
    ({ stranger, token }) => associatedTokenAddress(stranger.publicKey, token.mint).address,
    OTHER_OWNER,
  ],
  ['a second account of the curve', ({ secondVault }) => secondVault, OTHER_OWNER],
  ...NOT_TOKEN_ACCOUNT,
];

export const NOT_STORAGE = (
  name: 'communityWsolStorage' | 'communityTokenStorage',
  seed: Uint8Array,
): WrongAccount[] => [
  ["another token's storage", ({ token }) => token[name].address, LOGICAL],
  ['the address with a non-canonical bump', nonCanonical(seed), LOGICAL],
  ["a wallet's token account", ownAccount, LOGICAL],
  ['a wallet', wallet, LOGICAL],
  ['an address without an account', nothing, LOGICAL],
];
