// Confirmed transactions as RPC nodes return them, as far as records are read from them.
import type { PublicKey, VersionedMessage } from '@solana/web3.js';

/** A confirmed transaction: web3.js's `VersionedTransactionResponse`, or the JSON of `getTransaction` as it is. */
export interface ConfirmedTransaction {
  readonly slot: number;
  /** Of the message; nodes leave it out where none was asked for. */
  readonly version?: number | 'legacy' | undefined;
  readonly transaction: {
    readonly signatures: readonly string[];
    readonly message: VersionedMessage | JsonMessage;
  };
  readonly meta: TransactionMeta | null;
}

/** The message of a transaction as RPC nodes write it with `encoding: "json"`. */
export interface JsonMessage {
  readonly accountKeys: readonly string[];
  readonly instructions: readonly JsonInstruction[];
}

/** An instruction as RPC nodes write it with `encoding: "json"`. */
export interface JsonInstruction {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  /** In base58. */
  readonly data: string;
}

/** The part of a transaction's metadata that records are read from. */
export interface TransactionMeta {
  readonly err: unknown;
  /** Lamports of the network fee. */
  readonly fee?: number;
  /** Lamports of each account, counted as in `TokenBalance.accountIndex`. */
  readonly preBalances?: readonly number[];
  readonly postBalances?: readonly number[];
  readonly innerInstructions?:
    readonly { readonly index: number; readonly instructions: readonly JsonInstruction[] }[] | null;
  readonly logMessages?: readonly string[] | null;
  readonly preTokenBalances?: readonly TokenBalance[] | null;
  readonly postTokenBalances?: readonly TokenBalance[] | null;
  readonly loadedAddresses?:
    | {
        readonly writable: readonly (PublicKey | string)[];
        readonly readonly: readonly (PublicKey | string)[];
      }
    | null
    | undefined;
}

/** What a token account of a transaction holds. */
export interface TokenBalance {
  /** Counts the message's keys, then those from lookup tables. */
  readonly accountIndex: number;
  /** In smallest token units. */
  readonly uiTokenAmount: { readonly amount: string };
}
