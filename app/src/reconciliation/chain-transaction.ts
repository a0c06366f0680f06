// A transaction as RPC nodes return it with `encoding: "json"`. The structure is the same for every version.
import {
  NEWEST_KNOWN_VERSION,
  parseTransaction,
  unsupportedVersion,
  UnreadableTransactionError,
} from '@curvekit/sdk';
import bs58 from 'bs58';
import { NodeError } from '../chain/node-errors.js';

/** An instruction with its accounts by address. */
export interface ChainInstruction {
  readonly program: string;
  readonly accounts: readonly string[];
  readonly data: Buffer;
}

/** A transaction that landed without an error. */
export interface ChainTransaction {
  readonly signature: string;
  readonly slot: number;
  readonly version: string | number;
  /** Lamports paid to the network. */
  readonly fee: bigint;
  /** The keys that signed, the fee payer first. */
  readonly signers: readonly string[];
  readonly header: {
    readonly numRequiredSignatures: number;
    readonly numReadonlySignedAccounts: number;
    readonly numReadonlyUnsignedAccounts: number;
  };
  readonly blockhash: string;
  /** The message's own keys, then the keys of lookup tables. */
  readonly keys: readonly string[];
  readonly instructions: readonly ChainInstruction[];
  /** Change of each key's lamports; 0 when the RPC node does not return it. */
  readonly lamportsGained: readonly bigint[];
}

interface JsonTransaction {
  readonly slot: number;
  readonly version?: string | number;
  readonly meta: {
    readonly err: unknown;
    readonly fee: number;
    readonly preBalances?: readonly number[];
    readonly postBalances?: readonly number[];
    readonly loadedAddresses?: { readonly writable: readonly string[]; readonly readonly: readonly string[] };
  } | null;
  readonly transaction: {
    readonly signatures: readonly string[];
    readonly message: {
      readonly accountKeys: readonly string[];
      readonly header?: ChainTransaction['header'];
      readonly recentBlockhash: string;
      readonly instructions: readonly {
        readonly programIdIndex: number;
        readonly accounts: readonly number[];
        readonly data: string;
      }[];
    };
  };
}

/**
 * Reads an RPC node's answer to `getTransaction`, which may be the error that it does not support the version.
 *
 * @throws UnreadableTransactionError when the transaction has a version that the node or this code cannot read. Anyone can
 *   send such a transaction. The service cannot have signed it: it signs version 0.
 * @throws NodeError when the RPC node returns another transaction or an incomplete one
 */
export function readTransaction(signature: string, answer: unknown): ChainTransaction {
  if (answer instanceof NodeError) throw unsupported(signature, answer);
  try {
    return read(signature, answer);
  } catch (error) {
    if (isKnownVersion(answer) && error instanceof UnreadableTransactionError) {
      throw new NodeError(`${error.message}; use another RPC_URL`, undefined, { cause: error });
    }
    if (isKnownVersion(answer) || error instanceof UnreadableTransactionError) throw error;
    // A part that every known version has can be missing in a newer one.
    const { version } = answer as { readonly version: unknown };
    throw new UnreadableTransactionError(
      signature,
      typeof version === 'number' ? version : undefined,
      error instanceof Error ? error.message : String(error),
    );
  }
}

/** A node behind a proxy that drops options refuses version 0 as well. That would hide payments. */
function unsupported(signature: string, answer: NodeError): Error {
  const error = unsupportedVersion(signature, answer.message);
  const isNewer = error.version !== undefined && error.version > NEWEST_KNOWN_VERSION;
  return isNewer ? error : answer;
}

function isKnownVersion(answer: unknown): boolean {
  const { version } = Object(answer) as { readonly version?: unknown };
  return version === undefined || version === 'legacy' || Number(version) <= NEWEST_KNOWN_VERSION;
}

function read(signature: string, answer: unknown): ChainTransaction {
  parseTransaction(signature, answer);
  const { slot, version, meta, transaction } = answer as JsonTransaction;
  const { message, signatures } = transaction;
  if (signatures[0] !== signature) {
    throw new NodeError(
      `the node returned transaction ${signatures[0]} instead of ${signature}; use another RPC_URL`,
    );
  }
  const { header } = message;
  if (meta === null || header === undefined) {
    const lacking = meta === null ? 'metadata' : "message's header";
    throw new NodeError(
      `the node returned transaction ${signature} without its ${lacking}; use another RPC_URL`,
    );
  }
  if (meta.err !== null) {
    throw new NodeError(
      `the node lists transaction ${signature} as successful, but returns it as failed; use another RPC_URL`,
    );
  }
  const loaded = meta.loadedAddresses;
  const keys = [...message.accountKeys, ...(loaded?.writable ?? []), ...(loaded?.readonly ?? [])];
  const keyAt = (index: number): string => {
    const key = keys[index];
    if (key === undefined) {
      throw new NodeError(
        `the node returned transaction ${signature} without its account ${index}; use another RPC_URL`,
      );
    }
    return key;
  };
  return {
    signature,
    slot,
    version: version ?? 'legacy',
    fee: BigInt(meta.fee),
    signers: message.accountKeys.slice(0, header.numRequiredSignatures),
    header,
    blockhash: message.recentBlockhash,
    keys,
    lamportsGained: keys.map(
      (_, index) => BigInt(meta.postBalances?.[index] ?? 0) - BigInt(meta.preBalances?.[index] ?? 0),
    ),
    instructions: message.instructions.map(({ programIdIndex, accounts, data }) => ({
      program: keyAt(programIdIndex),
      accounts: accounts.map(keyAt),
      data: Buffer.from(bs58.decode(data)),
    })),
  };
}
