// One token with its traders, and every wrong account that somebody could pass instead of a right one.
import {
  adminSetPropertiesInstruction,
  associatedTokenAddress,
  ATA_PROGRAM_ADDRESS,
  createToken,
  DEFAULT_DEPLOYMENT,
  encodeTokenOwnerData,
  NATIVE_MINT_ADDRESS,
  RENT_SYSVAR_ADDRESS,
  STATUS_TRADING,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_OWNER_DATA_DISCRIMINATOR,
  TOKEN_PROGRAM_ADDRESS,
  tokenAddresses,
} from '@curvekit/sdk';
import { createHash } from 'node:crypto';
import { callOf, keyOf, publicKeyOf, type Key } from './call.js';
import type { Pair } from './pair.js';
import { tokenAccount, TOKEN_ACCOUNT_SIZE } from './token-account.js';

/** What a token starts with. */
export interface ArenaSpec {
  /** Makes the addresses. */
  readonly seed: number;
  readonly initialVirtualSol: bigint;
  readonly initialVirtualToken: bigint;
  readonly platformFeeBps: number;
  /** What each trader and the fee receiver hold. */
  readonly traderLamports: bigint;
  readonly feeReceiverLamports: bigint;
}

export interface Arena {
  readonly mint: Key;
  readonly curve: Key;
  readonly nonce: number;
  readonly vault: Key;
  readonly traders: readonly { readonly wallet: Key; readonly tokens: Key }[];
  readonly feeTokens: Key;
  readonly relayer: Key;
  /** Everything that a step may put in an account's place, by name. */
  readonly pool: ReadonlyMap<string, Key>;
}

export const TRADERS = 3;
export const LOWEST_RENT = 1_000_000_000n;
const { programId, properties, logAuthority, feeReceiver, admin, dexOwner } = DEFAULT_DEPLOYMENT;
const SYSTEM = SYSTEM_PROGRAM_ADDRESS.toBytes();
const TOKEN = TOKEN_PROGRAM_ADDRESS.toBytes();

/** An address that nobody has the key of; the machine checks no signatures. */
function named(seed: number, name: string): Key {
  return keyOf(createHash('sha256').update(`${seed} ${name}`).digest());
}

export function openArena(pair: Pair, spec: ArenaSpec): Arena {
  const key = (name: string) => named(spec.seed, name);
  const wallet = (address: Key, lamports: bigint) =>
    pair.setAccount(address, { lamports, owner: SYSTEM, data: new Uint8Array() });
  const relayer = key('relayer');
  for (const rich of [relayer, keyOf(admin)]) wallet(rich, 10n ** 15n);

  setProperties(pair, relayer, spec);
  const [mint, otherMint] = [key('mint'), key('other mint')];
  for (const each of [mint, otherMint]) create(pair, relayer, each);
  const [own, other] = [tokenAddresses(publicKeyOf(mint)), tokenAddresses(publicKeyOf(otherMint))];
  const curve = keyOf(own.curve.address);

  const pool = new Map<string, Key>();
  const put = (name: string, owner: Uint8Array, data: Uint8Array, lamports = LOWEST_RENT): Key => {
    const address = key(name);
    pair.setAccount(address, { lamports, owner, data });
    pool.set(name, address);
    return address;
  };
  const tokens = (address: Key, owner: Key, fields: Parameters<typeof tokenAccount>[0] = {}): Key => {
    const data = tokenAccount({ mint, owner, ...fields });
    pair.setAccount(address, { lamports: LOWEST_RENT, owner: TOKEN, data });
    return address;
  };

  const traders = Array.from({ length: TRADERS }, (_, index) => {
    const trader = key(`trader ${index}`);
    wallet(trader, spec.traderLamports);
    const account = associatedTokenAddress(publicKeyOf(trader), publicKeyOf(mint)).address;
    return { wallet: trader, tokens: tokens(keyOf(account), trader) };
  });
  wallet(keyOf(feeReceiver), spec.feeReceiverLamports);
  const feeTokens = tokens(key('fee tokens'), keyOf(feeReceiver));
  const [trader] = traders as [(typeof traders)[number]];

  const addTokens = (name: string, owner: Key, fields: Parameters<typeof tokenAccount>[0] = {}) =>
    pool.set(name, tokens(key(name), owner, fields));
  addTokens("trader's tokens of another mint", trader.wallet, { mint: otherMint, amount: 10n ** 12n });
  addTokens("trader's second account", trader.wallet, { delegate: relayer, closeAuthority: relayer });
  addTokens("trader's frozen account", trader.wallet, { state: 2, amount: 10n ** 9n });
  addTokens("curve's second account", curve, { amount: 10n ** 14n });
  addTokens("curve's tokens of another mint", curve, { mint: otherMint, amount: 10n ** 12n });
  addTokens('account that owns itself', key('account that owns itself'), { amount: 10n ** 12n });
  addTokens("fee receiver's tokens of another mint", keyOf(feeReceiver), { mint: otherMint });

  const forged = encodeTokenOwnerData({
    initialized: STATUS_TRADING,
    virtualSol: 1n,
    virtualToken: 10n ** 15n,
    afterMigrationFee: 0,
    afterMigrationBurnBp: 0,
  });
  const withTag = forged.length === 29 ? forged : Buffer.concat([TOKEN_OWNER_DATA_DISCRIMINATOR, forged]);
  for (const size of [0, 7, 8, 28, 29, 100]) put(`${size} bytes of the program`, programId.toBytes(), new Uint8Array(size));
  put('forged curve of the program', programId.toBytes(), withTag);
  put('forged curve of the system program', SYSTEM, withTag);
  put('forged curve of the token program', TOKEN, withTag);
  for (const size of [0, 82, TOKEN_ACCOUNT_SIZE, 355]) put(`${size} bytes of the token program`, TOKEN, new Uint8Array(size));
  put('wallet', SYSTEM, new Uint8Array());
  pool.set('nothing', key('nothing'));

  const known = {
    mint, curve, otherMint,
    vault: keyOf(own.vault.address),
    'fee tokens': feeTokens,
    'other curve': keyOf(other.curve.address),
    'other vault': keyOf(other.vault.address),
    'own storage': keyOf(own.communityTokenStorage.address),
    'wsol storage': keyOf(own.communityWsolStorage.address),
    metadata: keyOf(own.metadata.address),
    properties: keyOf(properties.address),
    'log authority': keyOf(logAuthority.address),
    'fee receiver': keyOf(feeReceiver),
    admin: keyOf(admin),
    'DEX owner': keyOf(dexOwner),
    program: keyOf(programId),
    'token program': keyOf(TOKEN_PROGRAM_ADDRESS),
    'system program': keyOf(SYSTEM_PROGRAM_ADDRESS),
    'ATA program': keyOf(ATA_PROGRAM_ADDRESS),
    'native mint': keyOf(NATIVE_MINT_ADDRESS),
    'rent sysvar': keyOf(RENT_SYSVAR_ADDRESS),
  };
  for (const [name, address] of Object.entries(known)) pool.set(name, address);
  traders.forEach((each, index) => {
    pool.set(`trader ${index}`, each.wallet);
    pool.set(`tokens ${index}`, each.tokens);
  });
  const vault = keyOf(own.vault.address);
  return { mint, curve, nonce: own.curve.bump, vault, traders, feeTokens, relayer, pool };
}

export function setProperties(
  pair: Pair,
  relayer: Key,
  { initialVirtualSol, initialVirtualToken, platformFeeBps }: Omit<ArenaSpec, 'seed' | 'traderLamports' | 'feeReceiverLamports'>,
): void {
  const instruction = adminSetPropertiesInstruction(
    {
      adminAccount: admin,
      propertiesAccount: properties.address,
      systemProgram: SYSTEM_PROGRAM_ADDRESS,
      rentSysvar: RENT_SYSVAR_ADDRESS,
    },
    { initialVirtualSol, initialVirtualToken, platformFeeBps, bump: properties.bump },
    programId,
  );
  // The admin pays the fee, so that it can pay the rent of the first call.
  requireSuccess('adminSetProperties', pair.send([callOf(instruction)], keyOf(admin)).error);
  void relayer;
}

function create(pair: Pair, payer: Key, mint: Key): void {
  const instructions = createToken({
    mint: publicKeyOf(mint),
    payer: publicKeyOf(payer),
    name: 'Differential',
    symbol: 'DIFF',
    uri: 'https://example.org/differential.json',
    afterMigrationFee: 100,
    afterMigrationBurnBp: 2_000,
    afterMigrationHoldersBp: 3_000,
    afterMigrationLpBp: 2_000,
  });
  requireSuccess('createToken', pair.send(instructions.map(callOf), payer).error);
}

function requireSuccess(what: string, error: string | undefined): void {
  if (error !== undefined) throw new Error(`${what} failed on both builds: ${error}`);
}
