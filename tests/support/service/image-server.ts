// An HTTPS server and a name server that play the internet from which token images are fetched.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FetchLimits } from '#app/tokens/metadata/fetch.js';
import { startHttpsServer, type HttpsServer } from '#tests/network/https-server.js';
import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';

export const IMAGE = 'https://example.org/image.png';
/** The server's name, and names that lead to internal addresses. */
export const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'host.test': ['127.0.0.1'],
  'ipfs.test': ['127.0.0.1'],
  'ar.test': ['127.0.0.1'],
  'other-gateway.test': ['127.0.0.1'],
  'inside.test': ['127.0.0.2'],
  'both.test': ['127.0.0.1', '127.0.0.2'],
  'metadata.test': ['169.254.169.254'],
  localhost: ['127.0.0.1'],
};

/** Starts both for the surrounding `describe`. */
export function useInternet() {
  let server: HttpsServer;
  let names: NameServer;
  const usual = {
    requests: 0,
    addressesOf: (name: string): readonly string[] | undefined => ADDRESSES[name] ?? [],
    respond: (_request: IncomingMessage, response: ServerResponse): void => {
      response.end(JSON.stringify({ name: 'x', image: IMAGE }));
    },
  };
  const internet = { ...usual };
  /** 127.0.0.1 counts as the public internet here, 127.0.0.2 as internal. */
  let limits: Required<Omit<FetchLimits, 'maxBytes' | 'signal'>>;
  const url = (path = '', host = 'host.test') => `https://${host}:${server.port}/${path}`;

  before(async () => {
    server = await startHttpsServer(Object.keys(ADDRESSES), (request, response) => {
      internet.requests += 1;
      internet.respond(request, response);
    });
    names = await startNameServer((name) => internet.addressesOf(name));
    limits = {
      ca: server.ca,
      nameServers: [names.address],
      isAllowed: (ip) => ip === '127.0.0.1',
      timeoutMs: 3_000,
      gateways: {
        ipfs: [url('', 'ipfs.test'), url('', 'other-gateway.test')].map((at) => new URL(at).origin),
        arweave: [url('', 'ar.test'), url('', 'other-gateway.test')].map((at) => new URL(at).origin),
      },
    };
  });
  after(async () => {
    await server?.stop();
    await names?.stop();
  });
  beforeEach(() => Object.assign(internet, usual));

  return { internet, server: () => server, names: () => names, limits: () => limits, url };
}

// A name server that answers as the test decides.

interface NameServer {
  /** As `address:port`. */
  readonly address: string;
  /** Names whose IPv4 address was requested, in order. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

const TYPE_A = 1;
const HEADER_BYTES = 12;
const NO_SUCH_NAME = 3;

/**
 * Starts it on a free port.
 *
 * @param addressesOf IPv4 addresses of a name; empty if the name does not exist, undefined to send no answer
 */
export async function startNameServer(
  addressesOf: (name: string) => readonly string[] | undefined,
): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    if (type === TYPE_A) asked.push(name);
    const addresses = addressesOf(name);
    if (addresses !== undefined)
      socket.send(answerTo(query.subarray(0, end), type === TYPE_A ? addresses : []), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** Parses the first question of a query: a name in labels, then type and class. */
function questionOf(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** A reply that repeats the question, with one answer per address and a TTL of 0. */
function answerTo(question: Buffer, addresses: readonly string[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  question.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (addresses.length === 0 ? NO_SUCH_NAME : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const answers = addresses.map((address) => {
    if (!isIPv4(address)) throw new Error(`${address} is no IPv4 address`);
    return Buffer.from([
      0xc0,
      HEADER_BYTES,
      0,
      TYPE_A,
      0,
      1,
      0,
      0,
      0,
      0,
      0,
      4,
      ...address.split('.').map(Number),
    ]);
  });
  return Buffer.concat([header, question.subarray(HEADER_BYTES), ...answers]);
}
