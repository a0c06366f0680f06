// The HTTP server of every fake node.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ServedNode {
  readonly url: string;
  stop(): Promise<void>;
}

/** Answers requests on a free port. If an answer fails, its connection breaks. @param answer gets the request's body */
export async function serveNode(
  answer: (body: string, response: ServerResponse) => Promise<void> | void,
): Promise<ServedNode> {
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks).toString('utf8');
      // As Agave answers an empty batch.
      if (body === '[]') response.end();
      else await answer(body, response);
    })().catch(() => response.destroy());
  });
  // With a short timeout, the server could close an idle connection just as a request arrives.
  server.keepAliveTimeout = 600_000;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
