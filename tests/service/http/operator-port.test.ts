// A port of its own for what only the operator may see, and the switch of the access log.
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect } from 'chai';
import { createLogger } from '#app/base/logging/logging.js';
import { createMetrics } from '#app/base/metrics.js';
import { startService, type Service } from '#app/service.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { openTestDatabase } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { testConfig } from '#tests/service/service.js';

describe('the operator’s port', function () {
  this.timeout(60_000);
  const cluster = useCluster();
  const running: Service[] = [];
  afterEach(() => Promise.all(running.splice(0).map((service) => service.stop())));

  /** A service, and what it logs. */
  async function start(environment: Record<string, string>): Promise<{ service: Service; lines: string[] }> {
    const lines: string[] = [];
    const config = testConfig(cluster(), { PORT: '0', INDEXER: 'off', LOG_LEVEL: 'info', ...environment });
    const database = await openTestDatabase();
    const service = await startService(config, {
      overrides: {
        database,
        deployment: cluster().deployment,
        metrics: createMetrics({ ofProcess: false }),
        logger: createLogger(config.logLevel, { write: (line: string) => void lines.push(line) }),
      },
    });
    running.push(service);
    return { service, lines };
  }

  async function keysOf(url: string): Promise<string[]> {
    return Object.keys((await (await fetch(url)).json()) as object);
  }

  it('has the metrics and the details of the checks, and the public one has only their status', async () => {
    const { service } = await start({ OPERATOR_PORT: '0' });
    const { url, operatorUrl } = service;
    for (const path of ['/health', '/ready']) {
      expect(await keysOf(url + path), path).to.deep.equal(['status']);
      expect(await keysOf(operatorUrl + path), path).to.deep.equal(['status', 'checks']);
    }
    expect((await fetch(`${url}/metrics`)).status).to.equal(404);
    expect(await (await fetch(`${operatorUrl}/metrics`)).text()).to.match(
      /curvekit_http_request_seconds_count\{method="GET",route="\/health",status="200"\} \d/,
    );
    expect((await fetch(`${operatorUrl}/v1/launchpad`)).status).to.equal(404);
    await service.stop();
    expect(await fetch(`${operatorUrl}/health`).catch(() => 'refused')).to.equal('refused');
  });

  it('a port that is taken stops the start, and names its variable', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { message } = await rejection(start({ OPERATOR_PORT: String(port) }), Error);
    expect(message).to.match(/EADDRINUSE.*: set OPERATOR_PORT to a free one, or to 0 for any/);
    other.close();
  });

  it('ACCESS_LOG=off leaves out the lines of answers without an error', async () => {
    for (const [environment, logged] of [
      [{}, 1],
      [{ ACCESS_LOG: 'off' }, 0],
    ] as const) {
      const { service, lines } = await start(environment);
      await (await fetch(`${service.url}/v1/launchpad`)).text();
      // Without a port of their own, the metrics and the checks are on the public one.
      expect(service.operatorUrl).to.equal(undefined);
      expect(await keysOf(`${service.url}/ready`)).to.deep.equal(['status', 'checks']);
      expect((await fetch(`${service.url}/metrics`)).status).to.equal(200);
      await service.stop();
      const answered = lines.filter((line) => line.includes('"url":"/v1/launchpad"'));
      expect(answered, lines.join('\n')).to.have.lengthOf(logged);
    }
  });
});
