// A Yellowstone feed for one subscriber, which takes so little of the machine that the indexer is what is measured: the messages of
// a slot are written to the HTTP/2 stream at once, as frames of gRPC, from buffers that are used again.
import { createServer, type ServerHttp2Stream } from 'node:http2';
import { SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import { freePortOf } from '#tests/node/serve.js';
import { confirmed } from '#tests/node/yellowstone-server.js';

export const FRAME_HEAD_BYTES = 5;
/** For a slot of the highest rate. */
const BYTES_OF_MESSAGE = 3_072;

export interface FeedServer {
  readonly url: string;
  readonly isFollowed: boolean;
  /** Sends the messages that `write` writes for a slot, and that it is confirmed. */
  send(slot: number, write: (buffer: Buffer) => number): void;
}

/** @param perSlot transactions */
export async function startFeed(perSlot: number): Promise<FeedServer> {
  const free: Buffer[] = [];
  let subscriber: ServerHttp2Stream | undefined;
  const server = createServer();
  server.on('stream', (stream: ServerHttp2Stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
    stream.once('close', () => (subscriber = undefined));
    // A killed indexer.
    stream.on('error', () => undefined);
    subscriber = stream;
  });
  return {
    url: `http://127.0.0.1:${await freePortOf(server)}`,
    get isFollowed() {
      return subscriber !== undefined;
    },
    send: (slot, write) => {
      const buffer = free.pop() ?? Buffer.allocUnsafeSlow((perSlot + 1) * BYTES_OF_MESSAGE);
      const length = write(buffer);
      const end = SubscribeUpdate.encode(confirmed(slot)).finish();
      buffer.set(end, length + writeHead(buffer, length, end.length));
      subscriber?.write(buffer.subarray(0, length + FRAME_HEAD_BYTES + end.length), () => free.push(buffer));
    },
  };
}

/** Not compressed, and the length of a message. @returns its own length */
export function writeHead(buffer: Buffer, at: number, length: number): number {
  buffer[at] = 0;
  buffer.writeUInt32BE(length, at + 1);
  return FRAME_HEAD_BYTES;
}
