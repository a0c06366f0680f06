// Sold-out curves in a virtual machine, and the accounts that their graduation leaves.
import { readFileSync } from 'node:fs';
import { Keypair, PublicKey, SystemProgram } from '@solana/web3.js';
import {
  AMM,
  encodeTokenOwnerData,
  graduate,
  GRADUATE_ACCOUNTS,
  DEFAULT_DEPLOYMENT,
  GRADUATION_VIRTUAL_TOKEN,
  NATIVE_MINT_ADDRESS,
  TOKEN_OWNER_DATA_SIZE,
  TOKEN_PROGRAM_ADDRESS,
  TOKEN_SUPPLY,
} from '@curvekit/sdk';
import { AMM_FIXTURE } from '#testing/amm-fixture.js';
import { callOf, keyOf, type Call, type Key } from '../../differential/call.js';
import { Svm } from '../../differential/svm.js';
import { amountIn, tokenAccount, TOKEN_ACCOUNT_SIZE } from '../../differential/token-account.js';
import { mintInOrder } from './graduating.js';

export type AccountName = keyof typeof GRADUATE_ACCOUNTS;

/** The addresses that `graduate` creates, and to which anyone can have sent lamports before. */
export const OPENED = [
  'poolCreator',
  'tokens',
  'wrappedSol',
  'pool',
  'lpMint',
  'lpTokens',
  'poolVault0',
  'poolVault1',
  'observation',
] as const satisfies readonly AccountName[];

/** The state before a graduation. In lamports and token base units. */
export interface SoldOut {
  /** Index into `SvmCurves.mints`. */
  readonly mint: number;
  readonly virtualSol: bigint;
  /** The curve account's lamports above its rent. */
  readonly sol: bigint;
  readonly tokens: bigint;
  readonly afterMigrationFee: number;
  readonly wsolStorage: boolean;
  readonly tokenStorage: boolean;
  readonly createPoolFee: bigint;
  /** Lamports at each address of `OPENED`. */
  readonly sentAhead: readonly bigint[];
  /** The fee receiver's lamports above rent exemption. */
  readonly fees: bigint;
}

export interface Prepared {
  readonly mint: PublicKey;
  readonly call: Call;
  readonly solVault: Key;
  readonly tokenVault: Key;
}

const PAYER_LAMPORTS = 1_000_000_000n;
const CREATE_POOL_FEE_OFFSET = 36;
/** Behind the tags of the call and of the record: mint, pool, and the two amounts of the pool. */
const RECORDED_COMMUNITY_SOL = 8 + 8 + 32 + 32 + 8 + 8;
const NOTHING = { lamports: 0n, owner: SystemProgram.programId.toBytes(), data: new Uint8Array() };

export class SvmCurves {
  readonly #svm: Svm;
  readonly #payer = keyOf(Keypair.generate().publicKey);
  readonly mints: readonly Prepared[];

  constructor(ammSo: string, mints: number) {
    const { programId, graduation } = DEFAULT_DEPLOYMENT;
    this.#svm = new Svm([
      { key: keyOf(programId), binary: readFileSync('artifacts/bonding_curve.so') },
      { key: keyOf(graduation.programId), binary: readFileSync('artifacts/graduation.so') },
      { key: keyOf(AMM.programId), binary: readFileSync(ammSo) },
    ]);
    for (const { address, owner, lamports, data } of AMM_FIXTURE.accounts) {
      const account = { lamports, owner: owner.toBytes(), data: Buffer.from(data, 'base64') };
      this.#svm.setAccount(keyOf(address), account);
    }
    this.#set(NATIVE_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS, mintData(0n, 9));
    this.mints = Array.from({ length: mints }, (_, index) => this.#prepare(index));
  }

  #prepare(index: number): Prepared {
    const mint = mintInOrder(index % 2 === 0 ? 'token first' : 'SOL first').publicKey;
    const payer = new PublicKey(this.#payer.bytes);
    const [instruction] = graduate({ mint, payer, deployment: DEFAULT_DEPLOYMENT });
    const pool = instruction!.keys[GRADUATE_ACCOUNTS.pool]!.pubkey;
    const { vaults } = AMM.addresses(pool, mint);
    return {
      mint,
      call: callOf(instruction!),
      solVault: keyOf(vaults.sol),
      tokenVault: keyOf(vaults.token),
    };
  }

  key({ mint }: Pick<SoldOut, 'mint'>, name: AccountName): Key {
    return this.mints[mint]!.call.metas[GRADUATE_ACCOUNTS[name]]!.key;
  }

  rentOf(bytes: number): bigint {
    return this.#svm.rentOf(bytes);
  }

  /** Writes the curve with all its accounts, and clears what an earlier graduation left. */
  prepare(curve: SoldOut): void {
    const { mint, call } = this.mints[curve.mint]!;
    for (const { key, isWritable } of call.metas) {
      if (isWritable && key.hex !== POOL_FEE_RECEIVER.hex) this.#svm.setAccount(key, NOTHING);
    }
    const at = (name: AccountName): PublicKey => new PublicKey(this.key(curve, name).bytes);
    for (const [index, name] of OPENED.entries())
      this.#svm.setAccount(this.key(curve, name), { ...NOTHING, lamports: curve.sentAhead[index]! });
    this.#svm.setAccount(this.#payer, { ...NOTHING, lamports: PAYER_LAMPORTS });
    const fees = this.rentOf(0) + curve.fees;
    this.#svm.setAccount(this.key(curve, 'feeReceiver'), { ...NOTHING, lamports: fees });
    this.#set(mint, TOKEN_PROGRAM_ADDRESS, mintData(TOKEN_SUPPLY, 6));
    const state = encodeTokenOwnerData({
      initialized: 2,
      virtualSol: curve.virtualSol,
      virtualToken: GRADUATION_VIRTUAL_TOKEN,
      afterMigrationFee: curve.afterMigrationFee,
      afterMigrationBurnBp: 0,
    });
    const { programId, dexOwner } = DEFAULT_DEPLOYMENT;
    this.#set(at('tokenOwnerPda'), programId, state, curve.sol);
    this.#setTokens(at('tokenOwnerTokenAccount'), mint, at('tokenOwnerPda'), curve.tokens);
    if (curve.tokenStorage) this.#setTokens(at('communityTokenStorage'), mint, dexOwner, 0n);
    if (curve.wsolStorage) this.#setTokens(at('communityWsolStorage'), NATIVE_MINT_ADDRESS, dexOwner, 0n);
    const config = this.key(curve, 'ammConfig');
    const account = this.#svm.account(config)!;
    const data = Buffer.from(account.data);
    data.writeBigUInt64LE(curve.createPoolFee, CREATE_POOL_FEE_OFFSET);
    this.#svm.setAccount(config, { ...account, data });
  }

  /** @returns the error if the graduation was refused */
  graduate(curve: SoldOut): string | undefined {
    return this.graduateRecorded(curve).error;
  }

  /** As `graduate`, with the community's wrapped SOL by the log record. */
  graduateRecorded({ mint }: SoldOut): { readonly error: string | undefined; readonly communitySol: bigint } {
    const { error, calls } = this.#svm.send([this.mints[mint]!.call], this.#payer);
    const record = Buffer.from(calls.at(-1)?.split(' ').at(-1) ?? '', 'hex');
    const communitySol = error === undefined ? record.readBigUInt64LE(RECORDED_COMMUNITY_SOL) : 0n;
    return { error, communitySol };
  }

  /** Changes the cluster's rent; what `prepare` wrote before stays. */
  setRent(lamportsPerByte: bigint): void {
    this.#svm.setRent(lamportsPerByte, 1);
  }

  lamports(key: Key): bigint {
    return this.#svm.account(key)?.lamports ?? 0n;
  }

  payerLamports(): bigint {
    return this.lamports(this.#payer);
  }

  tokens(key: Key): bigint {
    return amountIn(this.#svm.account(key)?.data ?? new Uint8Array());
  }

  supply(key: Key): bigint {
    return Buffer.from(this.#svm.account(key)!.data).readBigUInt64LE(36);
  }

  /** Lamports of all accounts of the graduation, summed. */
  allLamports({ mint }: SoldOut): bigint {
    const keys = new Map(this.mints[mint]!.call.metas.map(({ key }) => [key.hex, key]));
    return [...keys.values()].reduce((sum, key) => sum + this.lamports(key), 0n);
  }

  /** The lamports that were sent to the wrapped SOL vault before, beyond its rent. */
  giftToVault(curve: SoldOut): bigint {
    const { solVault } = this.mints[curve.mint]!;
    const index = OPENED.findIndex((name) => this.key(curve, name).hex === solVault.hex);
    const gift = curve.sentAhead[index]! - this.rentOf(TOKEN_ACCOUNT_SIZE);
    return gift > 0n ? gift : 0n;
  }

  #setTokens(address: PublicKey, mint: PublicKey, owner: PublicKey, amount: bigint): void {
    const data = Buffer.from(tokenAccount({ mint: keyOf(mint), owner: keyOf(owner), amount }));
    if (mint.equals(NATIVE_MINT_ADDRESS)) {
      data.writeUInt32LE(1, 109);
      data.writeBigUInt64LE(this.rentOf(data.length), 113);
    }
    this.#set(address, TOKEN_PROGRAM_ADDRESS, data);
  }

  #set(address: PublicKey, owner: PublicKey, data: Uint8Array, above = 0n): void {
    const lamports = this.rentOf(data.length) + above;
    this.#svm.setAccount(keyOf(address), { lamports, owner: owner.toBytes(), data });
  }
}

const POOL_FEE_RECEIVER = keyOf(AMM_FIXTURE.accounts[1]!.address);

/** Size of the curve's account, whose rent stays in it. */
export const CURVE_BYTES = TOKEN_OWNER_DATA_SIZE;

/** The data of a mint without authorities. */
export function mintData(supply: bigint, decimals: number): Uint8Array {
  const data = Buffer.alloc(82);
  data.writeBigUInt64LE(supply, 36);
  data[44] = decimals;
  data[45] = 1;
  return data;
}
