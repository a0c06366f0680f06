import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Express } from 'express';
import { CONNECTIONS, HEADERS_MS, REQUEST_MS, STILL_MS } from './bounds.js';
import { clientCounters } from './client-address.js';
import { Shares } from './shares.js';
import { ExplainedError } from '../base/errors.js';

/** How often the two limits are looked at. Node's default is half a minute, which would double them. */
const LOOK_MS = 1_000;
/** Longer than the keep-alive of proxies, so that the server never closes a connection while a request is arriving. */
const KEEP_ALIVE_MS = 65_000;

export interface ListenOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The variable that sets the port, for errors. */
  readonly variable?: string;
  /** They need a connection each, besides those for other requests. */
  readonly streamsPerAddress?: number;
}

export interface RunningServer {
  readonly url: string;
  /** Stops accepting connections and waits for open requests, at most `timeoutMs`. Safe to call twice. */
  close(timeoutMs: number): Promise<void>;
}

/** The server cannot listen. The message says why and what to do. */
export class ListenError extends ExplainedError {
  override readonly name = 'ListenError';
}

/** What to do, by the code of the error. */
const REMEDIES: Readonly<Record<string, (variable: string) => string>> = {
  EADDRINUSE: (variable) => `set ${variable} to a free one, or to 0 for any`,
  EACCES: (variable) => `set ${variable} to one from 1024, or to 0 for any`,
};
const OTHER_REMEDY = 'set HOST to an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all';

/**
 * Starts the server. Call once for each application.
 *
 * @throws ListenError when the port is taken or the host is not this machine's
 */
export async function listen(
  app: Express,
  { host, port, variable = 'PORT', streamsPerAddress = 0 }: ListenOptions,
): Promise<RunningServer> {
  const server = createServer({
    headersTimeout: HEADERS_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: LOOK_MS,
  });
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  server.timeout = STILL_MS;
  limitConnections(server, app, CONNECTIONS.perClient + streamsPerAddress);
  let closing: Promise<void> | undefined;
  server.on('request', (request, response) => {
    // An idle keep-alive connection would delay the shutdown.
    if (closing !== undefined) response.setHeader('Connection', 'close');
    response.on('close', () => {
      if (closing !== undefined) setImmediate(() => server.closeIdleConnections());
    });
    app(request, response);
  });
  await listening(server, { host, port, variable });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    close: (timeoutMs) => (closing ??= close(server, timeoutMs)),
  };
}

/** @throws ListenError when the port is taken or the host is not this machine's */
export async function requireFree(address: Pick<ListenOptions, 'host' | 'port'>): Promise<void> {
  const server = createServer();
  await listening(server, { ...address, variable: 'PORT' });
  await new Promise((resolve) => server.close(resolve));
}

async function listening(
  server: Server,
  { host, port, variable }: Required<Pick<ListenOptions, 'host' | 'port' | 'variable'>>,
): Promise<void> {
  await once(server.listen(port, host), 'listening').catch((cause: NodeJS.ErrnoException) => {
    const remedy = REMEDIES[cause.code ?? '']?.(variable) ?? OTHER_REMEDY;
    throw new ListenError(`${cause.message}: ${remedy}`, { cause });
  });
}

/** Closes connections over the limits at once. A trusted proxy has a connection for each of its own clients. */
function limitConnections(server: Server, app: Express, perClient: number): void {
  const shares = new Shares({ perClient, total: CONNECTIONS.total });
  const isProxy = app.get('trust proxy fn') as (address: string, hop: number) => boolean;
  server.maxConnections = CONNECTIONS.total;
  server.on('connection', (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress !== undefined && isProxy(remoteAddress, 0)) return;
    const { client } = clientCounters(remoteAddress);
    if (shares.take(client) === undefined) socket.once('close', () => shares.give(client));
    else socket.destroy();
  });
}

async function close(server: Server, timeoutMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const forceClose = setTimeout(() => server.closeAllConnections(), timeoutMs);
  await closed;
  clearTimeout(forceClose);
}
