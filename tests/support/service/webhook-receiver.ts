// A server that takes webhooks and verifies them with the published library.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Taken {
  readonly path: string;
  readonly id: string;
  readonly signatures: readonly string[];
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
  /** Milliseconds since the process began. */
  readonly at: number;
}

export interface Receiver {
  readonly url: string;
  /** Secrets by path; an event that none of them verifies is answered with 400. */
  readonly secrets: Map<string, string>;
  /** What was taken with 200, in order. */
  readonly taken: Taken[];
  /** Answers instead of 200 when it returns true. */
  respond: (event: Taken, response: ServerResponse) => boolean;
  stop(): Promise<void>;
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    void answer(request, response);
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url!;
    let body = '';
    for await (const chunk of request) body += String(chunk);
    try {
      const headers = request.headers as Record<string, string>;
      const event = new Webhook(receiver.secrets.get(path)!).verify(body, headers) as Taken;
      const [id, signatures] = [headers['webhook-id']!, headers['webhook-signature']!.split(' ')];
      const taken = { ...event, path, id, signatures, at: performance.now() };
      if (receiver.respond(taken, response)) return;
      receiver.taken.push(taken);
      response.end();
    } catch {
      response.writeHead(400).end();
    }
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 4_096, resolve));
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secrets: new Map(),
    taken: [],
    respond: () => false,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return receiver;
}
