// A Yellowstone feed for one subscriber, which takes so little of the machine that the indexer is what is measured: the messages of
// a slot are written to the HTTP/2 stream at once, as frames of gRPC.
import { createServer, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import { confirmed } from '#tests/node/yellowstone-server.js';

const FRAME_HEAD_BYTES = 5;

export interface FeedServer {
  readonly url: string;
  readonly isFollowed: boolean;
  /** Sends the messages of a slot, and that it is confirmed. */
  send(messages: readonly Uint8Array[], slot: number): void;
}

export async function startFeed(): Promise<FeedServer> {
  let subscriber: ServerHttp2Stream | undefined;
  const server = createServer();
  server.on('stream', (stream: ServerHttp2Stream) => {
    stream.respond({ ':status': 200, 'content-type': 'application/grpc' });
    stream.once('close', () => (subscriber = undefined));
    // A killed indexer.
    stream.on('error', () => undefined);
    subscriber = stream;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get isFollowed() {
      return subscriber !== undefined;
    },
    send: (messages, slot) => {
      const end = SubscribeUpdate.encode(confirmed(slot)).finish();
      subscriber?.write(Buffer.concat([...messages, end].flatMap((message) => [headOf(message), message])));
    },
  };
}

/** Not compressed, and its length. */
function headOf({ length }: Uint8Array): Buffer {
  const head = Buffer.alloc(FRAME_HEAD_BYTES);
  head.writeUInt32BE(length, 1);
  return head;
}
