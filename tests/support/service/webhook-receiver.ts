// A server that takes webhooks and verifies them with the published library.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { serveHttp, type ServedNode } from '#tests/node/serve.js';

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

export interface Receiver extends ServedNode {
  /** Secrets by path; an event that none of them verifies is answered with 400. */
  readonly secrets: Map<string, string>;
  /** What was taken with 200, in order. */
  readonly taken: Taken[];
  /** Answers instead of 200 when it returns true. */
  respond: (event: Taken, response: ServerResponse) => boolean;
}

export async function startReceiver(): Promise<Receiver> {
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url!;
    const body = await text(request);
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
  const served = await serveHttp((request, response) => void answer(request, response));
  const receiver: Receiver = { ...served, secrets: new Map(), taken: [], respond: () => false };
  return receiver;
}
