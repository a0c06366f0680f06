import type { Keypair, PublicKey } from '@solana/web3.js';
import type { ClusterKind } from './errors.js';

/** A program to have on the cluster before the first transaction. */
export interface ProgramBinary {
  readonly programId: PublicKey;
  /** Path of the compiled program. */
  readonly so: string;
}

/** An account to have on the cluster before the first transaction. */
export interface GenesisAccount {
  readonly address: PublicKey;
  readonly owner: PublicKey;
  readonly lamports: bigint;
  /** Base64. */
  readonly data: string;
}

/** What is on a cluster before the first transaction. */
export interface Genesis {
  readonly programs: readonly ProgramBinary[];
  readonly accounts: readonly GenesisAccount[];
}

/** Where time travel goes; always ahead of the cluster's present. */
export type TimeTravelTarget = { readonly slot: bigint } | { readonly epoch: bigint };

/** What `setAccount` writes; the fields left out keep their value. */
export interface AccountContent {
  readonly lamports?: bigint;
  readonly data?: Uint8Array;
  readonly owner?: PublicKey;
}

/** How transactions are sent. */
export interface Pace {
  /** How many are kept under way at once; a further one waits for its turn. */
  readonly maxInFlight: number;
  /** How long to wait for a trace of a transaction before the cluster is asked what is wrong, and it is sent again. */
  readonly resendAfterMs: number;
}

/** What the three kinds of cluster differ in. */
export interface Backend {
  readonly kind: ClusterKind;
  readonly rpcUrl: string;
  readonly wsUrl: string;
  /** Holds enough lamports to fund every wallet. */
  readonly payer: Keypair;
  readonly pace: Pace;
  readonly timeTravel?: (target: TimeTravelTarget) => Promise<void>;
  readonly setAccount?: (address: PublicKey, content: AccountContent) => Promise<void>;
  /** Safe to call twice. */
  readonly stop: () => Promise<void>;
}
