// A transaction as RPC nodes return it with `encoding: "json"`. The structure is the same for every version.
import bs58 from 'bs58';
import { NodeError } from '../rpc/node-errors.js';

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
    readonly fee: number;
    readonly preBalances?: readonly number[];
    readonly postBalances?: readonly number[];
    readonly loadedAddresses?: { readonly writable: readonly string[]; readonly readonly: readonly string[] };
  };
  readonly transaction: {
    readonly signatures: readonly string[];
    readonly message: {
      readonly accountKeys: readonly string[];
      readonly header: ChainTransaction['header'];
      readonly recentBlockhash: string;
      readonly instructions: readonly {
        readonly programIdIndex: number;
        readonly accounts: readonly number[];
        readonly data: string;
      }[];
    };
  };
}

/** @throws NodeError when the RPC node returns another transaction or an incomplete one */
export function readTransaction(signature: string, json: unknown): ChainTransaction {
  const { slot, version, meta, transaction } = json as JsonTransaction;
  const { message, signatures } = transaction;
  if (signatures[0] !== signature) {
    throw new NodeError(
      `the node returned transaction ${signatures[0]} instead of ${signature}; use another RPC_URL`,
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
    signers: message.accountKeys.slice(0, message.header.numRequiredSignatures),
    header: message.header,
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
