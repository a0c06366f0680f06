// A server that accepts connections and then does not answer as it should. It counts the connections that are open.
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { freePortOf } from '#tests/node/serve.js';

/** `silent`: never sends a byte. `switches`: answers 101. `trickles`: sends one byte of an answer now and then. */
export const SILENCES = ['silent', 'switches', 'trickles'] as const;
export type Silence = (typeof SILENCES)[number];

const BYTE_EVERY_MS = 50;
const SWITCHES = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n';
const TRICKLES =
  'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{"jsonrpc":"';

export interface SilentPeer {
  /** Its port, or the path of its socket. */
  readonly port: number;
  /** Connections that were ever opened. */
  readonly asked: () => number;
  readonly open: () => number;
  stop(): Promise<void>;
}

/** Does to one connection what the peer does. */
export function keepSilent(socket: Socket, silence: Silence): void {
  socket.on('error', () => undefined);
  if (silence === 'silent') return;
  socket.write(silence === 'switches' ? SWITCHES : TRICKLES);
  if (silence === 'switches') return;
  const timer = setInterval(() => socket.write('x'), BYTE_EVERY_MS);
  socket.once('close', () => clearInterval(timer));
}

/** @param path of a unix socket, instead of a port */
export async function startSilentPeer(silence: Silence, path?: string): Promise<SilentPeer> {
  const sockets = new Set<Socket>();
  let asked = 0;
  const server = createServer((socket) => {
    asked += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
    socket.resume();
    socket.once('data', () => keepSilent(socket, silence));
  });
  if (path !== undefined) await once(server.listen(path), 'listening');
  return {
    port: path === undefined ? await freePortOf(server) : 0,
    asked: () => asked,
    open: () => sockets.size,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
