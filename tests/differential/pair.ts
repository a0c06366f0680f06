// The two builds side by side: whatever happens to one happens to the other, and the two must not differ.
import type { Call, Key } from './call.js';
import { Svm, type Outcome, type Program, type StoredAccount } from './svm.js';

/** Where the two builds differ. */
export class Difference extends Error {
  override readonly name = 'Difference';
}

/** What runs in each of the two machines. */
export interface Builds {
  readonly shipped: readonly Program[];
  readonly reference: readonly Program[];
}

export class Pair {
  readonly #shipped: Svm;
  readonly #reference: Svm;

  constructor(builds: Builds) {
    this.#shipped = new Svm(builds.shipped);
    this.#reference = new Svm(builds.reference);
  }

  /** The account as both builds have it, since `send` lets them have no other. */
  account(key: Key): StoredAccount | undefined {
    return this.#shipped.account(key);
  }

  setAccount(key: Key, account: StoredAccount): void {
    this.#shipped.setAccount(key, account);
    this.#reference.setAccount(key, account);
  }

  /** @param lamportsPerByte for each byte of an account */
  setRent(lamportsPerByte: bigint): void {
    this.#shipped.setRent(lamportsPerByte);
    this.#reference.setRent(lamportsPerByte);
  }

  /** @param unixTimestamp seconds */
  setTime(unixTimestamp: bigint): void {
    this.#shipped.setTime(unixTimestamp);
    this.#reference.setTime(unixTimestamp);
  }

  /** @throws Difference unless both builds do the same, to the last byte of every account of the transaction */
  send(calls: readonly Call[], feePayer: Key): Outcome {
    const shipped = this.#shipped.send(calls, feePayer);
    const reference = this.#reference.send(calls, feePayer);
    requireEqual('result', shipped.error ?? 'success', reference.error ?? 'success');
    requireEqual('calls', shipped.calls.join('\n'), reference.calls.join('\n'));
    requireEqual('logged data', shipped.logged.join('\n'), reference.logged.join('\n'));
    const keys = new Map([[feePayer.hex, feePayer]]);
    for (const { metas } of calls) for (const { key } of metas) keys.set(key.hex, key);
    for (const key of keys.values()) this.#requireEqualAccounts(key);
    return shipped;
  }

  #requireEqualAccounts(key: Key): void {
    const shipped = this.#shipped.account(key);
    const reference = this.#reference.account(key);
    const same =
      shipped !== undefined && reference !== undefined
        ? shipped.lamports === reference.lamports &&
          shipped.executable === reference.executable &&
          Buffer.compare(shipped.owner, reference.owner) === 0 &&
          Buffer.compare(shipped.data, reference.data) === 0
        : shipped === reference;
    if (!same) requireEqual(`account ${key.hex}`, textOf(shipped), textOf(reference));
  }
}

function requireEqual(what: string, shipped: string, reference: string): void {
  if (shipped !== reference) {
    throw new Difference(`${what}: the shipped build ${shipped}; the reference ${reference}`);
  }
}

function textOf(account: StoredAccount | undefined): string {
  if (account === undefined) return 'none';
  const { lamports, owner, data, executable } = account;
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  return `${lamports} lamports, owner ${hex(owner)}, ${executable ? 'executable, ' : ''}data ${hex(data)}`;
}
