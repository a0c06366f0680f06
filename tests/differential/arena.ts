// Two tokens with their traders, and all wrong accounts that a caller could pass.
import {
  ATA_PROGRAM_ADDRESS,
  DEFAULT_DEPLOYMENT,
  encodeTokenOwnerData,
  NATIVE_MINT_ADDRESS,
  RENT_SYSVAR_ADDRESS,
  STATUS_TRADING,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  tokenAddresses,
} from '@curvekit/sdk';
import { createHash } from 'node:crypto';
import { nonCanonicalCurve } from '#tests/program/non-canonical.js';
import { keyOf, publicKeyOf, type Call, type Key } from './call.js';
import { createCall, propertiesCall, type AddressedToken, type Terms } from './instructions.js';
import type { Pair } from './pair.js';
import type { StoredAccount } from './svm.js';
import { tokenAccount, TOKEN_ACCOUNT_SIZE } from './token-account.js';

/** A launchpad's usual settings. */
export const SETTINGS = {
  initialVirtualSol: 30_000_000_000n,
  initialVirtualToken: 1_073_000_000_000_000n,
  platformFeeBps: 100,
};
/** Initial lamports of each trader. */
const FUNDS = 10n ** 12n;

export interface ArenaToken extends AddressedToken {
  /** Token accounts by trader. The fee receiver's is last. */
  readonly held: readonly Key[];
}

export interface Arena {
  readonly tokens: readonly [ArenaToken, ArenaToken];
  /** The last is the fee receiver, which can trade as well. */
  readonly traders: readonly Key[];
  /** Pays the fees of other wallets' transactions. */
  readonly relayer: Key;
  /** All accounts that a step can substitute, by name. */
  readonly pool: readonly (readonly [name: string, key: Key])[];
  /** By token: the initial state of the accounts that its trades change. */
  readonly created: readonly (readonly (readonly [key: Key, account: StoredAccount])[])[];
  /** Copies an account to an address that differs in one bit of the given byte. */
  readonly nearMiss: (key: Key, byte: number) => Key;
  /** A token with only a blank mint. Returns the same one until it is created. */
  readonly unborn: () => AddressedToken;
}

/** Initial token units of each holder: a million tokens. */
export const HELD = 10n ** 12n;
/** Number of traders, including the fee receiver. */
export const HOLDERS = 4;
/** Lamports that exempt any account of the test at the usual rent. */
export const RENT = 10_000_000n;
/** Unix seconds. */
const USUAL_TIME = 1_800_000_000n;
export const USUAL_RENT_PER_BYTE = 6_960n;
export const USUAL_TERMS: Terms = {
  name: 'Differential',
  symbol: 'DIFF',
  uri: 'https://example.org/differential.json',
  afterMigrationFee: 100,
  afterMigrationBurnBp: 2_000,
  afterMigrationHoldersBp: 3_000,
  afterMigrationLpBp: 2_000,
};

const { programId, properties, logAuthority, feeReceiver, admin, dexOwner } = DEFAULT_DEPLOYMENT;
export const SYSTEM = SYSTEM_PROGRAM_ADDRESS.toBytes();
export const TOKEN = TOKEN_PROGRAM_ADDRESS.toBytes();
const ADMIN = keyOf(admin);
const FEE_RECEIVER = keyOf(feeReceiver);
const PROPERTIES = keyOf(properties.address);
/** More than half of the u64 range, so that a transfer can overflow a balance. */
const RICH = 15n * 10n ** 18n;
/** The same program, deployed at an address that it was not built for. */
export const OTHER_DEPLOYMENT = keyOf(createHash('sha256').update('other deployment').digest());

const NOTHING: StoredAccount = { lamports: 0n, owner: SYSTEM, data: new Uint8Array() };

export function wallet(lamports: bigint): StoredAccount {
  return { lamports, owner: SYSTEM, data: new Uint8Array() };
}

/** The empty account of the token program that `createToken` needs as mint. */
function blankMint(): StoredAccount {
  return { lamports: RENT, owner: TOKEN, data: new Uint8Array(82) };
}

/** @param seed the addresses are derived from it. @throws Difference when the two builds differ while the arena is opened */
export function openArena(pair: Pair, seed: number): Arena {
  // No private keys exist for these addresses. The machines do not check signatures.
  const key = (name: string): Key => keyOf(createHash('sha256').update(`${seed} ${name}`).digest());
  pair.setRent(USUAL_RENT_PER_BYTE, 1);
  pair.setTime(USUAL_TIME);
  const relayer = key('relayer');
  for (const rich of [relayer, ADMIN]) pair.setAccount(rich, wallet(RICH));
  pair.setAccount(PROPERTIES, NOTHING);

  const mints = [key('mint'), key('other mint')] as const;
  const traders = [key('trader 0'), key('trader 1'), key('trader 2'), FEE_RECEIVER];
  const [own, other] = mints.map((mint, index): ArenaToken => {
    const address = publicKeyOf(mint);
    const held = traders.map((_, trader) => key(`tokens ${index} of ${trader}`));
    return { mint: address, ...tokenAddresses(address), held };
  }) as [ArenaToken, ArenaToken];

  // The admin pays the fee, so that it can pay the rent of the settings.
  send(pair, 'adminSetProperties', propertiesCall(SETTINGS), ADMIN);
  for (const token of [own, other]) {
    pair.setAccount(keyOf(token.mint), blankMint());
    send(pair, 'createToken', createCall(token, publicKeyOf(relayer), USUAL_TERMS), relayer);
  }
  for (const trader of traders) pair.setAccount(trader, wallet(FUNDS));
  for (const token of [own, other]) {
    token.held.forEach((held, index) => {
      const data = tokenAccount({ mint: keyOf(token.mint), owner: traders[index]!, amount: HELD });
      pair.setAccount(held, { lamports: RENT, owner: TOKEN, data });
    });
  }

  const pool = [...poolOf(pair, key, own, other, traders), ['relayer', relayer] as const];
  const created = [own, other].map(({ curve, vault }) =>
    [keyOf(curve.address), keyOf(vault.address)].map((key) => [key, pair.account(key)!] as const),
  );
  return {
    tokens: [own, other],
    traders,
    relayer,
    pool,
    created,
    nearMiss: (key, byte) => nearMiss(pair, key, byte),
    unborn: unbornTokens(pair, key),
  };
}

function nearMiss(pair: Pair, right: Key, byte: number): Key {
  const key = keyOf(right.bytes.map((each, index) => (index === byte ? each ^ 1 : each)));
  const { lamports, owner, data } = pair.account(right) ?? NOTHING;
  // The near miss of a near miss is the original address. Do not overwrite a program there.
  if (pair.account(key)?.executable !== true) pair.setAccount(key, { lamports, owner, data });
  return key;
}

function unbornTokens(pair: Pair, key: (name: string) => Key): () => AddressedToken {
  let count = 0;
  let next: AddressedToken | undefined;
  return () => {
    // Keep the token, because deriving its addresses is slow.
    if (next === undefined || pair.account(keyOf(next.mint))?.data.some((byte) => byte !== 0) !== false) {
      const mint = key(`mint ${count++}`);
      pair.setAccount(mint, blankMint());
      next = { mint: publicKeyOf(mint), ...tokenAddresses(publicKeyOf(mint)) };
    }
    return next;
  };
}

function poolOf(
  pair: Pair,
  key: (name: string) => Key,
  own: ArenaToken,
  other: ArenaToken,
  traders: readonly Key[],
): (readonly [string, Key])[] {
  const pool = new Map<string, Key>();
  const put = (name: string, owner: Uint8Array, data: Uint8Array, lamports = RENT): void => {
    const address = key(name);
    pair.setAccount(address, { lamports, owner, data });
    pool.set(name, address);
  };
  const mint = keyOf(own.mint);
  const [first, second] = traders as [Key, Key];
  const putTokens = (name: string, fields: Parameters<typeof tokenAccount>[0]): void =>
    put(name, TOKEN, tokenAccount({ mint, ...fields }));

  putTokens("trader 0's second account", {
    owner: first,
    delegate: second,
    closeAuthority: second,
    amount: 10n ** 9n,
  });
  putTokens("trader 0's frozen account", { owner: first, state: 2, amount: 10n ** 9n });
  putTokens("curve's second account", { owner: keyOf(own.curve.address), amount: 10n ** 14n });
  putTokens("curve's tokens of the other mint", {
    owner: keyOf(own.curve.address),
    mint: keyOf(other.mint),
    amount: 10n ** 12n,
  });
  putTokens('account that owns itself', { owner: key('account that owns itself'), amount: 10n ** 12n });

  const forged = encodeTokenOwnerData({
    initialized: STATUS_TRADING,
    virtualSol: 1n,
    virtualToken: 10n ** 15n,
    afterMigrationFee: 0,
    afterMigrationBurnBp: 0,
  });
  // Anyone can assign a blank account to the program. Another program can write a forged curve.
  for (const size of [0, 7, 8, 28, 29, 100]) {
    put(`${size} blank bytes of the program`, programId.toBytes(), new Uint8Array(size));
  }
  put('forged curve of another program', keyOf(ATA_PROGRAM_ADDRESS).bytes, forged);
  put('forged curve of the system program', SYSTEM, forged);
  for (const size of [0, 82, TOKEN_ACCOUNT_SIZE, TOKEN_ACCOUNT_SIZE + 1, 355]) {
    put(`${size} blank bytes of the token program`, TOKEN, new Uint8Array(size));
  }
  for (const [name, copied] of [
    ['copy of the settings', PROPERTIES],
    ['copy of the curve', keyOf(own.curve.address)],
    ['copy of the vault', keyOf(own.vault.address)],
  ] as const) {
    const { owner, data, lamports } = pair.account(copied)!;
    put(name, owner, data, lamports);
  }
  put('10,001 bytes', SYSTEM, new Uint8Array(10_001));
  put('wallet', SYSTEM, new Uint8Array());
  pool.set('nothing', key('nothing'));
  const ofOtherNonce = keyOf(nonCanonicalCurve(own.mint).address);
  pair.setAccount(ofOtherNonce, wallet(RENT));
  pool.set('curve of another nonce', ofOtherNonce);

  for (const [name, token] of [
    ['', own],
    ['other ', other],
  ] as const) {
    pool.set(`${name}mint`, keyOf(token.mint));
    pool.set(`${name}curve`, keyOf(token.curve.address));
    pool.set(`${name}vault`, keyOf(token.vault.address));
    pool.set(`${name}token storage`, keyOf(token.communityTokenStorage.address));
    pool.set(`${name}WSOL storage`, keyOf(token.communityWsolStorage.address));
    pool.set(`${name}metadata`, keyOf(token.metadata.address));
    token.held.forEach((held, index) => pool.set(`${name}tokens of trader ${index}`, held));
  }
  traders.forEach((trader, index) => pool.set(`trader ${index}`, trader));
  for (const [name, address] of Object.entries({
    settings: properties.address,
    'log authority': logAuthority.address,
    admin,
    'DEX owner': dexOwner,
    'this program': programId,
    'token program': TOKEN_PROGRAM_ADDRESS,
    'system program': SYSTEM_PROGRAM_ADDRESS,
    'ATA program': ATA_PROGRAM_ADDRESS,
    'metadata program': TOKEN_METADATA_PROGRAM_ADDRESS,
    'native mint': NATIVE_MINT_ADDRESS,
    'rent sysvar': RENT_SYSVAR_ADDRESS,
  })) {
    pool.set(name, keyOf(address));
  }
  pool.set('other deployment', OTHER_DEPLOYMENT);
  return [...pool];
}

function send(pair: Pair, what: string, call: Call, feePayer: Key): void {
  const { error } = pair.send(call, feePayer);
  if (error !== undefined) throw new Error(`${what} of the arena failed on both: ${error}`);
}
