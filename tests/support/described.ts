// Instructions in words: what a payment moves, from where to where, and how much.
import { ASSOCIATED_TOKEN_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { SystemProgram, type TransactionInstruction } from '@solana/web3.js';

/** Instructions of the token program by their first byte: the word, the accounts that matter, and whether an amount follows. */
const TOKEN: Readonly<Record<number, { word: string; accounts: readonly number[]; hasAmount?: true }>> = {
  9: { word: 'close', accounts: [0, 1] },
  12: { word: 'transfer', accounts: [0, 2], hasAmount: true },
  15: { word: 'burn', accounts: [0], hasAmount: true },
  17: { word: 'sync', accounts: [0] },
  18: { word: 'initialise', accounts: [0] },
};

/** @param names of addresses, in base58 */
export function described(
  { programId, keys, data }: TransactionInstruction,
  names: Readonly<Record<string, string>> = {},
): string {
  const name = (index: number) => {
    const address = keys[index]!.pubkey.toBase58();
    return names[address] ?? address;
  };
  if (programId.equals(TOKEN_PROGRAM_ID)) {
    const { word, accounts, hasAmount } = TOKEN[data[0]!]!;
    return [word, ...accounts.map(name), ...(hasAmount ? [data.readBigUInt64LE(1)] : [])].join(' ');
  }
  if (programId.equals(SystemProgram.programId))
    return `${data[0] === 0 ? 'create' : 'pay'} ${name(1)} ${data.readBigUInt64LE(4)}`;
  if (programId.equals(ASSOCIATED_TOKEN_PROGRAM_ID)) return `open ${name(1)}`;
  return data.toString('utf8');
}
