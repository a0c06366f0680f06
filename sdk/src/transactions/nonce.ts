// Durable nonces: a transaction that has a nonce account's value in place of a blockhash can land as long as the account
// has the value, however old it is.
import { PublicKey } from '../chain/keys.js';
import type { AccountInfo, TransactionInstruction } from '../chain/types.js';
import { buildInstruction } from '../codec/instruction.js';
import { encodeBase58 } from '../encoding/base58.js';
import { InvalidArgumentError } from '../errors/index.js';
import { SYSTEM_PROGRAM_ADDRESS } from '../generated/program.js';
import { ADVANCE_NONCE, RECENT_BLOCKHASHES } from '../instructions/foreign.js';
import type { Reader } from '../rpc/reading.js';

/** A durable nonce that a transaction has in place of a blockhash. */
export interface DurableNonce {
  /** Address of the nonce account. */
  readonly account: string;
  /** Its value in the transaction. */
  readonly value: string;
  /** A slot in which the account had the value: the transaction has not landed before. */
  readonly slot: number;
}

/** The last valid block height of a transaction with a durable nonce: none. */
export const NO_LAST_HEIGHT: number = Number.MAX_SAFE_INTEGER;

/** How long a transaction with a nonce can land, as with a blockhash. */
export function lifetimeOfNonce(nonce: DurableNonce) {
  return {
    ...{ blockhash: nonce.value, blockhashSlot: nonce.slot },
    lastValidBlockHeight: NO_LAST_HEIGHT,
    nonce,
  };
}

/** Must be a transaction's first instruction. */
export function advanceNonce(account: PublicKey, authority: PublicKey): TransactionInstruction {
  const sysvar = new PublicKey(RECENT_BLOCKHASHES);
  return buildInstruction(ADVANCE_NONCE, SYSTEM_PROGRAM_ADDRESS, { account, sysvar, authority }, {});
}

/** @throws InvalidArgumentError unless it is a nonce account with this authority; RpcError; the signal's reason */
export async function readNonce(
  node: Pick<Reader, 'getAccountInfoAndContext'>,
  account: PublicKey,
  authority: PublicKey,
): Promise<DurableNonce> {
  const { context, value } = await node.getAccountInfoAndContext(account, 'confirmed');
  const held = nonceIn(value);
  const address = account.toBase58();
  if (held === undefined)
    throw new InvalidArgumentError('nonce', `is ${address}, which is not an initialized nonce account`);
  if (!held.authority.equals(authority))
    throw new InvalidArgumentError(
      'nonce',
      `is ${address}, whose authority is ${held.authority.toBase58()}; it must be the payer, ${authority.toBase58()}`,
    );
  return { account: address, value: held.value, slot: context.slot };
}

/** A nonce account: version, state, authority, nonce, fee. */
const [SIZE, STATE, AUTHORITY, NONCE, FEE] = [80, 4, 8, 40, 72];

/** Undefined for an account that is not an initialized nonce account. */
export function nonceIn(
  account: AccountInfo<Uint8Array> | null,
): { readonly authority: PublicKey; readonly value: string } | undefined {
  if (account === null || !account.owner.equals(SYSTEM_PROGRAM_ADDRESS)) return undefined;
  const { data } = account;
  // Both are 1: the current version, initialized.
  if (data.length !== SIZE || data[0] !== 1 || data[STATE] !== 1) return undefined;
  const authority = new PublicKey(data.slice(AUTHORITY, NONCE));
  return { authority, value: encodeBase58(data.slice(NONCE, FEE)) };
}
