import {
  type Connection,
  SYSVAR_CLOCK_PUBKEY,
  SystemProgram,
  type Keypair,
  type PublicKey,
  type TransactionInstruction,
  type VersionedTransaction,
} from '@solana/web3.js';
import { type Deployment, InvalidArgumentError } from '@curvekit/sdk';
import { requireU64 } from './arguments.js';
import type { DevelopmentKeys } from './artifacts.js';
import type { AccountContent, Backend, TimeTravelTarget } from './backend.js';
import type { ClusterClock, LocalCluster } from './cluster.js';
import { openConnection } from './connection.js';
import { ClusterRequestError, UnsupportedByClusterError, type ClusterKind } from './errors.js';
import { Funding } from './funding.js';
import { TransactionSender, type SendOptions, type SentTransaction } from './send.js';

/** How far Surfpool's clock moves per slot. */
const SLOT_MS = 400n;
/** Maximum number of blocks after time travel until the clock is updated. */
const MOST_BLOCKS = 5;

/** The cluster's functions, the same on every backend. */
export class RunningCluster implements LocalCluster {
  readonly kind: ClusterKind;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  readonly connection: Connection;
  readonly payer: Keypair;
  readonly programId: PublicKey;
  readonly admin: Keypair;
  readonly feeReceiver: Keypair;
  readonly dexOwner: Keypair;
  readonly sender: TransactionSender;
  readonly #backend: Backend;
  readonly #funding: Funding;
  readonly #walletLamports: bigint;

  constructor(
    backend: Backend,
    readonly deployment: Deployment,
    keys: DevelopmentKeys,
    walletLamports: bigint,
  ) {
    this.#backend = backend;
    this.kind = backend.kind;
    this.rpcUrl = backend.rpcUrl;
    this.wsUrl = backend.wsUrl;
    this.connection = openConnection(backend.rpcUrl, { wsEndpoint: backend.wsUrl });
    this.payer = backend.payer;
    this.programId = deployment.programId;
    this.admin = keys.admin;
    this.feeReceiver = keys.feeReceiver;
    this.dexOwner = keys.dexOwner;
    this.sender = new TransactionSender(this.connection, deployment, backend.pace);
    this.#funding = new Funding(this.sender, backend.payer);
    this.#walletLamports = walletLamports;
  }

  async fund(to: PublicKey, lamports: bigint): Promise<void> {
    await this.#funding.fund([to], lamports);
  }

  async fundedWallet(lamports?: bigint): Promise<Keypair> {
    const [wallet] = await this.fundedWallets(1, lamports);
    return wallet!;
  }

  fundedWallets(count: number, lamports = this.#walletLamports): Promise<Keypair[]> {
    return this.#funding.wallets(count, lamports);
  }

  send(
    instructions: readonly TransactionInstruction[],
    signers: readonly Keypair[],
    options?: SendOptions,
  ): Promise<SentTransaction> {
    return this.sender.send(instructions, signers, options);
  }

  sendSigned(transaction: VersionedTransaction, options?: SendOptions): Promise<SentTransaction> {
    return this.sender.sendSigned(transaction, options);
  }

  async clock(): Promise<ClusterClock> {
    const account = await this.connection.getAccountInfo(SYSVAR_CLOCK_PUBKEY);
    if (account === null)
      throw new ClusterRequestError('getAccountInfo', this.rpcUrl, 'the clock sysvar is missing');
    // Layout of the sysvar: slot, epoch start timestamp, epoch, leader schedule epoch, Unix timestamp.
    return {
      slot: account.data.readBigUInt64LE(0),
      epoch: account.data.readBigUInt64LE(16),
      unixTimestamp: account.data.readBigInt64LE(32),
    };
  }

  timeTravelToSlot(slot: bigint | number): Promise<void> {
    return this.#travel('slot', slot, (to) => ({ slot: to }));
  }

  timeTravelToEpoch(epoch: bigint | number): Promise<void> {
    return this.#travel('epoch', epoch, (to) => ({ epoch: to }));
  }

  timeTravelToTimestamp(unixTimestamp: bigint | number): Promise<void> {
    // Travel by slots. For a time, Surfpool would choose the slot of this time, which can be in the past.
    return this.#travel('unixTimestamp', unixTimestamp, (to, present) => ({
      slot: present.slot + ((to - present.unixTimestamp) * 1_000n + SLOT_MS - 1n) / SLOT_MS,
    }));
  }

  async setAccount(address: PublicKey, content: AccountContent): Promise<void> {
    const { setAccount } = this.#backend;
    if (setAccount === undefined) throw new UnsupportedByClusterError('setAccount', this.kind);
    if (content.lamports !== undefined) requireU64('lamports', content.lamports);
    await setAccount(address, content);
  }

  stop(): Promise<void> {
    return this.#backend.stop();
  }

  async #travel(
    unit: keyof ClusterClock,
    to: bigint | number,
    targetOf: (to: bigint, present: ClusterClock) => TimeTravelTarget,
  ): Promise<void> {
    const { timeTravel } = this.#backend;
    if (timeTravel === undefined) throw new UnsupportedByClusterError('time travel', this.kind);
    if (typeof to === 'number' && !Number.isSafeInteger(to)) {
      throw new InvalidArgumentError(unit, `is ${to}; it must be an integer`);
    }
    const target = requireU64(unit, BigInt(to));
    const clock = await this.clock();
    if (target <= clock[unit]) {
      throw new InvalidArgumentError(
        unit,
        `is ${target}; the cluster is at ${clock[unit]} and only moves ahead`,
      );
    }
    await timeTravel(targetOf(target, clock));
    // The clock sysvar is consistent only after the next block, on a busy machine after one more.
    const { publicKey } = this.payer;
    for (let lamports = 0; lamports < MOST_BLOCKS; lamports += 1) {
      await this.send(
        [SystemProgram.transfer({ fromPubkey: publicKey, toPubkey: publicKey, lamports })],
        [this.payer],
      );
      if ((await this.clock())[unit] >= target) return;
    }
    throw new ClusterRequestError('surfnet_timeTravel', this.rpcUrl, `${unit} ${target} is not reached`);
  }
}
