// An HTTPS server and a name server that play the internet from which token images are fetched.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FetchLimits } from '#app/tokens/metadata/fetch.js';
import { startHttpsServer, type HttpsServer } from '#tests/network/https-server.js';
import { startNameServer, type NameServer } from '#tests/network/name-server.js';

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
