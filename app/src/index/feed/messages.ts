// Yellowstone's messages: only the fields that the indexer uses, with the numbers of Yellowstone's `geyser.proto` and
// `solana-storage.proto`. A reader of protobuf skips the others, which are most of a transaction's bytes.
import protobuf from 'protobufjs';

export const SUBSCRIBE = '/geyser.Geyser/Subscribe';
export const GET_SLOT = '/geyser.Geyser/GetSlot';
export const CONFIRMED = 1;

const field = (id: number, type: string) => ({ id, type });
const repeated = (id: number, type: string) => ({ id, type, rule: 'repeated' });
const map = (id: number, type: string) => ({ id, type, keyType: 'string' });

const { nested: messages } = protobuf.Root.fromJSON({
  nested: {
    SubscribeRequest: {
      fields: {
        slots: map(2, 'SlotFilter'),
        transactions: map(3, 'TransactionFilter'),
        commitment: field(6, 'int32'),
        ping: field(9, 'Ping'),
      },
    },
    SlotFilter: { fields: { filterByCommitment: field(1, 'bool') } },
    TransactionFilter: {
      fields: { vote: field(1, 'bool'), failed: field(2, 'bool'), accountInclude: repeated(3, 'string') },
    },
    Ping: { fields: { id: field(1, 'int32') } },
    SubscribeUpdate: {
      fields: { slot: field(3, 'Slot'), transaction: field(4, 'SlotTransaction'), ping: field(6, 'Ping') },
    },
    Slot: { fields: { slot: field(1, 'uint64'), status: field(3, 'int32') } },
    SlotTransaction: { fields: { transaction: field(1, 'Info'), slot: field(2, 'uint64') } },
    // The transaction and its metadata stay bytes until the indexer needs them.
    Info: {
      fields: {
        signature: field(1, 'bytes'),
        transaction: field(3, 'bytes'),
        meta: field(4, 'bytes'),
        index: field(5, 'uint64'),
      },
    },
    Transaction: { fields: { signatures: repeated(1, 'bytes'), message: field(2, 'Message') } },
    Message: {
      fields: {
        accountKeys: repeated(2, 'bytes'),
        instructions: repeated(4, 'Instruction'),
        versioned: field(5, 'bool'),
      },
    },
    Instruction: {
      fields: { programIdIndex: field(1, 'uint32'), accounts: field(2, 'bytes'), data: field(3, 'bytes') },
    },
    Meta: {
      fields: {
        err: field(1, 'bytes'),
        innerInstructions: repeated(5, 'InnerInstructions'),
        innerInstructionsNone: field(10, 'bool'),
        logMessagesNone: field(11, 'bool'),
        loadedWritable: repeated(12, 'bytes'),
        loadedReadonly: repeated(13, 'bytes'),
      },
    },
    // Most of the bytes of the metadata, which few transactions need.
    Log: { fields: { logMessages: repeated(6, 'string') } },
    InnerInstructions: { fields: { index: field(1, 'uint32'), instructions: repeated(2, 'Instruction') } },
    SlotRequest: { fields: { commitment: field(1, 'int32') } },
    SlotAnswer: { fields: { slot: field(1, 'uint64') } },
  },
});

/** `uint64` is a number up to 2^53 here: slots and places in a block are far smaller. */
type Integer = number | { toNumber(): number };

export interface SubscribeUpdate {
  readonly slot?: { readonly slot: Integer; readonly status: number } | null;
  readonly transaction?: {
    readonly slot: Integer;
    readonly transaction?: {
      readonly signature: Uint8Array;
      readonly transaction: Uint8Array;
      readonly meta: Uint8Array;
      readonly index: Integer;
    } | null;
  } | null;
  readonly ping?: object | null;
}

export interface FeedInstruction {
  readonly programIdIndex: number;
  readonly accounts: Uint8Array;
  readonly data: Uint8Array;
}

export interface FeedTransaction {
  readonly signatures: readonly Uint8Array[];
  readonly message?: {
    readonly accountKeys: readonly Uint8Array[];
    readonly instructions: readonly FeedInstruction[];
    readonly versioned: boolean;
  } | null;
}

export interface FeedMeta {
  readonly err: Uint8Array;
  readonly innerInstructions: readonly {
    readonly index: number;
    readonly instructions: readonly FeedInstruction[];
  }[];
  readonly innerInstructionsNone: boolean;
  readonly logMessagesNone: boolean;
  readonly loadedWritable: readonly Uint8Array[];
  readonly loadedReadonly: readonly Uint8Array[];
}

const type = (name: string) => messages![name] as protobuf.Type;
const encoder = (name: string) => {
  const message = type(name);
  return (value: object): Buffer => Buffer.from(message.encode(message.fromObject(value)).finish());
};
/** @throws an error for bytes that are no such message */
const decoder = <T>(name: string) => {
  const message = type(name);
  return (bytes: Uint8Array): T => message.decode(bytes) as unknown as T;
};

export const encodeRequest = encoder('SubscribeRequest');
export const decodeUpdate = decoder<SubscribeUpdate>('SubscribeUpdate');
export const decodeTransaction = decoder<FeedTransaction>('Transaction');
export const decodeMeta = decoder<FeedMeta>('Meta');
export const decodeLog = decoder<{ readonly logMessages: readonly string[] }>('Log');
export const encodeSlotRequest = encoder('SlotRequest');
export const decodeSlotAnswer = decoder<{ readonly slot: Integer }>('SlotAnswer');

export function numberOf(value: Integer): number {
  return typeof value === 'number' ? value : value.toNumber();
}
