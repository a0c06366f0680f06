// The two builds side by side: whatever happens to one happens to the other, and the two must not differ.
import { isDeepStrictEqual } from 'node:util';
import type { Call, Key } from './call.js';
import { Svm, type Outcome, type Program, type StoredAccount } from './svm.js';

/** Where the two builds differ. */
export class Difference extends Error {
  override readonly name = 'Difference';
}

export class Pair {
  readonly #shipped: Svm;
  readonly #reference: Svm;
  /** Addresses touched since the last comparison of all. */
  readonly #touched = new Map<string, Key>();

  /** @param programs what both builds have beside them */
  constructor(build: { shipped: readonly Program[]; reference: readonly Program[] }, programs: readonly Program[]) {
    this.#shipped = new Svm([...programs, ...build.shipped]);
    this.#reference = new Svm([...programs, ...build.reference]);
  }

  account(key: Key): StoredAccount | undefined {
    return this.#shipped.account(key);
  }

  setAccount(key: Key, account: StoredAccount): void {
    this.#shipped.setAccount(key, account);
    this.#reference.setAccount(key, account);
    this.#touched.set(key.hex, key);
  }

  setRent(lamportsPerByte: bigint): void {
    this.#shipped.setRent(lamportsPerByte);
    this.#reference.setRent(lamportsPerByte);
  }

  /** @throws Difference unless both builds do the same to the last byte */
  send(calls: readonly Call[], feePayer: Key): Outcome {
    const shipped = this.#shipped.send(calls, feePayer);
    const reference = this.#reference.send(calls, feePayer);
    requireEqual('result', shipped.error ?? 'success', reference.error ?? 'success');
    requireEqual('inner calls', shipped.calls, reference.calls);
    requireEqual('logged data', shipped.logged, reference.logged);
    const keys = [feePayer, ...calls.flatMap(({ metas }) => metas.map(({ key }) => key))];
    for (const key of keys) this.#touched.set(key.hex, key);
    // A failed transaction has changed nothing but the fee payer: that is for the comparison at the end.
    if (shipped.error === undefined) this.#requireEqualAccounts(keys);
    return shipped;
  }

  /** @throws Difference unless every account that was touched since the last time is the same in both */
  compareAll(): void {
    this.#requireEqualAccounts(this.#touched.values());
    this.#touched.clear();
  }

  #requireEqualAccounts(keys: Iterable<Key>): void {
    for (const key of keys) {
      requireEqual(`account ${key.hex}`, this.#shipped.account(key), this.#reference.account(key));
    }
  }
}

function requireEqual(what: string, shipped: unknown, reference: unknown): void {
  if (isDeepStrictEqual(shipped, reference)) return;
  throw new Difference(`${what} differs: shipped ${textOf(shipped)}, reference ${textOf(reference)}`);
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, field: unknown) => {
    if (typeof field === 'bigint') return String(field);
    return field instanceof Uint8Array ? Buffer.from(field).toString('hex') : field;
  });
}
