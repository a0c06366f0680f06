// `curvekit start` with OTEL_EXPORTER_OTLP_ENDPOINT: what it sends, and what a bad receiver costs.

import { expect } from 'chai';
import { useCluster } from '#tests/cluster/cluster.js';
import { startReceiver, type Receiver } from '#tests/tracing/receiver.js';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { LocalCluster } from '@curvekit/testing';
import { bundled } from '#tests/process/bundled.js';
import { firstDocument } from '#tests/process/first-document.js';
import { simulatedCluster } from '#tests/service/service.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

// `curvekit start` in a process of its own. It ends by itself, so what keeps it alive is noticed.

interface StartedProcess {
  readonly url: string;
  /** Sends SIGTERM and waits. @returns how long it took, and the exit code */
  readonly terminate: () => Promise<{ readonly ms: number; readonly code: number | null }>;
  /** Kills the process if it runs, and removes its files. */
  readonly discard: () => Promise<void>;
}

async function startTracedProcess(
  cluster: LocalCluster,
  environment: Readonly<Record<string, string>>,
): Promise<StartedProcess> {
  const folder = temporaryFolder('tracing');
  const child = spawn(process.execPath, [await bundled('app/src/operator/main.ts'), 'start', '--json'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      RPC_URL: cluster.rpcUrl,
      WS_URL: cluster.wsUrl,
      SIMULATED_CLUSTER: simulatedCluster(cluster),
      PROGRAM_ID: cluster.programId.toBase58(),
      DATABASE_FOLDER: 'memory',
      INDEXER: 'off',
      LOG_LEVEL: 'silent',
      RATE_LIMIT_REQUESTS: '1000000',
      MARKET_RATE_LIMIT_REQUESTS: '1000000',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const { url } = await firstDocument<{ url: string }>(child);
  return {
    url,
    terminate: async () => {
      const began = performance.now();
      child.kill('SIGTERM');
      const [code] = await ended;
      return { ms: performance.now() - began, code };
    },
    discard: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

const REQUESTS = 50;
const PATH = '/v1/market/tokens';
const ROUTE = 'GET /v1/market/tokens';
/** Without a receiver that is slow. */
const STOPPED_WITHIN_MS = 1_000;
/** What a slow receiver adds at most; and what the machine may add to that. */
const RECEIVER_MS = 1_000;
const MARGIN_MS = 1_000;
/** A request that waited for a receiver would take as long as the receiver. */
const ANSWERED_WITHIN_MS = 500;

describe('the export of traces', () => {
  const cluster = useCluster();
  let running: StartedProcess | undefined;
  let receiver: Receiver | undefined;

  afterEach(async () => {
    await running?.discard();
    await receiver?.stop();
    [running, receiver] = [undefined, undefined];
  });

  const start = async (environment: Readonly<Record<string, string>> = {}) => {
    running = await startTracedProcess(cluster(), environment);
    return running;
  };
  /** @returns how long the slowest of many requests took */
  const ask = async ({ url }: StartedProcess): Promise<number> => {
    await (await fetch(url + PATH)).text();
    let slowest = 0;
    for (let asked = 0; asked < REQUESTS; asked += 1) {
      const began = performance.now();
      const answer = await fetch(url + PATH);
      await answer.text();
      expect(answer.status).to.equal(200);
      slowest = Math.max(slowest, performance.now() - began);
    }
    return slowest;
  };

  it('sends the spans at shutdown to a receiver, with its headers and the name of the service', async () => {
    receiver = await startReceiver();
    const on = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20sesame',
      OTEL_SERVICE_NAME: 'launchpad-of-a-test',
    });
    await ask(on);
    const { code, ms } = await on.terminate();
    expect(code).to.equal(0);
    expect(ms).to.be.below(STOPPED_WITHIN_MS);
    expect(receiver.spans().filter(({ name }) => name === ROUTE)).to.have.length(REQUESTS + 1);
    expect(receiver.requests[0]).to.deep.equal({ path: '/v1/traces', authorization: 'Bearer sesame' });
    expect(receiver.resource('service.name')).to.equal('launchpad-of-a-test');
  });

  const withBadReceiver = async (endpoint: string) => {
    const on = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_BSP_SCHEDULE_DELAY: '20' });
    expect(await ask(on)).to.be.below(ANSWERED_WITHIN_MS);
    const { code, ms } = await on.terminate();
    expect(code).to.equal(0);
    expect(ms).to.be.below(RECEIVER_MS + MARGIN_MS);
  };

  it('delays no request, and the shutdown by a second at most, when the receiver never answers', async () => {
    receiver = await startReceiver({ answers: false });
    await withBadReceiver(receiver.url);
    expect(receiver.requests).not.to.have.length(0);
  });
});
