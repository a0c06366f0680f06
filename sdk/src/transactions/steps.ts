// What a transaction does: its instructions without those of the compute budget, which wallets change.
import type { AddressLookupTableAccount, VersionedTransaction } from '../chain/types.js';
import { encodeBase58 } from '../encoding/base58.js';
import { COMPUTE_BUDGET } from '../checks/programs.js';
import { accountKeys } from '../records/invocations.js';
import type { ConfirmedTransaction } from '../records/transaction.js';

/** An instruction with its accounts' addresses. */
export interface Step {
  readonly program: string;
  readonly accounts: readonly string[];
  /** In base58: data of others may be long, and encoding ours is cheaper than decoding theirs. */
  readonly data: string;
}

/** A transaction's fee payer and all its instructions. Accounts of other lookup tables are not resolved. */
export function stepsOf(
  { message }: VersionedTransaction,
  tables: readonly AddressLookupTableAccount[] = [],
): {
  readonly payer: string;
  readonly steps: Step[];
} {
  const loaded = (which: 'writableIndexes' | 'readonlyIndexes') =>
    message.addressTableLookups.flatMap(({ accountKey, [which]: indexes }) => {
      const addresses = tables.find(({ key }) => key.equals(accountKey))?.state.addresses;
      return indexes.map((index) => addresses?.[index]);
    });
  const known = [...message.staticAccountKeys, ...loaded('writableIndexes'), ...loaded('readonlyIndexes')];
  const keys = known.map((key) => key?.toBase58() ?? '(none)');
  const steps = message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) =>
    stepOf(keys, programIdIndex, accountKeyIndexes, encodeBase58(data)),
  );
  return { payer: keys[0] ?? '', steps };
}

/** As {@link stepsOf}, for a transaction from a node. Null when the node does not tell its keys. */
export function landedSteps(transaction: ConfirmedTransaction): ReturnType<typeof stepsOf> | null {
  const { message } = transaction.transaction;
  if (!('instructions' in message) || transaction.meta === null) return null;
  const keys = accountKeys(transaction, transaction.meta).map((key) =>
    typeof key === 'string' ? key : key.toBase58(),
  );
  const steps = message.instructions.map(({ programIdIndex, accounts, data }) =>
    stepOf(keys, programIdIndex, accounts, data),
  );
  return { payer: keys[0] ?? '', steps };
}

/** The steps of `wanted` outside the compute budget that `given` lacks or has in another order; and those it adds. */
export function compareSteps(
  wanted: readonly Step[],
  given: readonly Step[],
): { readonly missing: number; readonly added: readonly Step[] } {
  const needed = wanted.filter(({ program }) => program !== COMPUTE_BUDGET);
  const added: Step[] = [];
  let found = 0;
  for (const step of given) {
    const next = needed[found];
    if (next !== undefined && isSame(step, next)) found += 1;
    else added.push(step);
  }
  return { missing: needed.length - found, added };
}

function stepOf(keys: readonly string[], program: number, accounts: readonly number[], data: string): Step {
  const keyAt = (index: number) => keys[index] ?? '(none)';
  return { program: keyAt(program), accounts: [...accounts].map(keyAt), data };
}

function isSame(one: Step, other: Step): boolean {
  return (
    one.program === other.program &&
    one.data === other.data &&
    one.accounts.length === other.accounts.length &&
    one.accounts.every((address, index) => address === other.accounts[index])
  );
}
