// Serves the tools on standard input and output, or on a port of this machine.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import { once } from 'node:events';
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Terminal } from '../terminal.js';
import { createServer, type ServerParts } from './server.js';

const TOKEN_BYTES = 24;

/** Until the client closes the pipe, or Ctrl-C. */
export async function serveOnStdio(parts: ServerParts): Promise<void> {
  const { err, stopped } = parts.terminal;
  const handle = serveStdio(() => createServer(parts), {
    onerror: (error) => err(`curvekit-trade: ${error.message}`),
  });
  const ended = once(process.stdin, 'close');
  await Promise.race([ended, aborted(stopped)]);
  await handle.close();
}

/** Programs of this machine alone, and of them those that know the token: a page of any site can send requests to a local port. */
export async function serveOnPort(parts: ServerParts, port: number): Promise<void> {
  const { terminal } = parts;
  const token = terminal.environment['MCP_TOKEN'] || randomBytes(TOKEN_BYTES).toString('base64url');
  const handler = createMcpHandler(() => createServer(parts));
  const [checkHost, checkOrigin, answer] = [
    localhostHostValidation(),
    localhostOriginValidation(),
    toNodeHandler(handler),
  ];
  const server = createHttpServer((request, response) => {
    if (!checkHost(request, response) || !checkOrigin(request, response)) return;
    if (!isSame(request.headers.authorization ?? '', `Bearer ${token}`)) {
      response
        .writeHead(401, { 'www-authenticate': 'Bearer' })
        .end('send the token that the server printed: Authorization: Bearer TOKEN\n');
      return;
    }
    void answer(request as Parameters<typeof answer>[0], response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: open } = server.address() as { readonly port: number };
  terminal.err(`serving     http://127.0.0.1:${open}/mcp`);
  if (!terminal.environment['MCP_TOKEN']) terminal.err(`token       ${token}`);
  await aborted(terminal.stopped);
  server.closeAllConnections();
  server.close();
  await handler.close();
}

function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(a!, b!);
}

async function aborted(signal: Terminal['stopped']): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
}
