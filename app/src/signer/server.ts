// Signs for other processes of this machine, over a unix socket. docs/keys.md has the protocol.
import { once } from 'node:events';
import { chmod, stat, unlink } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Logger } from '../base/logging/logging.js';
import type { Signer } from '../keys/signer.js';
import type { PaysClaims } from '../claims/claims.js';
import { answerToClaim } from './claims-payer.js';
import { LimitReached, type SpendingLimit } from './spending-limit.js';
import { readMessage, Refusal } from './message.js';
import { leaving } from './treasury-rule.js';

/** The longest message that fits a transaction has 1,167 bytes. */
const LONGEST_REQUEST = 4_000;
/** The owner and the group may ask. */
const SOCKET_MODE = 0o660;
const REQUEST_TIMEOUT_MS = 5_000;

interface Answer {
  readonly status: number;
  readonly body: object;
}

export interface Options {
  readonly socket: string;
  readonly treasury: Signer;
  readonly limit: SpendingLimit;
  readonly logger: Logger;
  /** Pays claims here. Then the signer signs no claim that another process has stored. */
  readonly claims?: PaysClaims;
}

/** @returns a function that stops it @throws Error when the socket is taken */
export async function serveSigner({
  socket,
  treasury,
  limit,
  logger,
  claims,
}: Options): Promise<() => Promise<void>> {
  const address = treasury.publicKey.toBase58();

  async function answer(request: IncomingMessage): Promise<Answer> {
    const { method, url } = request;
    if (method === 'GET' && url === '/v1/keys')
      return {
        status: 200,
        body: { addresses: [address], ...(limit.problem && { problem: limit.problem }) },
      };
    const work = method === 'POST' && url !== undefined ? works[url] : undefined;
    if (work === undefined) return refused(404, `there is no ${method} ${url}`);
    const asked = await requestOf(request);
    if (typeof asked === 'string') return refused(400, asked);
    try {
      if (asked['address'] !== address) throw new Refusal(`it must ask for the key ${address}`);
      return { status: 200, body: await work(asked) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      logger.warn(
        { reason: error.message },
        error instanceof LimitReached
          ? 'a signature is refused; raise --sol-per-day if claims take more'
          : 'a signature is refused; see which process asked for it, and stop it if it is not yours',
      );
      return refused(403, error.message);
    }
  }

  const works: Readonly<Record<string, (asked: Record<string, unknown>) => Promise<object>>> = {
    '/v1/sign': async ({ message }) => {
      if (typeof message !== 'string') throw new Refusal('it must have a message in base64');
      return { signature: await sign(Buffer.from(message, 'base64')) };
    },
    ...(claims !== undefined && { '/v1/claims': (asked) => answerToClaim(claims, asked) }),
  };

  async function sign(bytes: Buffer): Promise<string> {
    const message = readMessage(bytes);
    const lamports = await leaving(treasury.publicKey, message, { claims: claims === undefined });
    limit.take(lamports);
    const signature = Buffer.from(await treasury.sign(bytes)).toString('base64');
    logger.info({ lamports: lamports.toString() }, 'signed');
    return signature;
  }

  const server = createServer((request, response) => {
    answer(request)
      .catch((error: unknown) => {
        logger.error(
          { err: error },
          'a request to the signer failed; see `err`, and the log of the process that asked',
        );
        return refused(500, 'the signer failed; its log says why');
      })
      .then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      })
      .catch((error: unknown) => response.destroy(error as Error));
  });
  server.requestTimeout = REQUEST_TIMEOUT_MS;
  await removeOld(socket);
  await once(server.listen(socket), 'listening');
  await chmod(socket, SOCKET_MODE);
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}

function refused(status: number, error: string): Answer {
  return { status, body: { error } };
}

/** What is asked for, or what is wrong with the request. */
async function requestOf(request: IncomingMessage): Promise<Record<string, unknown> | string> {
  let text = '';
  try {
    for await (const chunk of request.setEncoding('utf8') as AsyncIterable<string>) {
      text += chunk;
      if (text.length > LONGEST_REQUEST) return `a request has at most ${LONGEST_REQUEST} bytes`;
    }
    const asked: unknown = JSON.parse(text);
    if (typeof asked === 'object' && asked !== null && !Array.isArray(asked)) return { ...asked };
  } catch {
    // It broke off, or is not JSON.
  }
  return 'the body must be a JSON object, such as {"address": "…", "message": "…"}';
}

/** A process that was killed leaves its socket behind. */
async function removeOld(socket: string): Promise<void> {
  const found = await stat(socket).catch(() => undefined);
  if (found === undefined) return;
  if (!found.isSocket()) throw new Error(`--socket: ${socket} is there and no socket; name another path`);
  const isServed = await new Promise<boolean>((resolve) => {
    const connection = connect(socket);
    const say = (served: boolean) => () => {
      connection.destroy();
      resolve(served);
    };
    connection.once('connect', say(true)).once('error', say(false));
  });
  if (isServed) throw new Error(`--socket: another process serves ${socket}; stop it, or name another path`);
  await unlink(socket);
}
