import type {
  Connection,
  Keypair,
  PublicKey,
  TransactionInstruction,
  VersionedTransaction,
} from '@solana/web3.js';
import type { Deployment } from '@curvekit/sdk';
import type { AccountContent } from './backend.js';
import type { ClusterKind } from './errors.js';
import type { SendOptions, SentTransaction } from './send.js';

/** The cluster's time, as programs see it. */
export interface ClusterClock {
  readonly slot: bigint;
  readonly epoch: bigint;
  /** Unix time, in seconds. */
  readonly unixTimestamp: bigint;
}

/** A cluster with the program and Metaplex Token Metadata deployed, properties set and wallets funded. */
export interface LocalCluster {
  readonly kind: ClusterKind;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** Commitment `confirmed`. */
  readonly connection: Connection;
  /** Has enough SOL to fund the other wallets. */
  readonly payer: Keypair;
  readonly programId: PublicKey;
  /** The program with its authorities, for the builders of the SDK. */
  readonly deployment: Deployment;
  /** Sets the properties. */
  readonly admin: Keypair;
  /** The treasury of the graduation program. On a key-held launchpad: receives the platform fee and signs `migrate`. */
  readonly feeReceiver: Keypair;
  /** Owns the community storages. */
  readonly dexOwner: Keypair;

  /** Adds lamports to an account, by a transfer from `payer`. */
  fund(to: PublicKey, lamports: bigint): Promise<void>;
  /** A new wallet with that many lamports, 100 SOL by default. */
  fundedWallet(lamports?: bigint): Promise<Keypair>;
  /** New wallets with that many lamports each, 100 SOL by default. */
  fundedWallets(count: number, lamports?: bigint): Promise<Keypair[]>;

  /**
   * Sends instructions in one version 0 transaction, paid by the first signer, and waits until it is confirmed. It
   * skips the preflight, so that a failing transaction really fails on chain. Sending the same instructions twice makes
   * two transactions.
   *
   * @throws TransactionError (or one of its subclasses, such as ProgramError) with the logs, when it fails on chain or
   *   the cluster refuses it; TransactionExpiredError when its blockhash expired three times in a row.
   */
  send(
    instructions: readonly TransactionInstruction[],
    signers: readonly Keypair[],
    options?: SendOptions,
  ): Promise<SentTransaction>;
  /** Sends an already signed transaction, such as one that a service signed first. Throws like `send`. */
  sendSigned(transaction: VersionedTransaction, options?: SendOptions): Promise<SentTransaction>;

  /** The cluster's time as of the last block. */
  clock(): Promise<ClusterClock>;
  /**
   * Moves the cluster ahead to a slot, and its clock by 400 ms per slot.
   *
   * @throws UnsupportedByClusterError except on Surfpool; InvalidArgumentError for the past.
   */
  timeTravelToSlot(slot: bigint | number): Promise<void>;
  /** Moves the cluster ahead to the first slot of an epoch. Throws like `timeTravelToSlot`. */
  timeTravelToEpoch(epoch: bigint | number): Promise<void>;
  /** Moves the cluster ahead to a Unix time in seconds. Throws like `timeTravelToSlot`. */
  timeTravelToTimestamp(unixTimestamp: bigint | number): Promise<void>;
  /**
   * Overwrites an account's lamports, data or owner. Omitted fields keep their value.
   *
   * @throws UnsupportedByClusterError except on Surfpool.
   */
  setAccount(address: PublicKey, content: AccountContent): Promise<void>;

  /** Stops the cluster and removes its files. Safe to call twice. A cluster given by URL keeps running. */
  stop(): Promise<void>;
}
