import type { Keypair, PublicKey } from '@solana/web3.js';
import type { ClusterKind } from './errors.js';

/** A program that the cluster has from the start. */
export interface ProgramBinary {
  readonly programId: PublicKey;
  /** Path of the compiled program. */
  readonly so: string;
}

/** An account that the cluster has from the start. */
export interface GenesisAccount {
  readonly address: PublicKey;
  readonly owner: PublicKey;
  readonly lamports: bigint;
  /** Base64. */
  readonly data: string;
}

/** The programs and accounts of a cluster before the first transaction. */
export interface Genesis {
  readonly programs: readonly ProgramBinary[];
  readonly accounts: readonly GenesisAccount[];
}

/** The target of time travel, always in the future of the cluster. */
export type TimeTravelTarget = { readonly slot: bigint } | { readonly epoch: bigint };

/** The fields that `setAccount` writes. Omitted fields keep their value. */
export interface AccountContent {
  readonly lamports?: bigint;
  readonly data?: Uint8Array;
  readonly owner?: PublicKey;
}

/** Limits for sending transactions. */
export interface Pace {
  /** Maximum number of unconfirmed transactions. Further ones wait. */
  readonly maxInFlight: number;
  /** How long a transaction may stay unseen before it is simulated, to find out why, and sent again. */
  readonly resendAfterMs: number;
}

/** The parts that differ between the three kinds of cluster. */
export interface Backend {
  readonly kind: ClusterKind;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** Has enough lamports to fund every wallet. */
  readonly payer: Keypair;
  readonly pace: Pace;
  readonly timeTravel?: (target: TimeTravelTarget) => Promise<void>;
  readonly setAccount?: (address: PublicKey, content: AccountContent) => Promise<void>;
  /** Safe to call twice. */
  readonly stop: () => Promise<void>;
}
