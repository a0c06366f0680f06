// `curvekit start` with OTEL_EXPORTER_OTLP_ENDPOINT: what it sends, and what a bad receiver costs.
import { expect } from 'chai';
import { useCluster } from '#tests/cluster/cluster.js';
import { atEnd } from '#tests/mocha/at-end.js';
import { startCurvekit } from '#tests/process/first-document.js';
import { simulatedCluster } from '#tests/service/service.js';
import { startReceiver } from '#tests/tracing/receiver.js';

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

  const start = async (environment: Readonly<Record<string, string>>) => {
    const { rpcUrl, wsUrl, programId } = cluster();
    const { child, ended, document } = await startCurvekit({
      ...{ RPC_URL: rpcUrl, WS_URL: wsUrl, SIMULATED_CLUSTER: simulatedCluster(cluster()) },
      ...{ PROGRAM_ID: programId.toBase58(), MARKET_RATE_LIMIT_REQUESTS: '1000000', ...environment },
    });
    /** Sends SIGTERM and waits. The process ends by itself, so what keeps it alive is noticed. */
    const terminate = async () => {
      const began = performance.now();
      child.kill('SIGTERM');
      const [code] = await ended;
      return { ms: performance.now() - began, code };
    };
    return { url: document['url']!, terminate };
  };
  const newReceiver = async (options: Parameters<typeof startReceiver>[0] = {}) => {
    const receiver = await startReceiver(options);
    atEnd(() => receiver.stop());
    return receiver;
  };
  /** @returns how long the slowest of many requests took */
  const ask = async ({ url }: { url: string }): Promise<number> => {
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
    const receiver = await newReceiver();
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

  it('delays no request, and the shutdown by a second at most, when the receiver never answers', async () => {
    const receiver = await newReceiver({ answers: false });
    const on = await start({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_BSP_SCHEDULE_DELAY: '20' });
    expect(await ask(on)).to.be.below(ANSWERED_WITHIN_MS);
    const { code, ms } = await on.terminate();
    expect(code).to.equal(0);
    expect(ms).to.be.below(RECEIVER_MS + MARGIN_MS);
    expect(receiver.requests).not.to.have.length(0);
  });
});
