// An HTTP proxy, as companies have one. It knows the launchpad's name, which no name server does.
import { createServer, request as send, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { freePortOf } from '#tests/node/serve.js';

export interface HttpProxy {
  readonly url: string;
  /** The hosts that were asked for. */
  readonly asked: Set<string>;
  stop(): Promise<void>;
}

/** @param names the URL of each host that it knows; it connects to all others by their own addresses */
export async function startHttpProxy(names: Readonly<Record<string, string>>): Promise<HttpProxy> {
  const asked = new Set<string>();
  const open = new Set<Duplex>();
  const real = (url: URL): URL => {
    asked.add(url.hostname);
    const known = names[url.hostname];
    return known === undefined ? url : new URL(url.pathname + url.search, known);
  };
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const { method, headers } = request;
    const onward = send(real(new URL(request.url!)), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.on('connect', (request: IncomingMessage, client: Duplex) => {
    const { hostname, port } = real(new URL(`http://${request.url}`));
    const onward = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      onward.pipe(client).pipe(onward);
    });
    for (const socket of [client, onward]) {
      open.add(socket);
      socket.on('error', () => [client, onward].forEach((one) => one.destroy()));
    }
  });
  server.on('connection', (socket: Socket) => open.add(socket));
  return {
    url: `http://127.0.0.1:${await freePortOf(server)}`,
    asked,
    stop: async () => {
      server.close();
      for (const socket of open) socket.destroy();
      await once(server, 'close');
    },
  };
}
