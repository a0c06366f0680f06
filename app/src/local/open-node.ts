// The local cluster's node for pages of any origin: Surfpool sends no CORS headers, so browsers refuse its answers.
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OpenNode {
  readonly url: string;
  stop(): Promise<void>;
}

const ALLOWED = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': '*',
  'access-control-max-age': '600',
} as const;

/** Passes requests on to the node, and its answers back with CORS headers. For local clusters only. */
export async function openNode(rpcUrl: string): Promise<OpenNode> {
  const server = createServer((asked, answer) => {
    for (const [name, value] of Object.entries(ALLOWED)) answer.setHeader(name, value);
    if (asked.method === 'OPTIONS') answer.writeHead(204).end();
    else pass(rpcUrl, asked, answer);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function pass(rpcUrl: string, asked: IncomingMessage, answer: ServerResponse): void {
  const { host: _, ...headers } = asked.headers;
  const passed = httpRequest(rpcUrl, { method: asked.method, headers }, (answered) => {
    answer.writeHead(answered.statusCode ?? 502, answered.headers);
    answered.pipe(answer);
  });
  passed.once('error', () => answer.destroy());
  answer.once('close', () => passed.destroy());
  asked.pipe(passed);
}
