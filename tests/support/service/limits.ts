// Services whose limits a test reaches, and requests that stay open.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import bs58 from 'bs58';
import { BOUNDS, type Bounds, type Kind } from '#app/http/bounds.js';
import { createMetrics } from '#app/base/metrics.js';
import { startService, type Service } from '#app/service.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { openTestDatabase } from '#tests/database/database.js';
import { buildTestPage } from '#tests/service/built-page.js';
import { testConfig } from '#tests/service/service.js';

export const STREAMS_PER_ADDRESS = 1_000;
export const KINDS = Object.keys(BOUNDS) as Kind[];
export const boundsOf = (kind: Kind): Bounds => BOUNDS[kind];

export const GET: Readonly<Partial<Record<Kind, string>>> = {
  api: '/settlements/none',
  market: '/v1/market/tokens/none',
  action: '/actions/t/none',
  file: '/v1/market/images/none.webp',
  share: '/og/none.png',
  page: '/t/none',
  other: '/health',
};
export const POST: Readonly<Partial<Record<Kind, string>>> = {
  upload: '/v1/market/uploads',
  node: '/rpc',
  faucet: '/v1/market/faucet',
};

export const headOf = (method: string, path: string, address: string, headers: Record<string, string> = {}) =>
  [`${method} ${path} HTTP/1.1`, 'Host: x', `X-Forwarded-For: ${address}`]
    .concat(Object.entries(headers).map(([name, value]) => `${name}: ${value}`))
    .join('\r\n') + '\r\n\r\n';

/** Headers of a body, which pass all checks that come before it. */
export const bodyHeaders = (kind: Kind, bytes: number): Record<string, string> => ({
  'Content-Length': String(bytes),
  'Content-Type': kind === 'upload' ? 'multipart/form-data; boundary=b' : 'application/json',
  'X-Signature-Scheme': 'bound',
  'X-Timestamp': String(Date.now()),
  'X-Signature': bs58.encode(new Uint8Array(64).fill(7)),
});

/** A cluster and two services for all tests of the surrounding `describe`. */
export function useLimitedServices() {
  const cluster = useCluster();
  const sockets: Socket[] = [];
  let page: Awaited<ReturnType<typeof buildTestPage>>;
  let folder: string;
  let service: Service;
  /** Counts requests like an operator's service. The other allows more requests, so that places are all that is limited. */
  let usual: Service;

  before(async () => {
    page = await buildTestPage();
    folder = await mkdtemp(join(tmpdir(), 'curvekit-limits-'));
    const start = async (environment: Record<string, string>) =>
      startService(
        testConfig(cluster(), {
          PORT: '0',
          INDEXER: 'off',
          TRUST_PROXY: '1',
          WEB_FOLDER: page.folder,
          UPLOADS_FOLDER: folder,
          ...environment,
        }),
        {
          overrides: {
            database: await openTestDatabase(),
            deployment: cluster().deployment,
            metrics: createMetrics({ ofProcess: false }),
          },
        },
      );
    usual = await start({});
    service = await start({
      RATE_LIMIT_REQUESTS: '1000000',
      MARKET_RATE_LIMIT_REQUESTS: '1000000',
      STREAMS_PER_ADDRESS: String(STREAMS_PER_ADDRESS),
    });
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  after(async () => {
    await Promise.all([service?.stop(), usual?.stop()]);
    await page?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  let addresses = 0;
  const newAddress = () => `192.0.2.${(addresses += 1)}`;

  async function send(text: string): Promise<{ answer: () => string }> {
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    let got = '';
    socket.on('error', () => undefined).on('data', (chunk) => (got += chunk.toString('latin1')));
    await once(socket, 'connect');
    socket.write(text);
    return { answer: () => got };
  }

  return { folder: () => folder, service: () => service, usual: () => usual, sockets, newAddress, send };
}
