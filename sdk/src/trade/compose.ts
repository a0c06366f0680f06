// What a caller adds to a trade or a launch: own instructions, a tip, a durable nonce, lookup tables.
import type {
  AccountInfo,
  AddressLookupTableAccount,
  PublicKey,
  TransactionInstruction,
} from '../chain/types.js';
import { compilable } from '../chain/tables.js';
import { isKey, requireAccountKey, requirePositiveU64, requireU64 } from '../checks/keys.js';
import { requireKnown } from '../checks/options.js';
import { LOOKUP_TABLES } from '../checks/programs.js';
import { buildInstruction } from '../codec/instruction.js';
import { encodeBase58 } from '../encoding/base58.js';
import { InvalidArgumentError, notA } from '../errors/base.js';
import { SYSTEM_PROGRAM_ADDRESS } from '../generated/program.js';
import { TRANSFER } from '../instructions/foreign.js';
import type { Reader } from '../rpc/reading.js';
import { COMPOSITION, type Composition, TIP } from './options.js';
import { advanceNonce, lifetimeOfNonce, readNonce } from '../transactions/nonce.js';
import type { Signer } from './signer.js';

/**
 * What a trade or a launch does besides, for its option `composition`. Apart, so that a page that only trades does not load it.
 *
 * @throws InvalidArgumentError for an unknown name
 */
export function compose(composition: Composition): Composed {
  requireKnown('composition', composition, COMPOSITION);
  return { ...composition, ...COMPOSER };
}

/** What {@link compose} returns. */
export interface Composed extends Composition, Composer {}

/** How the SDK applies a composition. */
type Composer = typeof COMPOSER;

/** @param keys that sign. Undefined when the caller has the transaction signed @throws InvalidArgumentError */
function requireComposition(composition: Composition, keys: readonly PublicKey[] | undefined): void {
  const { extraLamports, tip, nonce, lookupTables = [] } = composition;
  for (const name of ['before', 'after'] as const) requireInstructions(name, composition[name] ?? [], keys);
  if (extraLamports !== undefined) requireU64('extraLamports', extraLamports);
  if (tip !== undefined) {
    requireKnown('tip', tip, TIP);
    requireAccountKey('tip.to', tip.to);
    requirePositiveU64('tip.lamports', tip.lamports);
  }
  if (nonce !== undefined) requireAccountKey('nonce', nonce);
  if (!Array.isArray(lookupTables)) throw notA('lookupTables', 'a list', lookupTables);
  for (const [index, table] of lookupTables.entries()) {
    const { key, state } = Object(table) as Partial<AddressLookupTableAccount>;
    if (!isKey(key) || !Array.isArray(state?.addresses) || !state.addresses.every(isKey))
      throw new InvalidArgumentError(`lookupTables[${index}]`, 'must be a table with its addresses');
  }
}

function requireInstructions(
  name: string,
  given: readonly TransactionInstruction[],
  signers: readonly PublicKey[] | undefined,
): void {
  if (!Array.isArray(given)) throw notA(name, 'a list of instructions', given);
  for (const [index, instruction] of given.entries()) {
    const { programId, keys, data } = Object(instruction) as Partial<TransactionInstruction>;
    if (!isKey(programId) || !Array.isArray(keys) || !ArrayBuffer.isView(data))
      throw notA(`${name}[${index}]`, 'an instruction', instruction);
    const other = keys.find(
      ({ pubkey, isSigner }) => isSigner && signers?.some((signer) => signer.equals(pubkey)) === false,
    );
    if (other === undefined) continue;
    throw new InvalidArgumentError(
      `${name}[${index}]`,
      `needs the signature of ${other.pubkey.toBase58()}, which does not sign; prepare the transaction, and have it signed yourself`,
    );
  }
}

/** @throws InvalidArgumentError for a wallet that sends by itself, and may change what it sends */
function requireComposable(
  signer: Pick<Signer, 'publicKey'>,
  { nonce, lookupTables = [] }: Composition,
): void {
  if (!('signAndSend' in signer) || (nonce === undefined && lookupTables.length === 0)) return;
  throw new InvalidArgumentError(
    nonce === undefined ? 'lookupTables' : 'nonce',
    'needs a wallet that signs without sending, because one that sends may change the transaction',
  );
}

/** All instructions in their order. */
function composed(
  payer: PublicKey,
  own: readonly TransactionInstruction[],
  { before = [], after = [], tip }: Composition,
): TransactionInstruction[] {
  const paid = tip === undefined ? [] : [tipOf(payer, tip)];
  return [...before, ...own, ...after, ...paid];
}

function tipOf(payer: PublicKey, { to, lamports }: NonNullable<Composition['tip']>): TransactionInstruction {
  return buildInstruction(TRANSFER, SYSTEM_PROGRAM_ADDRESS, { payer, account: to }, { lamports });
}

/** Offset of a table's addresses in its account. */
const [ADDRESSES, KEY_SIZE] = [56, 32];

/**
 * The tables for the transaction. A node that lies about a table would put other accounts into what the wallet signs. So
 * the addresses are those that the caller gave, the node's must be the same, and the accounts of the order and of the tip
 * are named by no table. On chain a table's addresses never change, only new ones follow.
 *
 * @throws InvalidArgumentError for a table that differs
 */
async function tablesOf(
  node: Reader,
  payer: PublicKey,
  own: readonly TransactionInstruction[],
  { lookupTables = [], tip }: Composition,
): Promise<AddressLookupTableAccount[] | undefined> {
  if (lookupTables.length === 0) return undefined;
  const keys = lookupTables.map(({ key }) => key);
  const accounts = await node.getMultipleAccountsInfo(keys, 'confirmed');
  const named = [...own.flatMap((one) => one.keys.map(({ pubkey }) => pubkey)), ...(tip ? [tip.to] : [])];
  const fixed = new Set(named.map((key) => key.toBase58()));
  const tables = lookupTables.map((table, index) => {
    requireSame(`lookupTables[${index}]`, table, accounts[index] ?? null);
    // The payer, which signs, is never looked up.
    const addresses = table.state.addresses.map((key) => (fixed.has(key.toBase58()) ? payer : key));
    return { key: table.key, state: { addresses } } as AddressLookupTableAccount;
  });
  return compilable(tables);
}

function requireSame(
  argument: string,
  { key, state }: AddressLookupTableAccount,
  account: AccountInfo<Uint8Array> | null,
): void {
  if (account?.owner.toBase58() !== LOOKUP_TABLES)
    throw new InvalidArgumentError(
      argument,
      `is ${key.toBase58()}, which the RPC node does not know as a table`,
    );
  for (const [index, address] of state.addresses.entries()) {
    const at = ADDRESSES + index * KEY_SIZE;
    const actual = encodeBase58(account.data.slice(at, at + KEY_SIZE));
    if (actual === address.toBase58()) continue;
    throw new InvalidArgumentError(
      argument,
      `is ${key.toBase58()}, and its address ${index} is ${address.toBase58()} here and ${actual || 'missing'} on the RPC node; one of them is wrong`,
    );
  }
}

const COMPOSER = {
  /** Checks its values. */
  requireComposition,
  /** Checks that the wallet can sign it. */
  requireComposable,
  /** Puts all instructions in their order. */
  composed,
  /** Reads the lookup tables, and compares them with the caller's. */
  tablesOf,
  /** Makes a nonce transaction's first instruction. */
  advanceNonce,
  /** Says how long a nonce transaction can land. */
  lifetimeOfNonce,
  /** Reads the nonce account. */
  readNonce,
} as const;
