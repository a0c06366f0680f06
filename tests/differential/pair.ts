// The two builds side by side: whatever happens to one happens to the other, and the two must not differ.
import type { Call, Key } from './call.js';
import type { Svm, Explanation, Outcome, StoredAccount } from './svm.js';

/** Where the two builds differ. */
export class Difference extends Error {
  override readonly name = 'Difference';
}

const NOTHING: StoredAccount = { lamports: 0n, owner: new Uint8Array(32), data: new Uint8Array() };

export class Pair {
  readonly #shipped: Svm;
  readonly #reference: Svm;

  /** What every account was before it was touched. */
  readonly #before = new Map<string, readonly [key: Key, account: StoredAccount]>();

  constructor(shipped: Svm, reference: Svm) {
    this.#shipped = shipped;
    this.#reference = reference;
  }

  /** Undoes everything, so that the machines are used again: they are large, and the garbage collector does not know it. */
  reset(): void {
    for (const [key, account] of this.#before.values()) {
      for (const machine of [this.#shipped, this.#reference]) {
        // Nothing but lamports can happen to a program, and putting it back loads it anew.
        const untouched = account.executable === true && machine.account(key)?.lamports === account.lamports;
        if (!untouched) machine.setAccount(key, account);
      }
    }
    this.#before.clear();
  }

  /** The account as both builds have it, since `send` lets them have no other. */
  account(key: Key): StoredAccount | undefined {
    return this.#shipped.account(key);
  }

  setAccount(key: Key, account: StoredAccount): void {
    this.#touch(key);
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
    const keys = new Map([[feePayer.hex, feePayer]]);
    for (const { metas } of calls) for (const { key } of metas) keys.set(key.hex, key);
    for (const key of keys.values()) this.#touch(key);
    const shipped = this.#shipped.send(calls, feePayer);
    const reference = this.#reference.send(calls, feePayer);
    requireEqual('result', shipped.error ?? 'success', reference.error ?? 'success');
    requireEqual('calls', shipped.calls.join('\n'), reference.calls.join('\n'));
    requireEqual('logged data', shipped.logged.join('\n'), reference.logged.join('\n'));
    requireEqual(
      'explanation',
      textOf(shipped.explained, reference.explained),
      textOf(reference.explained, reference.explained),
    );
    for (const key of keys.values()) this.#requireEqualAccounts(key);
    return shipped;
  }

  #touch(key: Key): void {
    if (this.#before.has(key.hex)) return;
    this.#before.set(key.hex, [key, this.#reference.account(key) ?? NOTHING]);
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
    if (!same) requireEqual(`account ${key.hex}`, accountText(shipped), accountText(reference));
  }
}

function requireEqual(what: string, shipped: string, reference: string): void {
  if (shipped !== reference) {
    throw new Difference(`${what}: the shipped build ${shipped}; the reference ${reference}`);
  }
}

/** Where the reference names its source line, the shipped build may name an account. */
function textOf(explained: Explanation | undefined, reference: Explanation | undefined): string {
  if (explained === undefined) return 'none';
  const { account, error } = explained;
  return reference?.account === undefined ? error : `${account}: ${error}`;
}

function accountText(account: StoredAccount | undefined): string {
  if (account === undefined) return 'none';
  const { lamports, owner, data, executable } = account;
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  return `${lamports} lamports, owner ${hex(owner)}, ${executable ? 'executable, ' : ''}data ${hex(data)}`;
}
