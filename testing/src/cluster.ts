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

/** The cluster's own time, as programs see it. */
export interface ClusterClock {
  readonly slot: bigint;
  readonly epoch: bigint;
  /** Unix time, in seconds. */
  readonly unixTimestamp: bigint;
}

/** A cluster with the program and Metaplex Token Metadata on it, properties set, wallets funded. */
export interface LocalCluster {
  readonly kind: ClusterKind;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** Commitment `confirmed`. */
  readonly connection: Connection;
  /** Rich: funds the other wallets. */
  readonly payer: Keypair;
  readonly programId: PublicKey;
  /** The program with its authorities, to pass to this package's builders. */
  readonly deployment: Deployment;
  /** Sets the properties. */
  readonly admin: Keypair;
  /** Receives the platform fee, signs `migrate`. Where curves graduate by themselves: the treasury. */
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
   * Sends instructions in one version 0 transaction, which the first signer pays for, and waits until it is confirmed.
   * It goes out without a preflight: a transaction that must fail really fails on chain. Sending the same twice makes
   * two transactions.
   *
   * @throws TransactionError (or one of its subclasses, such as ProgramError) with the logs, when it fails on chain or
   *   the cluster won't take it; TransactionExpiredError when its blockhash ran out three times in a row.
   */
  send(
    instructions: readonly TransactionInstruction[],
    signers: readonly Keypair[],
    options?: SendOptions,
  ): Promise<SentTransaction>;
  /** Sends a transaction that is signed already, such as one that a service signed first. Throws as `send` does. */
  sendSigned(transaction: VersionedTransaction, options?: SendOptions): Promise<SentTransaction>;

  /** The present as of the last block. */
  clock(): Promise<ClusterClock>;
  /**
   * Moves the cluster ahead to a slot; the clock follows, 400 ms for each slot.
   *
   * @throws UnsupportedByClusterError except on Surfpool; InvalidArgumentError for the past.
   */
  timeTravelToSlot(slot: bigint | number): Promise<void>;
  /** Moves the cluster ahead to the first slot of an epoch. Throws as `timeTravelToSlot` does. */
  timeTravelToEpoch(epoch: bigint | number): Promise<void>;
  /** Moves the cluster ahead to a Unix time in seconds. Throws as `timeTravelToSlot` does. */
  timeTravelToTimestamp(unixTimestamp: bigint | number): Promise<void>;
  /**
   * Overwrites an account's lamports, data or owner without its program; the rest stays.
   *
   * @throws UnsupportedByClusterError except on Surfpool.
   */
  setAccount(address: PublicKey, content: AccountContent): Promise<void>;

  /** Ends the cluster and removes what it wrote. Safe to call twice. A cluster reached by URL goes on running. */
  stop(): Promise<void>;
}
