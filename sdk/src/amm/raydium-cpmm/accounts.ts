// Decodes the accounts of a pool, with the layout of Raydium's IDL.
import type { AccountInfo, PublicKey } from '../../chain/types.js';
import { ByteReader, startsWith } from '../../codec/borsh.js';
import { UnexpectedAccountError } from '../../errors/index.js';
import {
  NATIVE_MINT_ADDRESS,
  SYSTEM_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '../../generated/program.js';
import type { PoolAddresses } from '../amm.js';
import { PROGRAM_ID } from './addresses.js';
import type { CpmmPool } from './maths.js';
import { sortsBefore } from './order.js';

const POOL = {
  discriminator: [247, 237, 227, 245, 215, 195, 222, 70],
  size: 637,
  config: 8,
  vaults: 72,
  mints: 168,
  status: 329,
  /** Protocol and fund fees of each side, then the opening time. */
  owedFees: 341,
  creatorFeeSide: 389,
  creatorFees: 397,
} as const;

const CONFIG = {
  discriminator: [218, 244, 33, 104, 203, 203, 43, 111],
  size: 236,
  /** 1 while Raydium opens no pools. */
  disableCreatePool: 9,
  /** Trade, protocol and fund fee rates. */
  rates: 12,
  openingFee: 36,
  creatorFeeRate: 108,
} as const;

const TOKEN_ACCOUNT = { size: 165, mint: 0, owner: 32, amount: 64 } as const;

/** The bit of `status` that disables swaps. */
const SWAPS_DISABLED = 4;

type Account = AccountInfo<Uint8Array> | null | undefined;

export function accounts({ pool, config, vaults }: PoolAddresses): PublicKey[] {
  return [pool, config, vaults.sol, vaults.token];
}

/** Lamports that Raydium charges for a new pool, without rent. */
export function openingFee(config: Uint8Array): bigint {
  return new ByteReader(config, CONFIG.openingFee).u64();
}

/** Whether Raydium's admin allows new pools. */
export function opensPools(config: Uint8Array): boolean {
  return new ByteReader(config, CONFIG.disableCreatePool).u8() === 0;
}

export function decode(
  addresses: PoolAddresses,
  [poolAccount, configAccount, solVault, tokenVault]: readonly Account[],
): CpmmPool | null {
  if (isAbsent(poolAccount)) return null;
  const { pool, config, vaults, mint } = addresses;
  const poolData = dataOf(pool, poolAccount, 'pool', POOL);
  const configData = dataOf(config, configAccount, 'fee tier', CONFIG);

  const tokenFirst = sortsBefore(mint, NATIVE_MINT_ADDRESS);
  const inOrder = <T>(sol: T, token: T): [T, T] => (tokenFirst ? [token, sol] : [sol, token]);
  const expected: [name: string, offset: number, keys: PublicKey[]][] = [
    ['fee tier', POOL.config, [config]],
    ['vaults', POOL.vaults, inOrder(vaults.sol, vaults.token)],
    ['mints', POOL.mints, inOrder(NATIVE_MINT_ADDRESS, mint)],
  ];
  for (const [name, offset, keys] of expected) {
    const reader = new ByteReader(poolData, offset);
    if (keys.every((key) => reader.pubkey().equals(key))) continue;
    throw new UnexpectedAccountError(pool, `is a pool with other ${name} than those of ${mint.toBase58()}`);
  }

  const owed = new ByteReader(poolData, POOL.owedFees);
  const [protocol0, protocol1, fund0, fund1, openTime] = [
    owed.u64(),
    owed.u64(),
    owed.u64(),
    owed.u64(),
    owed.u64(),
  ];
  const creator = new ByteReader(poolData, POOL.creatorFees);
  const [owed0, owed1] = [protocol0 + fund0 + creator.u64(), protocol1 + fund1 + creator.u64()];
  const [owedSol, owedToken] = tokenFirst ? [owed1, owed0] : [owed0, owed1];
  const creatorFee = new ByteReader(poolData, POOL.creatorFeeSide);
  const side = creatorFee.u8();
  const hasCreatorFee = creatorFee.bool();
  const rates = new ByteReader(configData, CONFIG.rates);
  return {
    amm: 'raydium-cpmm',
    sol: balanceOf(vaults.sol, solVault, NATIVE_MINT_ADDRESS, addresses) - owedSol,
    token: balanceOf(vaults.token, tokenVault, mint, addresses) - owedToken,
    tradable: (poolData[POOL.status]! & SWAPS_DISABLED) === 0,
    openTime,
    tradeFeeRate: rates.u64(),
    protocolFeeRate: rates.u64(),
    fundFeeRate: rates.u64(),
    creatorFeeRate: hasCreatorFee ? new ByteReader(configData, CONFIG.creatorFeeRate).u64() : 0n,
    creatorFeeSide: side === 0 ? 'input' : (side === 1) === tokenFirst ? 'token' : 'sol',
  };
}

function dataOf(
  address: PublicKey,
  account: Account,
  name: string,
  { discriminator, size }: { discriminator: readonly number[]; size: number },
): Uint8Array {
  const isOne =
    account?.owner.equals(PROGRAM_ID) === true &&
    account.data.length === size &&
    startsWith(account.data, Uint8Array.from(discriminator));
  if (!isOne) throw new UnexpectedAccountError(address, `is not a ${name} of ${PROGRAM_ID.toBase58()}`);
  return account.data;
}

function balanceOf(
  address: PublicKey,
  account: Account,
  mint: PublicKey,
  { authority }: PoolAddresses,
): bigint {
  const keyAt = (offset: number) => new ByteReader(account!.data, offset).pubkey();
  const isVault =
    account?.owner.equals(TOKEN_PROGRAM_ADDRESS) === true &&
    account.data.length === TOKEN_ACCOUNT.size &&
    keyAt(TOKEN_ACCOUNT.mint).equals(mint) &&
    keyAt(TOKEN_ACCOUNT.owner).equals(authority);
  if (!isVault) {
    throw new UnexpectedAccountError(address, `is not the pool's token account of ${mint.toBase58()}`);
  }
  return new ByteReader(account.data, TOKEN_ACCOUNT.amount).u64();
}

function isAbsent(account: Account): account is null | undefined {
  return (
    account === null ||
    account === undefined ||
    (account.owner.equals(SYSTEM_PROGRAM_ADDRESS) && account.data.length === 0)
  );
}
