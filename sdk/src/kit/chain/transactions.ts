// Stands for chain/transactions.ts in the entries for Kit. It has only what trades use.
import {
  appendTransactionMessageInstructions,
  compileTransaction,
  createTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Address,
  type Blockhash,
  type Transaction,
} from '@solana/kit';
import type { TransactionInstruction } from '../../chain/types.js';
import { kitInstruction } from '../convert.js';
import { PublicKey } from './keys.js';

const SIGNATURE_SIZE = 64;

interface MessageParts {
  readonly payerKey: PublicKey;
  readonly recentBlockhash: string;
  readonly instructions: readonly TransactionInstruction[];
}

/** Names accounts by lookup tables. */
export type Compress = (message: Message) => Message;
type Message = Parameters<typeof compileTransaction>[0] & { readonly version: 0 };

export class TransactionMessage {
  constructor(private readonly parts: MessageParts) {}

  compileToV0Message(compress: Compress = (message) => message): Transaction {
    const { payerKey, recentBlockhash, instructions } = this.parts;
    const payer = payerKey.toBase58() as Address;
    const paid = setTransactionMessageFeePayer(payer, createTransactionMessage({ version: 0 }));
    // The compiled bytes do not contain the block height.
    const lifetime = { blockhash: recentBlockhash as Blockhash, lastValidBlockHeight: 0n };
    const timed = setTransactionMessageLifetimeUsingBlockhash(lifetime, paid);
    const kit = instructions.map((one) => kitInstruction(one, []));
    const message = appendTransactionMessageInstructions(kit, timed);
    return compileTransaction(compress(message));
  }
}

/**
 * The parts of a compiled message that the core uses. Kit's type is a union over the versions, which this code need not
 * separate.
 */
interface CompiledMessage {
  readonly version: 'legacy' | number;
  readonly header: { readonly numSignerAccounts: number };
  readonly staticAccounts: readonly Address[];
  readonly lifetimeToken: string;
  readonly instructions?: readonly {
    readonly programAddressIndex: number;
    readonly accountIndices?: readonly number[];
    readonly data?: Uint8Array;
  }[];
  readonly addressTableLookups?: readonly {
    readonly lookupTableAddress: Address;
    readonly writableIndexes: readonly number[];
    readonly readonlyIndexes: readonly number[];
  }[];
}

/** A Kit transaction with the method names of web3.js. */
export class VersionedTransaction {
  constructor(private readonly kit: Transaction) {}

  static deserialize(bytes: Uint8Array): VersionedTransaction {
    return new VersionedTransaction(getTransactionDecoder().decode(bytes));
  }

  serialize(): Uint8Array {
    return Uint8Array.from(getTransactionEncoder().encode(this.kit));
  }

  get signatures(): readonly Uint8Array[] {
    return Object.values(this.kit.signatures).map((bytes) => bytes ?? new Uint8Array(SIGNATURE_SIZE));
  }

  get message() {
    const decoded: unknown = getCompiledTransactionMessageDecoder().decode(this.kit.messageBytes);
    const { version, header, staticAccounts, lifetimeToken, ...rest } = decoded as CompiledMessage;
    const { instructions = [], addressTableLookups = [] } = rest;
    return {
      version,
      serialize: () => Uint8Array.from(this.kit.messageBytes),
      header: { numRequiredSignatures: header.numSignerAccounts },
      staticAccountKeys: staticAccounts.map((address) => new PublicKey(address)),
      recentBlockhash: lifetimeToken,
      compiledInstructions: instructions.map(({ programAddressIndex, accountIndices = [], data }) => ({
        programIdIndex: programAddressIndex,
        accountKeyIndexes: accountIndices,
        data: data ?? new Uint8Array(),
      })),
      addressTableLookups: addressTableLookups.map(({ lookupTableAddress, ...indexes }) => ({
        accountKey: new PublicKey(lookupTableAddress),
        ...indexes,
      })),
    };
  }
}
