// A launchpad in a virtual machine: the programs, the wallets and tokens of an episode, and what is known of them.
import {
  NATIVE_MINT_ADDRESS,
  RENT_SYSVAR_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '@curvekit/sdk';
import { AMM_FIXTURE } from '#testing/amm-fixture.js';
import { mintData } from '#tests/graduation/svm-curves.js';
import { compile, keyOf, type Call, type Key } from '../differential/call.js';
import { Svm, type Program, type StoredAccount } from '../differential/svm.js';
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
import { Messages } from './messages.js';
import { newToken, type TokenState } from './state.js';
import type { EpisodeSpec } from './steps.js';

export const SYSTEM = SYSTEM_PROGRAM_ADDRESS.toBytes();
export const TOKEN = TOKEN_PROGRAM_ADDRESS.toBytes();
export const USUAL_RENT_PER_BYTE = 6_960n;
/** Enough for the rent of any account here, at the highest rent. */
const AMPLE_RENT = 20_000_000n;
const RICH = 10n ** 16n;
const NOW = 1_800_000_000n;
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
  readonly #svm: Svm;
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

  /** @param programs the program under test, the graduation program, the AMM and the programs that they call */
  constructor(programs: readonly Program[], ammChecks: boolean) {
    this.ammChecks = ammChecks;
    this.#svm = new Svm(programs);
    this.#svm.keepNoLogs();
    this.#svm.setTime(NOW);
  }

  /** Puts the state of a new episode in the place of everything that an earlier one left. */
  reset(spec: EpisodeSpec): void {
    this.setRent(USUAL_RENT_PER_BYTE);
    for (const key of PLACES) {
      if (key.hex !== RENT_SYSVAR && this.#svm.account(key)?.executable !== true)
        this.#svm.setAccount(key, NOTHING);
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
    this.set(keyOf(NATIVE_MINT_ADDRESS), AMPLE_RENT, TOKEN, mintData(0n, 9));
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

  setRent(lamportsPerByte: bigint): void {
    this.rentPerByte = lamportsPerByte;
    this.#svm.setRent(lamportsPerByte, 1);
  }

  rentOf(bytes: number): bigint {
    return (128n + BigInt(bytes)) * this.rentPerByte;
  }

  set(key: Key, lamports: bigint, owner: Uint8Array = SYSTEM, data: Uint8Array = new Uint8Array()): void {
    this.#svm.setAccount(key, { lamports, owner, data });
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

  /** Units of a mint that exist. */
  supply(key: Key): bigint {
    const data = this.#svm.account(key)?.data;
    return data?.length === 82 ? readU64(data, 36) : 0n;
  }

  /** @returns the error, or undefined on success */
  run(transaction: Uint8Array): string | undefined {
    return this.#svm.run(transaction);
  }

  /** As `run`, for a call that is sent once. */
  send(call: Call, feePayer = RELAYER): string | undefined {
    return this.#svm.run(compile([call], feePayer));
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
