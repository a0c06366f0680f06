// Runs the program and the oracle with the same inputs. Their results must not differ.
import type { Call, Key } from './call.js';
import type { Svm, Explanation, Outcome, StoredAccount } from './svm.js';

/** The program and the oracle differ. */
export class Difference extends Error {
  override readonly name = 'Difference';
}

const NOTHING: StoredAccount = { lamports: 0n, owner: new Uint8Array(32), data: new Uint8Array() };

export class Pair {
  readonly #shipped: Svm;
  readonly #oracle: Svm;

  /** The original state of every changed account. */
  readonly #before = new Map<string, readonly [key: Key, account: StoredAccount]>();

  constructor(shipped: Svm, oracle: Svm) {
    this.#shipped = shipped;
    this.#oracle = oracle;
  }

  /** Undoes all changes. Machines are reused: they are large, and the garbage collector does not see their size. */
  reset(): void {
    for (const [key, account] of this.#before.values()) {
      for (const machine of [this.#shipped, this.#oracle]) {
        // Only the lamports of a program can change. Writing it back would load it again, which is slow.
        const present = machine.account(key);
        const untouched =
          account.executable === true &&
          present?.executable === true &&
          present.lamports === account.lamports;
        if (!untouched) machine.setAccount(key, account);
      }
    }
    this.#before.clear();
  }

  /** Rent exemption of an account with `bytes` bytes of data. */
  rentOf(bytes: number): bigint {
    return this.#oracle.rentOf(bytes);
  }

  /** An account. It is equal on both machines, because `send` checks this. */
  account(key: Key): StoredAccount | undefined {
    return this.#shipped.account(key);
  }

  setAccount(key: Key, account: StoredAccount): void {
    this.#touch(key);
    this.#shipped.setAccount(key, account);
    this.#oracle.setAccount(key, account);
  }

  /** @param lamportsPerByte lamports per byte of an account, multiplied by the threshold */
  setRent(lamportsPerByte: bigint, threshold: number): void {
    this.#shipped.setRent(lamportsPerByte, threshold);
    this.#oracle.setRent(lamportsPerByte, threshold);
  }

  /** @param unixTimestamp seconds */
  setTime(unixTimestamp: bigint): void {
    this.#shipped.setTime(unixTimestamp);
    this.#oracle.setTime(unixTimestamp);
  }

  /**
   * Sends to both. Both must succeed or both must fail, and every account of the transaction must be equal afterwards.
   * Two failures must have the same error, unless the call has several faults: the oracle does not define which fault
   * is reported.
   *
   * @param isSingleFault called only when both fail with different errors
   * @throws Difference
   */
  send(call: Call, feePayer: Key, isSingleFault: () => boolean = () => true): Outcome {
    const keys = keysOf(call, feePayer);
    for (const key of keys) this.#touch(key);
    const shipped = this.#shipped.send([call], feePayer);
    const oracle = this.#oracle.send([call], feePayer);
    for (const key of keys) this.#requireEqualAccounts(key);
    const bothFail = shipped.error !== undefined && oracle.error !== undefined;
    try {
      requireEqualOutcomes(shipped, oracle);
    } catch (difference) {
      if (!bothFail || isSingleFault()) throw difference;
    }
    return shipped;
  }

  /** Whether the call would succeed on the oracle. Changes nothing. */
  wouldSucceed(call: Call, feePayer: Key): boolean {
    const before = keysOf(call, feePayer).map((key) => [key, this.#oracle.account(key) ?? NOTHING] as const);
    const { error } = this.#oracle.send([call], feePayer);
    for (const [key, account] of before) {
      if (account.executable !== true) this.#oracle.setAccount(key, account);
    }
    return error === undefined;
  }

  #touch(key: Key): void {
    if (this.#before.has(key.hex)) return;
    this.#before.set(key.hex, [key, this.#oracle.account(key) ?? NOTHING]);
  }

  #requireEqualAccounts(key: Key): void {
    const shipped = this.#shipped.account(key);
    const oracle = this.#oracle.account(key);
    const same =
      shipped !== undefined && oracle !== undefined
        ? shipped.lamports === oracle.lamports &&
          shipped.executable === oracle.executable &&
          Buffer.compare(shipped.owner, oracle.owner) === 0 &&
          Buffer.compare(shipped.data, oracle.data) === 0
        : shipped === oracle;
    if (!same) requireEqual(`account ${key.hex}`, accountText(shipped), accountText(oracle));
  }
}

function keysOf({ metas }: Call, feePayer: Key): readonly Key[] {
  const keys = new Map([[feePayer.hex, feePayer]]);
  for (const { key } of metas) keys.set(key.hex, key);
  return [...keys.values()];
}

function requireEqualOutcomes(shipped: Outcome, oracle: Outcome): void {
  requireEqual('result', shipped.error ?? 'success', oracle.error ?? 'success');
  requireEqual('calls', shipped.calls.join('\n'), oracle.calls.join('\n'));
  requireEqual('logged data', shipped.logged.join('\n'), oracle.logged.join('\n'));
  requireEqual(
    'explanation',
    textOf(shipped.explained, oracle.explained),
    textOf(oracle.explained, oracle.explained),
  );
}

function requireEqual(what: string, shipped: string, oracle: string): void {
  if (shipped !== oracle) throw new Difference(`${what}: the program ${shipped}; the oracle ${oracle}`);
}

/** The program may name an account when the oracle names only its source line. */
function textOf(explained: Explanation | undefined, oracle: Explanation | undefined): string {
  if (explained === undefined) return 'none';
  const { account, error } = explained;
  return oracle?.account === undefined ? error : `${account}: ${error}`;
}

function accountText(account: StoredAccount | undefined): string {
  if (account === undefined) return 'none';
  const { lamports, owner, data, executable } = account;
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  return `${lamports} lamports, owner ${hex(owner)}, ${executable ? 'executable, ' : ''}data ${hex(data)}`;
}
