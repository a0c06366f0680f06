// Builds an instruction by the lists of its accounts and arguments.
import { newInstruction } from '../chain/keys.js';
import type { AccountMeta, PublicKey, TransactionInstruction } from '../chain/types.js';
import { requireKey } from '../checks/keys.js';
import { requireObject } from '../checks/options.js';
import { encodeLayout, type Layout } from './layout.js';

/** `w`: writable. `s`: signer. */
type Flags = '' | 'w' | 's' | 'ws';

/** An instruction: its first bytes, its accounts and its arguments, in this order. */
export interface InstructionLayout<Accounts, Args> extends Layout<Args> {
  readonly accounts: { readonly [Name in keyof Accounts]-?: Flags };
}

/** @throws InvalidArgumentError that names an account that is missing or not a key, or an argument out of range */
export function buildInstruction<Accounts extends object, Args extends object>(
  layout: InstructionLayout<Accounts, Args>,
  programId: PublicKey,
  accounts: Accounts,
  args: Args,
): TransactionInstruction {
  requireObject('accounts', accounts);
  const data = encodeLayout(layout, 'args', args);
  const keys = Object.entries<Flags>(layout.accounts).map(([name, flags]): AccountMeta => ({
    pubkey: requireKey(name, accounts[name as never]),
    isWritable: flags.includes('w'),
    isSigner: flags.includes('s'),
  }));
  return newInstruction(programId, keys, data);
}
