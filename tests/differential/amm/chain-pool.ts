// A pool's accounts in a virtual machine, written in the AMM's layout and read with the SDK.
import {
  AMM,
  NATIVE_MINT_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
  type PoolAddresses,
  type PoolSide,
  type PoolState,
} from '@curvekit/sdk';
import { PublicKey, type AccountInfo } from '@solana/web3.js';
import { createHash } from 'node:crypto';
import { callOf, keyOf, publicKeyOf, type Call, type Key } from '../call.js';
import type { Outcome, StoredAccount, Svm } from '../svm.js';
import { amountIn, tokenAccount } from '../token-account.js';
import type { OwedFees, RandomPool } from './random-pools.js';

const POOL_BYTES = 637;
const POOL_DISCRIMINATOR = [247, 237, 227, 245, 215, 195, 222, 70];
export const CONFIG_BYTES = 236;
export const CONFIG_DISCRIMINATOR = [218, 244, 33, 104, 203, 203, 43, 111];
const OBSERVATION_BYTES = 4_075;
const OBSERVATION_DISCRIMINATOR = [122, 174, 197, 53, 129, 9, 165, 132];
const SWAP_BASE_OUTPUT = [55, 217, 98, 86, 163, 74, 180, 173];
const MINT_BYTES = 82;
export const RENT = 50_000_000n;
const AUTHORITY_BUMP = 253;
/** The trader's balance of each side. More than any trade of the tests takes. */
const HELD = 1n << 62n;

const TRADER = keyOf(named('trader'));
const AMM_PROGRAM = AMM.programId.toBytes();
export const TOKEN = TOKEN_PROGRAM_ADDRESS.toBytes();
const WSOL = keyOf(NATIVE_MINT_ADDRESS);

/** A token and the addresses of its pool. Its mint sorts before or after wrapped SOL. */
interface Place extends PoolAddresses {
  readonly account: Readonly<Record<PoolSide, Key>>;
}

const PLACES = { first: place(true), second: place(false) };

function place(tokenFirst: boolean): Place {
  const pool = new PublicKey(named('pool'));
  const account = { sol: keyOf(named('lamports of trader')), token: keyOf(named('tokens of trader')) };
  return { ...AMM.addresses(pool, mintOf('', tokenFirst)), account };
}

/** A mint that sorts before or after wrapped SOL's. */
export function mintOf(seed: string, tokenFirst: boolean): PublicKey {
  for (let count = 0; ; count += 1) {
    const mint = named(`${seed} mint ${count}`);
    if (Buffer.compare(mint, WSOL.bytes) < 0 === tokenFirst) return new PublicKey(mint);
  }
}

export function named(name: string): Buffer {
  return createHash('sha256').update(name).digest();
}

/** A token account's lamports: those of a native one are its rent and its amount. */
export function tokensOf(mint: PublicKey, owner: Key, amount: bigint): StoredAccount {
  const isSol = mint.equals(NATIVE_MINT_ADDRESS);
  const data = tokenAccount({ mint: keyOf(mint), owner, amount, ...(isSol && { native: RENT }) });
  return { lamports: isSol ? RENT + amount : RENT, owner: TOKEN, data };
}

export class ChainPool {
  readonly #place: Place;

  constructor(
    private readonly svm: Svm,
    pool: RandomPool,
  ) {
    this.#place = pool.tokenFirst ? PLACES.first : PLACES.second;
    this.#write(pool);
  }

  swap(exact: 'in' | 'out', input: PoolSide, amount: bigint, limit: bigint): Call {
    const { account } = this.#place;
    const swap = AMM.swap(this.#place, {
      owner: publicKeyOf(TRADER),
      input,
      from: publicKeyOf(account[input]),
      to: publicKeyOf(account[input === 'sol' ? 'token' : 'sol']),
      amountIn: amount,
      minAmountOut: limit,
    });
    const call = callOf(swap);
    if (exact === 'in') return call;
    // The same accounts. The arguments are the maximum to pay and the amount to receive.
    const data = Buffer.from([...SWAP_BASE_OUTPUT, ...u64(limit), ...u64(amount)]);
    return { ...call, data };
  }

  send(calls: readonly Call[]): Outcome {
    return this.svm.send(calls, TRADER);
  }

  read(): PoolState {
    const accounts = AMM.accounts(this.#place).map((address): AccountInfo<Uint8Array> => {
      const { lamports, owner, data } = this.svm.account(keyOf(address))!;
      return { lamports: Number(lamports), owner: new PublicKey(owner), data, executable: false };
    });
    return AMM.decode(this.#place, accounts)!;
  }

  held(): Record<PoolSide, bigint> {
    const amount = (side: PoolSide) => amountIn(this.svm.account(this.#place.account[side])!.data) - HELD;
    return { sol: amount('sol'), token: amount('token') };
  }

  #write({ state, owed, tokenFirst }: RandomPool): void {
    const { mint, pool, config, authority, observation, vaults, account } = this.#place;
    const set = (address: Key | PublicKey, owner: Uint8Array, data: Uint8Array): void =>
      this.svm.setAccount(address instanceof PublicKey ? keyOf(address) : address, {
        lamports: RENT,
        owner,
        data,
      });
    const setTokens = (address: Key, side: PoolSide, owner: Key, amount: bigint): void =>
      this.svm.setAccount(address, tokensOf(side === 'sol' ? NATIVE_MINT_ADDRESS : mint, owner, amount));
    set(TRADER, new Uint8Array(32), new Uint8Array());
    set(mint, TOKEN, mintData(6));
    set(WSOL, TOKEN, mintData(9));
    set(config, AMM_PROGRAM, configData(state));
    set(observation, AMM_PROGRAM, observationData(pool));
    for (const side of ['sol', 'token'] as const) {
      const { protocol, fund, creator } = owed[side];
      setTokens(keyOf(vaults[side]), side, keyOf(authority), state[side] + protocol + fund + creator);
      setTokens(account[side], side, TRADER, HELD);
    }
    set(pool, AMM_PROGRAM, poolData(this.#place, state, owed, tokenFirst));
  }
}

function poolData(
  { mint, config, vaults, liquidityMint, observation }: PoolAddresses,
  state: PoolState,
  owed: Readonly<Record<PoolSide, OwedFees>>,
  tokenFirst: boolean,
): Uint8Array {
  const [first, second] = tokenFirst ? (['token', 'sol'] as const) : (['sol', 'token'] as const);
  const mints = { sol: NATIVE_MINT_ADDRESS, token: mint };
  const creatorFeeOn = { input: 0, [first]: 1, [second]: 2 }[state.creatorFeeSide]!;
  const keys = [
    config,
    config,
    vaults[first],
    vaults[second],
    liquidityMint,
    mints[first],
    mints[second],
    TOKEN_PROGRAM_ADDRESS,
    TOKEN_PROGRAM_ADDRESS,
    observation,
  ];
  const data = Buffer.from([
    ...POOL_DISCRIMINATOR,
    ...keys.flatMap((key) => [...key.toBytes()]),
    ...[AUTHORITY_BUMP, state.tradable ? 0 : 4, 9, tokenFirst ? 6 : 9, tokenFirst ? 9 : 6],
    ...u64(1_000_000n),
    ...[owed[first].protocol, owed[second].protocol, owed[first].fund, owed[second].fund].flatMap(u64),
    ...u64(state.openTime),
    ...u64(0n),
    ...[creatorFeeOn, state.creatorFeeRate > 0n ? 1 : 0, 0, 0, 0, 0, 0, 0],
    ...[owed[first].creator, owed[second].creator].flatMap(u64),
  ]);
  return Buffer.concat([data], POOL_BYTES);
}

function configData({ tradeFeeRate, protocolFeeRate, fundFeeRate, creatorFeeRate }: PoolState): Uint8Array {
  const data = Buffer.alloc(CONFIG_BYTES);
  data.set(CONFIG_DISCRIMINATOR);
  data.set([tradeFeeRate, protocolFeeRate, fundFeeRate].flatMap(u64), 12);
  data.set(u64(creatorFeeRate), 108);
  return data;
}

function observationData(pool: PublicKey): Uint8Array {
  const data = Buffer.alloc(OBSERVATION_BYTES);
  data.set(OBSERVATION_DISCRIMINATOR);
  data.set(pool.toBytes(), 11);
  return data;
}

export function mintData(decimals: number): Uint8Array {
  const data = Buffer.alloc(MINT_BYTES);
  data[44] = decimals;
  data[45] = 1;
  return data;
}

export function u64(value: bigint): number[] {
  return Array.from({ length: 8 }, (_, byte) => Number((value >> BigInt(8 * byte)) & 0xffn));
}
