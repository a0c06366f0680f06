// Reads the full state of accounts.
import type { Connection, PublicKey, TransactionInstruction } from '@solana/web3.js';

/** The full state of an account. A missing account has no lamports, no data and no owner. */
export interface AccountState {
  readonly lamports: bigint;
  readonly owner: string | undefined;
  /** In hexadecimal. */
  readonly data: string;
}

const MISSING: AccountState = { lamports: 0n, owner: undefined, data: '' };
const ACCOUNTS_PER_REQUEST = 100;

/** The accounts at some addresses, keyed by base58 address. */
export async function snapshot(
  connection: Connection,
  addresses: readonly PublicKey[],
): Promise<Record<string, AccountState>> {
  const states: Record<string, AccountState> = {};
  for (let start = 0; start < addresses.length; start += ACCOUNTS_PER_REQUEST) {
    const chunk = addresses.slice(start, start + ACCOUNTS_PER_REQUEST);
    const accounts = await connection.getMultipleAccountsInfo(chunk);
    for (const [index, address] of chunk.entries()) {
      const account = accounts[index];
      states[address.toBase58()] =
        account === null || account === undefined
          ? MISSING
          : {
              lamports: BigInt(account.lamports),
              owner: account.owner.toBase58(),
              data: account.data.toString('hex'),
            };
    }
  }
  return states;
}

/** Every account that the instructions name, without duplicates. */
export function accountsOf(instructions: readonly TransactionInstruction[]): PublicKey[] {
  const keys = instructions.flatMap((instruction) => instruction.keys.map(({ pubkey }) => pubkey));
  return [...new Map(keys.map((key) => [key.toBase58(), key])).values()];
}

/** Lamports of one account; 0 if it does not exist. */
export async function lamportsOf(connection: Connection, address: PublicKey): Promise<bigint> {
  return BigInt(await connection.getBalance(address));
}

/** Lamports of several accounts, read at one slot. */
export async function lamportsOfAll(
  connection: Connection,
  addresses: readonly PublicKey[],
): Promise<bigint[]> {
  const accounts = await connection.getMultipleAccountsInfo([...addresses]);
  return accounts.map((account) => BigInt(account?.lamports ?? 0));
}

/** The rent-exempt minimum for an account of `size` bytes. */
export async function rentOf(connection: Connection, size: number): Promise<bigint> {
  return BigInt(await connection.getMinimumBalanceForRentExemption(size));
}
