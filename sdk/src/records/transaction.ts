// Confirmed transactions as RPC nodes return them. Only the fields that records are read from.
import type { PublicKey, VersionedMessage } from '../chain/types.js';

/**
 * A confirmed transaction: web3.js's `VersionedTransactionResponse`, or the JSON of `getTransaction`. `Data` is what
 * instruction data are: base58, or bytes, as a gRPC feed has them.
 */
export interface ConfirmedTransaction<Data = string> {
  readonly slot: number;
  /** Version of the message. Nodes omit it when the request has no `maxSupportedTransactionVersion`. */
  readonly version?: number | 'legacy' | undefined;
  readonly transaction: {
    readonly signatures: readonly string[];
    readonly message: VersionedMessage | JsonMessage<Data>;
  };
  readonly meta: TransactionMeta<Data> | null;
}

/** A transaction's message as RPC nodes return it with `encoding: "json"`. */
export interface JsonMessage<Data = string> {
  readonly accountKeys: readonly string[];
  readonly instructions: readonly JsonInstruction<Data>[];
}

/** An instruction as RPC nodes return it with `encoding: "json"`. */
export interface JsonInstruction<Data = string> {
  readonly programIdIndex: number;
  readonly accounts: readonly number[];
  /** In base58, or bytes. */
  readonly data: Data;
}

/** The part of a transaction's metadata that records are read from. */
export interface TransactionMeta<Data = string> {
  readonly err: unknown;
  /** Lamports of the network fee. */
  readonly fee?: number;
  /** Lamports of each account, with the indexes of `TokenBalance.accountIndex`. */
  readonly preBalances?: readonly number[];
  readonly postBalances?: readonly number[];
  readonly innerInstructions?:
    readonly { readonly index: number; readonly instructions: readonly JsonInstruction<Data>[] }[] | null;
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

/** The balance of a transaction's token account. */
export interface TokenBalance {
  /** Index in the message's keys, followed by those from lookup tables. */
  readonly accountIndex: number;
  /** In smallest token units. */
  readonly uiTokenAmount: { readonly amount: string };
}
