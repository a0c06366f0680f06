// Finds an account in past transactions. A program accepted it there, so it is the compiled-in one.
import { PublicKey, type Connection } from '@solana/web3.js';
import bs58 from 'bs58';
import { fetchTransaction, type ConfirmedTransaction, type JsonInstruction } from '@curvekit/sdk';

const MOST_TRANSACTIONS = 50;

export interface PastInstruction {
  /** An address that the transactions contain. */
  readonly address: PublicKey;
  readonly programId: PublicKey;
  /** Position of the account in an instruction with this data; undefined for another instruction. */
  readonly position: (data: Uint8Array) => number | undefined;
}

/** The account in the newest such instruction; undefined when the newest transactions contain none. */
export async function accountInPast(
  connection: Connection,
  wanted: PastInstruction,
): Promise<PublicKey | undefined> {
  try {
    const options = { limit: MOST_TRANSACTIONS };
    const listed = await connection.getSignaturesForAddress(wanted.address, options, 'confirmed');
    for (const { signature, err } of listed) {
      if (err !== null) continue;
      const transaction = await fetchTransaction(connection, signature, 'confirmed').catch(() => null);
      const account = transaction === null ? undefined : accountIn(transaction, wanted);
      if (account !== undefined) return account;
    }
  } catch {
    // A node may refuse the list. The finding then names no address.
  }
  return undefined;
}

function accountIn(
  { transaction: { message }, meta }: ConfirmedTransaction,
  { programId, position }: PastInstruction,
): PublicKey | undefined {
  if (!('instructions' in message)) return undefined;
  const loaded = meta?.loadedAddresses;
  const keys = [...message.accountKeys, ...(loaded?.writable ?? []), ...(loaded?.readonly ?? [])].map(String);
  const inner = (meta?.innerInstructions ?? []).flatMap(({ instructions }) => instructions);
  for (const instruction of [...message.instructions, ...inner] as readonly JsonInstruction[]) {
    if (keys[instruction.programIdIndex] !== programId.toBase58()) continue;
    const at = position(bs58.decode(instruction.data));
    const key = at === undefined ? undefined : keys[instruction.accounts[at] ?? -1];
    if (key !== undefined) return new PublicKey(key);
  }
  return undefined;
}
