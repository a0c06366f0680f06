// A subscription to a Yellowstone feed, which connects again after failures until stopped.
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ChannelCredentials, Client, Metadata } from '@grpc/grpc-js';
import {
  CONFIRMED,
  decodeSlotAnswer,
  decodeUpdate,
  encodeRequest,
  encodeSlotRequest,
  GET_SLOT,
  numberOf,
  SUBSCRIBE,
  type SubscribeUpdate,
} from './messages.js';

export interface FeedAddress {
  /** `https://HOST:PORT`, or `http://` without encryption. */
  readonly url: string;
  /** Sent as `x-token`. */
  readonly token: string | undefined;
}

/** Why a connection ended. */
export type FeedEnd = 'disconnected' | 'silent' | 'garbage' | 'refused';

export interface FeedEvents {
  /** @returns what to wait for before more is read; undefined to go on at once */
  onUpdate(update: SubscribeUpdate): Promise<void> | undefined;
  onEnd(end: FeedEnd, error: unknown): void;
}

export interface FeedTimes {
  /** Confirmed slots come more often; a connection without slots and transactions is closed. */
  readonly silenceMs: number;
  readonly firstRetryMs: number;
  readonly longestRetryMs: number;
}

export const FEED_TIMES: FeedTimes = { silenceMs: 10_000, firstRetryMs: 1_000, longestRetryMs: 30_000 };

const SLOT_TIMEOUT_MS = 5_000;
const CHANNEL = {
  'grpc.max_receive_message_length': 64 * 1_048_576,
  // Of HTTP/2: with its usual 64 KiB, a slot of a busy market waits for many answers.
  'grpc-node.flow_control_window': 4 * 1_048_576,
  'grpc.keepalive_time_ms': 10_000,
  // The answer waits behind a busy slot's transactions.
  'grpc.keepalive_timeout_ms': 20_000,
  // Its connections are then this client's own.
  'grpc.use_local_subchannel_pool': 1,
};
const PORTS: Readonly<Record<string, string>> = { 'https:': '443', 'http:': '80' };

interface Opened {
  readonly client: Client;
  /** Closes the client and its connections. */
  readonly close: () => void;
  readonly metadata: Metadata;
  /** Whether the feed's answer means that it does not accept this client. */
  readonly isRefusal: (error: unknown) => boolean;
}

/** Loads the gRPC library: services without a feed never do. */
async function open({ url, token }: FeedAddress): Promise<Opened> {
  const { Client, credentials, Metadata, status } = await import('@grpc/grpc-js');
  const { protocol, hostname, port } = new URL(url);
  const isPlain = protocol === 'http:';
  const channel = isPlain ? credentials.createInsecure() : credentials.createSsl();
  const sockets = socketsOf(channel);
  const client = new Client(`${hostname}:${port === '' ? PORTS[protocol] : port}`, channel, CHANNEL);
  const close = () => {
    client.close();
    for (const socket of sockets) socket.destroy();
  };
  const metadata = new Metadata();
  if (token !== undefined) metadata.set('x-token', token);
  const { UNAUTHENTICATED, PERMISSION_DENIED, UNIMPLEMENTED } = status;
  const isRefusal = (error: unknown) =>
    [UNAUTHENTICATED, PERMISSION_DENIED, UNIMPLEMENTED].includes((error as { code: number }).code);
  return { client, close, metadata, isRefusal };
}

/** The open connections of a channel. The library leaves one open on which the server never began to speak HTTP/2. */
function socketsOf(channel: ChannelCredentials): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  const make = channel._createSecureConnector.bind(channel);
  channel._createSecureConnector = (...args) => {
    const connector = make(...args);
    const connect = connector.connect.bind(connector);
    connector.connect = (socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
      return connect(socket);
    };
    return connector;
  };
  return sockets;
}

/** The feed's newest confirmed slot. @throws an error of the gRPC library */
export async function feedSlot(address: FeedAddress): Promise<number> {
  const { client, close, metadata } = await open(address);
  try {
    return await new Promise((resolve, reject) => {
      const deadline = Date.now() + SLOT_TIMEOUT_MS;
      client.makeUnaryRequest(
        GET_SLOT,
        encodeSlotRequest,
        decodeSlotAnswer,
        { commitment: CONFIRMED },
        metadata,
        { deadline },
        (error, answer) => {
          if (error === null && answer !== undefined) resolve(numberOf(answer.slot));
          else reject(error ?? new Error('it gave no answer'));
        },
      );
    });
  } finally {
    close();
  }
}

/** Subscribes to the program's successful transactions and to confirmed slots. @returns what ends the subscription */
export function subscribe(
  address: FeedAddress,
  programId: string,
  events: FeedEvents,
  times: FeedTimes = FEED_TIMES,
): () => void {
  const stopping = new AbortController();
  const { signal } = stopping;
  void (async () => {
    for (let failures = 0; !signal.aborted; failures += 1) {
      const hasWorked = await follow(address, programId, events, times, signal);
      if (hasWorked) failures = 0;
      const pause = Math.min(times.longestRetryMs, times.firstRetryMs * 2 ** failures);
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  })();
  return () => stopping.abort();
}

/** Follows one connection until it ends. @returns whether it delivered anything */
async function follow(
  address: FeedAddress,
  programId: string,
  events: FeedEvents,
  { silenceMs }: FeedTimes,
  signal: AbortSignal,
): Promise<boolean> {
  const { client, close, metadata, isRefusal } = await open(address);
  return new Promise((resolve) => {
    let hasWorked = false;
    // The answer is decoded here and not by the library, so that garbage has its own name.
    const stream = client.makeBidiStreamRequest<object, Buffer>(
      SUBSCRIBE,
      encodeRequest,
      (bytes) => bytes,
      metadata,
    );
    const end = (how: FeedEnd, error: unknown) => {
      signal.removeEventListener('abort', abort);
      clearTimeout(silence);
      stream.removeAllListeners('data');
      stream.cancel();
      close();
      if (!signal.aborted) events.onEnd(how, error);
      resolve(hasWorked);
    };
    let ended = false;
    const once = (how: FeedEnd, error: unknown) => {
      if (ended) return;
      ended = true;
      end(how, error);
    };
    const abort = () => once('disconnected', undefined);
    const silence = setTimeout(() => {
      if (stream.isPaused()) silence.refresh();
      else once('silent', new Error(`no slot and no transaction for ${silenceMs} ms`));
    }, silenceMs);
    signal.addEventListener('abort', abort);
    stream.on('data', (bytes: Buffer) => {
      try {
        const update = decodeUpdate(bytes);
        // Load balancers close connections on which the client is silent.
        if (update.ping) stream.write({ ping: { id: 1 } });
        if (update.slot || update.transaction) silence.refresh();
        const room = events.onUpdate(update);
        hasWorked = true;
        if (room === undefined) return;
        // The server then waits: its messages fill the connection's window.
        stream.pause();
        void room.then(() => stream.resume());
      } catch (error) {
        once('garbage', error);
      }
    });
    // The library emits it also after `cancel`.
    stream.on('error', (error) => once(isRefusal(error) ? 'refused' : 'disconnected', error));
    stream.on('end', () => once('disconnected', new Error('the feed closed the connection')));
    stream.write({
      slots: { curvekit: { filterByCommitment: true } },
      transactions: { curvekit: { vote: false, failed: false, accountInclude: [programId] } },
      commitment: CONFIRMED,
    });
  });
}
