// Forwards requests, for a proxy in front of a service.
import type { IncomingMessage, ServerResponse } from 'node:http';

const OF_CONNECTION: readonly string[] = ['host', 'connection', 'content-length', 'accept-encoding'];

export async function sendOn(request: IncomingMessage, to: string): Promise<Response> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers))
    if (!OF_CONNECTION.includes(name)) headers.set(name, String(value));
  return fetch(new URL(request.url ?? '/', to), {
    method: request.method ?? 'GET',
    headers,
    ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
  });
}

export async function forward(request: IncomingMessage, response: ServerResponse, to: string): Promise<void> {
  const answer = await sendOn(request, to);
  const type = answer.headers.get('content-type') ?? '';
  response.writeHead(answer.status, { 'content-type': type }).end(await answer.text());
}
