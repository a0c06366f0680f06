// A Yellowstone feed: a gRPC server with the messages of Yellowstone's own package. A test sends what it wants.
import bs58 from 'bs58';
import {
  Server,
  ServerCredentials,
  status,
  type Metadata,
  type sendUnaryData,
  type ServerDuplexStream,
  type ServerUnaryCall,
} from '@grpc/grpc-js';
import {
  CommitmentLevel,
  SubscribeRequest,
  SubscribeUpdate,
  SubscribeUpdateSlot,
} from '@triton-one/yellowstone-grpc';
import type { JsonTransaction } from './record-transactions.js';

type Subscription = ServerDuplexStream<SubscribeRequest, Buffer>;

export interface YellowstoneServer {
  readonly url: string;
  /** Every request of every subscription, the oldest first. */
  readonly requests: readonly SubscribeRequest[];
  /** Number of subscriptions that are open, and of all that there were. */
  readonly open: number;
  readonly subscriptions: number;
  /** Answer to GetSlot. */
  slot: number;
  send(update: SubscribeUpdate): void;
  sendBytes(bytes: Buffer): void;
  hangUp(): void;
  stop(): void;
}

/** Starts a feed. With a token, it refuses clients without it. */
export async function startYellowstone(token?: string): Promise<YellowstoneServer> {
  const server = new Server();
  const requests: SubscribeRequest[] = [];
  const open = new Set<Subscription>();
  const isRefused = ({ metadata }: { readonly metadata: Metadata }) =>
    token !== undefined && metadata.get('x-token')[0] !== token;
  const refusal = { code: status.UNAUTHENTICATED, details: 'No valid auth token' };
  const at = { slot: 0 };
  let subscriptions = 0;
  server.addService(
    {
      Subscribe: {
        path: '/geyser.Geyser/Subscribe',
        requestStream: true,
        responseStream: true,
        requestSerialize: (request: SubscribeRequest) =>
          Buffer.from(SubscribeRequest.encode(request).finish()),
        requestDeserialize: (bytes: Buffer) => SubscribeRequest.decode(bytes),
        responseSerialize: (bytes: Buffer) => bytes,
        responseDeserialize: (bytes: Buffer) => bytes,
      },
      GetSlot: {
        path: '/geyser.Geyser/GetSlot',
        requestStream: false,
        responseStream: false,
        requestSerialize: (bytes: Buffer) => bytes,
        requestDeserialize: (bytes: Buffer) => bytes,
        responseSerialize: (slot: number) =>
          // Its answer has the slot in its first field, as an update of a slot has.
          Buffer.from(
            SubscribeUpdateSlot.encode(SubscribeUpdateSlot.fromPartial({ slot: String(slot) })).finish(),
          ),
        responseDeserialize: (bytes: Buffer) => bytes,
      },
    },
    {
      Subscribe: (subscription: Subscription) => {
        if (isRefused(subscription)) {
          subscription.emit('error', refusal);
          return;
        }
        open.add(subscription);
        subscriptions += 1;
        subscription.on('data', (request: SubscribeRequest) => requests.push(request));
        for (const event of ['end', 'close', 'cancelled', 'error'])
          subscription.on(event, () => open.delete(subscription));
      },
      GetSlot: (call: ServerUnaryCall<Buffer, number>, answer: sendUnaryData<number>) =>
        isRefused(call) ? answer(refusal) : answer(null, at.slot),
    },
  );
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  const sendBytes = (bytes: Buffer) => {
    for (const subscription of open) subscription.write(bytes);
  };
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    get open() {
      return open.size;
    },
    get subscriptions() {
      return subscriptions;
    },
    get slot() {
      return at.slot;
    },
    set slot(slot) {
      at.slot = slot;
    },
    sendBytes,
    send: (update) => sendBytes(Buffer.from(SubscribeUpdate.encode(update).finish())),
    hangUp: () => {
      for (const subscription of open) subscription.end();
      open.clear();
    },
    stop: () => server.forceShutdown(),
  };
}

export function confirmed(slot: number): SubscribeUpdate {
  return SubscribeUpdate.fromPartial({
    filters: ['curvekit'],
    slot: { slot: String(slot), status: Number(CommitmentLevel.CONFIRMED) },
  });
}

/** A transaction as the feed sends it. @param index its place in the block */
export function sent(json: JsonTransaction, index: number): SubscribeUpdate {
  const { signatures, message } = json.transaction;
  if (!('accountKeys' in message)) throw new Error('the transaction is not JSON');
  const instruction = ({ programIdIndex, accounts, data }: (typeof message.instructions)[number]) => ({
    programIdIndex,
    accounts: Uint8Array.from(accounts),
    data: bs58.decode(data),
  });
  const { innerInstructions, logMessages, loadedAddresses } = json.meta!;
  const keys = (texts: readonly unknown[] = []) => texts.map((text) => bs58.decode(String(text)));
  return SubscribeUpdate.fromPartial({
    filters: ['curvekit'],
    transaction: {
      slot: String(json.slot),
      transaction: {
        signature: bs58.decode(signatures[0]!),
        isVote: false,
        index: String(index),
        transaction: {
          signatures: signatures.map((signature) => bs58.decode(signature)),
          message: {
            accountKeys: keys(message.accountKeys),
            instructions: message.instructions.map(instruction),
            versioned: json.version === 0,
          },
        },
        meta: {
          innerInstructions: (innerInstructions ?? []).map(({ index: outer, instructions }) => ({
            index: outer,
            instructions: instructions.map(instruction),
          })),
          logMessages: [...(logMessages ?? [])],
          loadedWritableAddresses: keys(loadedAddresses?.writable),
          loadedReadonlyAddresses: keys(loadedAddresses?.readonly),
        },
      },
    },
  });
}
