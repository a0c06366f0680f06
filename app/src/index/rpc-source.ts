// Wakes the indexer when the RPC node's websocket reports a transaction, and at an interval in case the websocket is
// silent. No data is read from the websocket, so losing it only costs time.
import { WebSocket } from 'ws';
import type { Logger } from '../base/logging/logging.js';
import type { Peers } from '../base/peers.js';
import { NO_SOURCE, type Source } from './feed/source.js';
import { WakeUp } from './feed/wake-up.js';

export interface RpcSourceOptions {
  readonly wsUrl: string;
  /** Address of the program to watch. */
  readonly programId: string;
  /** Longest time between two wake-ups. */
  readonly intervalMs: number;
  readonly logger: Logger;
  readonly peers?: Peers;
}

const RECONNECT_AFTER_MS = 1_000;
/** A connection that does not open, or does not answer a ping, for this long is closed, even if the socket is still open. */
const PING_INTERVAL_MS = 10_000;

/** Subscribes, and reconnects after failures until stopped. */
export function rpcSource(options: RpcSourceOptions): Source {
  const wakeUp = new WakeUp(options.intervalMs);
  const stop = listen(options, () => wakeUp.notify());
  return { ...NO_SOURCE, wait: (signal) => wakeUp.wait(signal), stop };
}

/** Calls `onTransaction` for each confirmed transaction of the program, and for each new connection. */
function listen(
  { wsUrl, programId, logger, peers }: RpcSourceOptions,
  onTransaction: () => void,
): () => void {
  let stopped = false;
  let socket: WebSocket;
  let retry: NodeJS.Timeout | undefined;

  const connect = () => {
    socket = new WebSocket(wsUrl);
    const pings = keepAlive(socket);
    socket.on('open', () => {
      const params = [{ mentions: [programId] }, { commitment: 'confirmed' }];
      socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'logsSubscribe', params }));
    });
    // The answer to the subscription also wakes the indexer: earlier transactions may have been missed.
    socket.on('message', () => {
      peers?.answered('websocket');
      onTransaction();
    });
    socket.on('error', (error) =>
      logger.warn(
        { err: error },
        "the node's websocket failed: new transactions are polled for until it works. If that lasts, check WS_URL",
      ),
    );
    socket.on('close', () => {
      clearInterval(pings);
      if (!stopped) peers?.failed('websocket');
      if (!stopped) retry = setTimeout(connect, RECONNECT_AFTER_MS);
    });
  };

  connect();
  return () => {
    stopped = true;
    peers?.answered('websocket');
    clearTimeout(retry);
    socket.terminate();
  };
}

function keepAlive(socket: WebSocket): NodeJS.Timeout {
  let answered = true;
  socket.on('pong', () => {
    answered = true;
  });
  return setInterval(() => {
    if (socket.readyState !== WebSocket.OPEN || !answered) return socket.terminate();
    answered = false;
    socket.ping();
  }, PING_INTERVAL_MS);
}
