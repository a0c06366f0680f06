// Servers on free ports of this machine: of a test, and of every fake node.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Server as TcpServer } from 'node:net';
import { text } from 'node:stream/consumers';

/** Hundreds of clients may connect at once. */
const BACKLOG = 4_096;

export interface ServedNode {
  readonly url: string;
  /** Also ends connections that are open. */
  stop(): Promise<void>;
}

export async function serveHttp(listener: RequestListener): Promise<ServedNode> {
  const server = createServer(listener);
  // With a short timeout, the server could close an idle connection just as a request arrives.
  server.keepAliveTimeout = 600_000;
  const { port, stop } = await listening(server);
  return { url: `http://127.0.0.1:${port}`, stop };
}

export async function listening(server: Server) {
  return {
    port: await freePortOf(server),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Starts a server of any protocol. @returns its port */
export async function freePortOf(server: TcpServer): Promise<number> {
  await once(server.listen(0, '127.0.0.1', BACKLOG), 'listening');
  return (server.address() as AddressInfo).port;
}

/** If an answer fails, its connection breaks. @param answer gets the request's body */
export function serveNode(
  answer: (body: string, response: ServerResponse) => Promise<void> | void,
): Promise<ServedNode> {
  return serveHttp((request, response) => {
    void (async () => {
      const body = await text(request);
      // As Agave answers an empty batch.
      if (body === '[]') response.end();
      else await answer(body, response);
    })().catch(() => response.destroy());
  });
}
