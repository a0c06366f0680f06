// A port of its own for what only the operator may see, and what a service logs.
import { createServer } from 'node:net';
import { expect } from 'chai';
import { createLogger, INSTANCE } from '#app/base/logging/logging.js';
import { eventually } from '#tests/service/service.js';
import { type Service } from '#app/service.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { rejection } from '#tests/mocha/failures.js';
import { freePortOf } from '#tests/node/serve.js';
import { startTestService } from '#tests/service/test-service.js';

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly req?: { readonly url: string };
  readonly [field: string]: unknown;
}

describe('what the operator sees of a service', () => {
  const cluster = useCluster();
  const running: Service[] = [];
  afterEach(() => Promise.all(running.splice(0).map((service) => service.stop())));

  async function start(environment: Record<string, string>) {
    const lines: Line[] = [];
    const sink = { write: (line: string) => void lines.push(JSON.parse(line) as Line) };
    const logger = createLogger((environment['LOG_LEVEL'] as 'debug') ?? 'info', sink);
    const service = await startTestService(
      cluster(),
      { INDEXER: 'off', ...environment },
      { overrides: { logger } },
    );
    running.push(service);
    return { service, lines: () => lines };
  }

  async function keysOf(url: string): Promise<string[]> {
    return Object.keys((await (await fetch(url)).json()) as object);
  }

  it('is on a port of its own: the metrics and the details of the checks; the public one has only their status', async () => {
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
    const other = createServer();
    const OPERATOR_PORT = String(await freePortOf(other));
    const { message } = await rejection(start({ OPERATOR_PORT }), Error);
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
      const answered = lines().filter(({ req }) => req?.url === '/v1/launchpad');
      expect(answered).to.have.lengthOf(logged);
    }
  });

  it('begins with one line in the log that identifies the process; probes are logged at debug level', async () => {
    const { service, lines } = await start({ INDEXER: 'on', LOG_LEVEL: 'debug' });
    const started = () => lines().filter(({ msg }) => msg === 'started');
    await eventually(() => started().length === 1, 'the line');
    const { version, instance, cluster: where, program, database } = started()[0]!;
    expect(version).to.match(/^\d+\.\d+\.\d+/);
    expect(instance).to.equal(INSTANCE);
    expect(where).to.deep.equal({
      genesis: await cluster().connection.getGenesisHash(),
      node: new URL(cluster().rpcUrl).origin,
    });
    expect(program).to.equal(cluster().programId.toBase58());
    expect(database).to.equal(service.context.database.kind);
    for (const path of ['/health', '/ready', '/metrics', '/docs']) await fetch(service.url + path);
    const asked = () => lines().flatMap(({ level, req }) => (req === undefined ? [] : [[req.url, level]]));
    await eventually(() => asked().length === 4, 'the requests');
    // `/ready` may still fail here and log a warning, so it is not checked.
    expect(Object.fromEntries(asked())).to.include({ '/health': 20, '/metrics': 20, '/docs': 30 });
  });
});
