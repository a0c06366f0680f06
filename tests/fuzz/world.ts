// A launchpad in a virtual machine: the programs, the wallets and tokens of an episode, and what is known of them. With
// several machines, each has another build of the curve's program, and every result and account must be the same on all.
import {
  NATIVE_MINT_ADDRESS,
  RENT_SYSVAR_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '@curvekit/sdk';
import { AMM_FIXTURE } from '#testing/amm-fixture.js';
import { compile, keyOf, type Call, type Key } from '../differential/call.js';
import type { Outcome, StoredAccount, Svm } from '../differential/svm.js';
import { tokenAccount } from '../differential/token-account.js';
import {
  ADMIN,
  ANY_STATE,
  DEX_OWNER,
  FEE_RECEIVER,
  OTHER_CONFIG,
  PLACES,
  RELAYER,
  TOKEN_KEYS,
  TRADER_KEYS,
} from './keys.js';
import { newToken, same, type TokenState } from './state.js';
import type { EpisodeSpec } from './steps.js';

export const SYSTEM = SYSTEM_PROGRAM_ADDRESS.toBytes();
export const TOKEN = TOKEN_PROGRAM_ADDRESS.toBytes();
/** Wrapped SOL's mint: 9 decimals, initialised. */
const WRAPPED_SOL = Buffer.alloc(82);
WRAPPED_SOL.set([9, 1], 44);
export const USUAL_RENT_PER_BYTE = 6_960n;
/** Enough for the rent of any account here, at the highest rent. */
const AMPLE_RENT = 20_000_000n;
const RICH = 10n ** 16n;
/** Unix seconds. */
export const NOW = 1_800_000_000n;
const CREATE_POOL_FEE = 36;
const TRADE_FEE_RATE = 12;
/** Bytes of a new configuration that Raydium does not use. A cheating AMM reads there how to cheat. */
const CHEAT = 235;

const NOTHING: StoredAccount = { lamports: 0n, owner: SYSTEM, data: new Uint8Array() };
const CONFIG = AMM_FIXTURE.accounts[0]!;
const POOL_FEES = AMM_FIXTURE.accounts[1]!;
const RENT_SYSVAR = keyOf(RENT_SYSVAR_ADDRESS).hex;
const AMM_CONFIG = keyOf(CONFIG.address);

export interface Settings {
  readonly virtualSol: bigint;
  readonly virtualToken: bigint;
  readonly feeBps: bigint;
}

export class World {
  /** The build under test. Its accounts are those of all builds. */
  readonly #svm: Svm;
  readonly #others: readonly Svm[];
  /** Data of every call that a program made in the last transaction. Undefined where only one build runs. */
  calls: readonly Uint8Array[] | undefined;
  readonly messages = new Messages(RELAYER);
  /** Lamports of each trader. */
  traders: bigint[] = [];
  feeReceiver = 0n;
  settings: Settings | undefined;
  tokens: TokenState[] = [];
  rentPerByte = USUAL_RENT_PER_BYTE;
  poolFee = 0n;
  cheat = 0;

  /** Whether the AMM checks its accounts. The one that cheats does not. */
  readonly ammChecks: boolean;

  /** The build under test comes first, then those with which it is compared. */
  constructor(
    [tested, ...others]: readonly [Svm, ...Svm[]],
    ammChecks: boolean,
    keepsLogs = others.length > 0,
  ) {
    this.ammChecks = ammChecks;
    this.#svm = tested;
    this.#others = others;
    this.#onAll((svm) => svm.setTime(NOW));
    // Without logs a machine is faster.
    if (!keepsLogs) tested.keepNoLogs();
  }

  #onAll(act: (svm: Svm) => void): void {
    act(this.#svm);
    this.#others.forEach(act);
  }

  /** Puts the state of a new episode in the place of everything that an earlier one left. */
  reset(spec: EpisodeSpec): void {
    this.setRent(USUAL_RENT_PER_BYTE);
    for (const key of PLACES) {
      if (key.hex !== RENT_SYSVAR && this.#svm.account(key)?.executable !== true) this.put(key, NOTHING);
    }
    for (const key of [RELAYER, ADMIN, DEX_OWNER]) this.set(key, RICH);
    for (const key of TRADER_KEYS) this.set(key, spec.traderLamports);
    this.set(FEE_RECEIVER, spec.feeReceiverLamports);
    this.traders = TRADER_KEYS.map(() => spec.traderLamports);
    this.feeReceiver = spec.feeReceiverLamports;
    this.settings = undefined;
    this.cheat = spec.cheat;
    this.setPoolFee(150_000_000n);
    this.set(keyOf(POOL_FEES.address), POOL_FEES.lamports, TOKEN, Buffer.from(POOL_FEES.data, 'base64'));
    this.set(keyOf(NATIVE_MINT_ADDRESS), AMPLE_RENT, TOKEN, WRAPPED_SOL);
    this.tokens = TOKEN_KEYS.map((keys) => {
      this.set(keys.mint, AMPLE_RENT, TOKEN, new Uint8Array(82));
      keys.held.forEach((_, trader) => this.openHeld(keys, trader));
      const second = tokenAccount({ mint: keys.mint, owner: keys.curve });
      this.set(keys.second, AMPLE_RENT, TOKEN, second);
      return newToken(keys);
    });
  }

  /** Gives a trader an empty token account. */
  openHeld({ held, mint }: { readonly held: readonly Key[]; readonly mint: Key }, trader: number): void {
    const data = tokenAccount({ mint, owner: TRADER_KEYS[trader]! });
    this.set(held[trader]!, AMPLE_RENT, TOKEN, data);
  }

  setPoolFee(lamports: bigint): void {
    this.poolFee = lamports;
    const data = Buffer.from(CONFIG.data, 'base64');
    data.writeBigUInt64LE(lamports, CREATE_POOL_FEE);
    data[CHEAT] = this.cheat;
    this.set(AMM_CONFIG, CONFIG.lamports, CONFIG.owner.toBytes(), data);
    const other = Buffer.from(data);
    other.writeBigUInt64LE(100_000n, TRADE_FEE_RATE);
    this.set(OTHER_CONFIG, CONFIG.lamports, CONFIG.owner.toBytes(), other);
  }

  /** @param threshold years of rent for an exemption: 1 since SIMD-0194, 2 before */
  setRent(lamportsPerByte: bigint, threshold = 1): void {
    this.rentPerByte = lamportsPerByte;
    this.#onAll((svm) => svm.setRent(lamportsPerByte, threshold));
  }

  rentOf(bytes: number): bigint {
    return (128n + BigInt(bytes)) * this.rentPerByte;
  }

  set(key: Key, lamports: bigint, owner: Uint8Array = SYSTEM, data: Uint8Array = new Uint8Array()): void {
    this.put(key, { lamports, owner, data });
  }

  put(key: Key, account: StoredAccount): void {
    this.#onAll((svm) => svm.setAccount(key, account));
  }

  /** Acts, and then puts the accounts back as they were. */
  undoing<T>(keys: readonly Key[], act: () => T): T {
    const before = new Map(keys.map((key) => [key, this.account(key) ?? NOTHING]));
    try {
      return act();
    } finally {
      // Of a program only the lamports can change. To write it back loads it again, which is slow.
      for (const [key, account] of before)
        this.#onAll((svm) => {
          if (account.executable !== true || svm.lamports(key) !== account.lamports)
            svm.setAccount(key, account);
        });
    }
  }

  account(key: Key): StoredAccount | undefined {
    return this.#svm.account(key);
  }

  lamports(key: Key): bigint {
    return this.#svm.lamports(key);
  }

  /** Amount of a token account. 0 where there is none. */
  amount(key: Key): bigint {
    const data = this.#svm.account(key)?.data;
    return data?.length === 165 ? readU64(data, 64) : 0n;
  }

  supply(key: Key): bigint {
    const data = this.#svm.account(key)?.data;
    return data?.length === 82 ? readU64(data, 36) : 0n;
  }

  /**
   * Sends a transaction in wire format.
   *
   * @returns the error, or undefined on success
   */
  run(transaction: Uint8Array): string | undefined {
    if (this.#others.length === 0) return this.#svm.run(transaction);
    return this.observe(transaction, false).error?.replace(/ of .*/, '');
  }

  /** As `run`, for a call that is sent once. */
  send(call: Call, feePayer = RELAYER): string | undefined {
    return this.run(compile([call], feePayer));
  }

  /**
   * Sends to every build. All must succeed or all must fail, and every account of the transaction must be the same.
   *
   * @param exact whether two failures must have the same error: where a call has two faults, either can be reported
   * @throws Violation when the builds differ
   */
  observe(transaction: Uint8Array, exact = true): Outcome {
    const [tested, ...others] = [this.#svm, ...this.#others].map((svm) => svm.observe(transaction)) as [
      Outcome,
      ...Outcome[],
    ];
    for (const other of others) {
      if (tested.error === undefined || other.error === undefined || exact) {
        same('the result', tested.error, other.error);
        same('the calls', tested.calls.join('\n'), other.calls.join('\n'));
        same('the logged data', tested.logged.join('\n'), other.logged.join('\n'));
        same('the explanation', explanation(tested, other), explanation(other, other));
      }
    }
    for (const svm of this.#others)
      for (const key of keysIn(transaction))
        same(`account ${key.hex}`, textOf(this.#svm, key), textOf(svm, key));
    this.calls = tested.calls.map((call) => Buffer.from(call.slice(call.lastIndexOf(' ') + 1), 'hex'));
    return tested;
  }

  /** Takes over the lamports of an account that a step has changed from outside the programs. */
  sync(key: Key): void {
    const trader = TRADER_KEYS.findIndex(({ hex }) => hex === key.hex);
    if (trader >= 0) this.traders[trader] = this.lamports(key);
    if (key.hex === FEE_RECEIVER.hex) this.feeReceiver = this.lamports(key);
    for (const token of this.tokens)
      if (key.hex === token.keys.curve.hex) token.curveLamports = this.lamports(key);
  }

  /** The token that a step is for: the first one in the state, if there is one, beginning with `from`. */
  token(from: number, status: TokenState['status']): TokenState {
    const { tokens } = this;
    if (from >= ANY_STATE) return tokens[from % ANY_STATE]!;
    for (let index = 0; index < tokens.length; index += 1) {
      const token = tokens[(from + index) % tokens.length]!;
      if (token.status === status) return token;
    }
    return tokens[from]!;
  }
}

export function readU64(data: Uint8Array, offset: number): bigint {
  return Buffer.from(data.buffer, data.byteOffset, data.length).readBigUInt64LE(offset);
}

/** The accounts of a transaction in wire format, of which there are fewer than 128. */
function keysIn(transaction: Uint8Array): readonly Key[] {
  const count = 1 + 64 * transaction[0]! + 3;
  return Array.from({ length: transaction[count]! }, (_, index) =>
    keyOf(transaction.subarray(count + 1 + 32 * index, count + 33 + 32 * index)),
  );
}

/** The program may name an account where the reference names only its source line. */
function explanation({ explained }: Outcome, reference: Outcome): string {
  if (explained === undefined) return 'none';
  const { account, error } = explained;
  return reference.explained?.account === undefined ? error : `${account}: ${error}`;
}

function textOf(svm: Svm, key: Key): string {
  const { lamports, owner, data, executable } = svm.account(key) ?? NOTHING;
  // The machines have the same programs but one, whose bytes differ.
  const bytes = executable === true ? 'a program' : Buffer.from(data).toString('hex');
  return `${lamports} lamports, owner ${Buffer.from(owner).toString('hex')}, data ${bytes}`;
}

/** A transaction in wire format. Each is built once, and only the numbers in its data change. */
export interface Message {
  readonly bytes: Buffer;
  /** Where the data of the only call begins. */
  readonly data: number;
}

export class Messages {
  readonly #feePayer: Key;
  readonly #built = new Map<string, Message>();

  constructor(feePayer: Key) {
    this.#feePayer = feePayer;
  }

  /** The message with this name. `call` makes it the first time. */
  named(name: string, call: () => Call): Message {
    const built = this.#built.get(name);
    if (built !== undefined) return built;
    const made = call();
    const bytes = Buffer.from(compile([made], this.#feePayer));
    const message = { bytes, data: bytes.length - made.data.length };
    this.#built.set(name, message);
    return message;
  }
}

/** Writes u64 arguments behind `offset` bytes of data. */
export function withNumbers({ bytes, data }: Message, offset: number, ...numbers: readonly bigint[]): Buffer {
  numbers.forEach((value, index) => bytes.writeBigUInt64LE(value, data + offset + 8 * index));
  return bytes;
}
