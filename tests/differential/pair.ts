// The program and the oracle side by side: what happens to one happens to the other, and the two must not differ.
import type { Call, Key } from './call.js';
import type { Svm, Explanation, Outcome, StoredAccount } from './svm.js';

/** Where the two differ. */
export class Difference extends Error {
  override readonly name = 'Difference';
}

const NOTHING: StoredAccount = { lamports: 0n, owner: new Uint8Array(32), data: new Uint8Array() };

export class Pair {
  readonly #shipped: Svm;
  readonly #oracle: Svm;

  /** What every account was before it was touched. */
  readonly #before = new Map<string, readonly [key: Key, account: StoredAccount]>();

  constructor(shipped: Svm, oracle: Svm) {
    this.#shipped = shipped;
    this.#oracle = oracle;
  }

  /** Undoes everything, so that the machines are used again: they are large, and the garbage collector does not know it. */
  reset(): void {
    for (const [key, account] of this.#before.values()) {
      for (const machine of [this.#shipped, this.#oracle]) {
        // Nothing but lamports can happen to a program, and putting it back loads it anew.
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

  /** Lamports that exempt an account of so many bytes from rent. */
  rentOf(bytes: number): bigint {
    return this.#oracle.rentOf(bytes);
  }

  /** The account as both have it, since `send` lets them have no other. */
  account(key: Key): StoredAccount | undefined {
    return this.#shipped.account(key);
  }

  setAccount(key: Key, account: StoredAccount): void {
    this.#touch(key);
    this.#shipped.setAccount(key, account);
    this.#oracle.setAccount(key, account);
  }

  /** @param lamportsPerByte for each byte of an account, times the threshold */
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
   * Both must succeed or fail alike, and leave every account of the transaction alike, to the last byte. Where both fail,
   * they must say the same, unless several things are wrong: which of them is reported is not for the oracle to say.
   *
   * @param isSingleFault asked only where both fail and say different things
   * @throws Difference
   */
  send(calls: readonly Call[], feePayer: Key, isSingleFault: () => boolean = () => true): Outcome {
    const keys = keysOf(calls, feePayer);
    for (const key of keys) this.#touch(key);
    const shipped = this.#shipped.send(calls, feePayer);
    const oracle = this.#oracle.send(calls, feePayer);
    for (const key of keys) this.#requireEqualAccounts(key);
    const bothFail = shipped.error !== undefined && oracle.error !== undefined;
    try {
      requireEqualOutcomes(shipped, oracle);
    } catch (difference) {
      if (!bothFail || isSingleFault()) throw difference;
    }
    return shipped;
  }

  /** Whether the calls would succeed, by the oracle. Leaves everything as it is. */
  wouldSucceed(calls: readonly Call[], feePayer: Key): boolean {
    const before = keysOf(calls, feePayer).map((key) => [key, this.#oracle.account(key) ?? NOTHING] as const);
    const { error } = this.#oracle.send(calls, feePayer);
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

function keysOf(calls: readonly Call[], feePayer: Key): readonly Key[] {
  const keys = new Map([[feePayer.hex, feePayer]]);
  for (const { metas } of calls) for (const { key } of metas) keys.set(key.hex, key);
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

/** Where the oracle names its source line, the program may name an account. */
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
