// The fixed addresses of a fuzzed world, and those of its tokens.
import {
  AMM,
  DEFAULT_DEPLOYMENT,
  graduate,
  GRADUATE_ACCOUNTS,
  NATIVE_MINT_ADDRESS,
  tokenAddresses,
  type TokenAddresses,
} from '@curvekit/sdk';
import type { PublicKey } from '@solana/web3.js';
import { createHash } from 'node:crypto';
import { OPENED } from '#tests/graduation/initialize.js';
import { callOf, keyOf, publicKeyOf, type Call, type Key } from '../differential/call.js';

type AccountName = keyof typeof GRADUATE_ACCOUNTS;
export const TRADERS = 3;
export const TOKENS = 4;
/** A step for token `ANY_STATE + n` is for token n, whatever its state. Others go to one where they can succeed. */
export const ANY_STATE = TOKENS;

/** No private keys exist for these addresses. The machine does not check signatures. */
export const keyNamed = (name: string): Key => keyOf(createHash('sha256').update(`fuzz ${name}`).digest());

export const RELAYER = keyNamed('relayer');
export const TRADER_KEYS: readonly Key[] = Array.from({ length: TRADERS }, (_, index) =>
  keyNamed(`trader ${index}`),
);
/** A configuration of the AMM that Raydium could have made as well: another fee. */
export const OTHER_CONFIG = keyNamed('other configuration');

const { admin, dexOwner, feeReceiver, graduation, properties } = DEFAULT_DEPLOYMENT;
export const ADMIN = keyOf(admin);
export const DEX_OWNER = keyOf(dexOwner);
export const FEE_RECEIVER = keyOf(feeReceiver);
export const TREASURY = keyOf(graduation.treasury);
export const PROPERTIES = keyOf(properties.address);

export interface AddressedToken extends TokenAddresses {
  readonly mint: PublicKey;
}

export interface TokenKeys {
  readonly index: number;
  readonly addressed: AddressedToken;
  readonly mint: Key;
  readonly curve: Key;
  readonly vault: Key;
  readonly metadata: Key;
  readonly storages: { readonly wsol: Key; readonly token: Key };
  /** The token accounts of the traders. */
  readonly held: readonly Key[];
  /** A second token account that belongs to the curve. */
  readonly second: Key;
  /** `graduate` by each trader. */
  readonly graduate: readonly Call[];
  readonly pool: { readonly sol: Key; readonly token: Key };
}

/** Every other token's mint sorts before wrapped SOL's, because the AMM orders its two sides by their mints. */
function mintOf(index: number): Key {
  for (let attempt = 0; ; attempt += 1) {
    const mint = keyNamed(`mint ${index} ${attempt}`);
    const sortsFirst = Buffer.compare(mint.bytes, NATIVE_MINT_ADDRESS.toBuffer()) < 0;
    if (sortsFirst === (index % 2 === 0)) return mint;
  }
}

function tokenKeys(index: number): TokenKeys {
  const mint = mintOf(index);
  const address = publicKeyOf(mint);
  const addresses = tokenAddresses(address);
  const calls = TRADER_KEYS.map((trader) =>
    callOf(graduate({ mint: address, payer: publicKeyOf(trader) })[0]!),
  );
  const pool = calls[0]!.metas[GRADUATE_ACCOUNTS.pool]!.key;
  const { vaults } = AMM.addresses(publicKeyOf(pool), address);
  return {
    index,
    addressed: { mint: address, ...addresses },
    mint,
    curve: keyOf(addresses.curve.address),
    vault: keyOf(addresses.vault.address),
    metadata: keyOf(addresses.metadata.address),
    storages: {
      wsol: keyOf(addresses.communityWsolStorage.address),
      token: keyOf(addresses.communityTokenStorage.address),
    },
    held: TRADER_KEYS.map((_, trader) => keyNamed(`tokens ${index} of ${trader}`)),
    second: keyNamed(`second account of curve ${index}`),
    graduate: calls,
    pool: { sol: keyOf(vaults.sol), token: keyOf(vaults.token) },
  };
}

export const TOKEN_KEYS: readonly TokenKeys[] = Array.from({ length: TOKENS }, (_, index) =>
  tokenKeys(index),
);

export function ofGraduation({ graduate }: TokenKeys, name: AccountName): Key {
  return graduate[0]!.metas[GRADUATE_ACCOUNTS[name]]!.key;
}

function places(): readonly Key[] {
  const keys = [
    ...TOKEN_KEYS.flatMap((token) => [
      token.curve,
      token.vault,
      token.mint,
      token.metadata,
      ...Object.values(token.storages),
      ...token.held,
      token.second,
      ...OPENED.map((name) => ofGraduation(token, name)),
    ]),
    ...TRADER_KEYS,
    FEE_RECEIVER,
    TREASURY,
    ADMIN,
    DEX_OWNER,
    PROPERTIES,
    OTHER_CONFIG,
    keyNamed('nothing'),
    ...TOKEN_KEYS[0]!.graduate[0]!.metas.map(({ key }) => key),
  ];
  return [...new Map(keys.map((key) => [key.hex, key])).values()];
}

/** Everything that a step can give something to, or substitute. */
export const PLACES: readonly Key[] = places();

const placeOf = (key: Key): number => PLACES.findIndex(({ hex }) => hex === key.hex);
/** Those that a creation or a graduation opens, by their numbers. */
export const OPENED_PLACES: readonly number[] = TOKEN_KEYS.flatMap((token) => [
  // As often as all of a graduation's.
  ...OPENED.map(() => placeOf(token.curve)),
  ...OPENED.map((name) => placeOf(ofGraduation(token, name))),
]);
