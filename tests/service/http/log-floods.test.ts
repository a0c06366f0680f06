// The log of a continuing fault: one line per cause and minute, with the number of repetitions. threat: log-filling
import { execFile } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { INSTANCE } from '#app/base/instance.js';
import { createLogger, type Logger } from '#app/base/logging/logging.js';
import type { Database } from '#app/db/database.js';
import { createMetrics } from '#app/base/metrics.js';
import { startService } from '#app/service.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { openTestDatabase } from '#tests/database/database.js';
import { eventually, testConfig } from '#tests/service/service.js';

const EVERY_MS = 200;
const WARN = 40;

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly instance: string;
  readonly repeated?: number;
  readonly [field: string]: unknown;
}

/** A logger, and access to its lines. */
function recorded(everyMs?: number): { readonly logger: Logger; readonly lines: () => readonly Line[] } {
  const written: string[] = [];
  const logger = createLogger('debug', { write: (text) => void written.push(text) }, everyMs);
  return { logger, lines: () => written.map((text) => JSON.parse(text) as Line) };
}

/** The error that a driver throws when the port is closed. */
const refused = () =>
  Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED', port: 5432 });

describe('the log of a continuing fault', () => {
  it('has the first occurrence, then the number of repetitions, and a new line after a pause', async () => {
    const { logger, lines } = recorded(EVERY_MS);
    for (let count = 0; count < 50; count += 1) logger.error({ err: new Error('no'), job: 'a' }, 'it failed');
    expect(lines().map(({ msg }) => msg)).to.deep.equal(['it failed']);
    await sleep(1.5 * EVERY_MS);
    expect(lines()[1]).to.include({ repeated: 49, job: 'a', reason: 'no' });
    await sleep(2 * EVERY_MS);
    expect(lines()).to.have.length(2);
    logger.error({ err: new Error('no'), job: 'a' }, 'it failed');
    expect(lines()[2]).to.include({ msg: 'it failed' });
  });

  it('counts a connection error as one cause in all callers, and shows no stack for it', () => {
    const { logger, lines } = recorded();
    for (const job of ['indexer', 'reconciler', 'claims']) {
      logger.error({ err: new Error('Failed query', { cause: refused() }), job }, 'the job failed');
      logger.child({ req: { id: job } }).error({ err: refused() }, 'The service is not available');
    }
    expect(lines()).to.have.length(1);
    expect(JSON.stringify(lines()[0])).to.contain('ECONNREFUSED').and.not.to.contain('stack');
    logger.error({ err: new TypeError('a fault of ours') }, 'the job failed');
    expect(JSON.stringify(lines()[1])).to.contain('"stack"');
  });

  it('counts errors that differ only in a slot or a signature as one cause', () => {
    const { logger, lines } = recorded();
    for (let slot = 400_000_000; slot < 400_000_050; slot += 1) {
      const signature = Keypair.generate().publicKey.toBase58();
      logger.warn({ err: new Error(`no block ${slot} of ${signature}`) }, 'a request failed');
    }
    expect(lines()).to.have.length(1);
    for (const status of [429, 503]) logger.warn({ err: new Error(`HTTP ${status}`) }, 'a request failed');
    expect(lines()).to.have.length(3);
  });

  it("has Node's warnings as lines, and Node prints none", async () => {
    const script = `
      import { logWarnings } from './app/src/base/logging/console-lines.ts';
      import { createLogger } from './app/src/base/logging/logging.ts';
      logWarnings(createLogger('info'));
      process.emitWarning('11 listeners added', { type: 'MaxListenersExceededWarning', code: 'LEAK' });`;
    const args = ['--import=tsx', '--input-type=module', '--eval', script];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
    expect(stderr).to.equal('');
    const { level, msg, err } = JSON.parse(stdout) as Line;
    expect({ level, msg }).to.deep.equal({
      level: WARN,
      msg: 'Node warns: MaxListenersExceededWarning; please report it',
    });
    expect(err).to.deep.include({ message: '11 listeners added' });
  });

  describe('the log of a service', function () {
    this.timeout(120_000);
    const cluster = useCluster();

    const start = async (logger: Logger, database?: Database) =>
      startService(testConfig(cluster(), { PORT: '0', RATE_LIMIT_REQUESTS: '1000000' }), {
        overrides: {
          deployment: cluster().deployment,
          metrics: createMetrics({ ofProcess: false }),
          logger,
          database: database ?? (await openTestDatabase()),
        },
      });

    it('starts with one line that identifies the process, and logs probes at debug level', async () => {
      const { logger, lines } = recorded();
      const service = await start(logger);
      try {
        const started = () => lines().filter(({ msg }) => msg === 'started');
        await eventually(() => Promise.resolve(started().length === 1), 'the line');
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
        const asked = () =>
          lines().flatMap(({ level, req }) =>
            req === undefined ? [] : [[(req as { url: string }).url, level]],
          );
        await eventually(() => Promise.resolve(asked().length === 4), 'the requests');
        // `/ready` may still fail here and log a warning, so it is not checked.
        expect(Object.fromEntries(asked())).to.include({ '/health': 20, '/metrics': 20, '/docs': 30 });
      } finally {
        await service.stop();
      }
    });

    it('has a few lines without a stack while the database is down and 200 requests and all jobs fail', async () => {
      const { logger, lines } = recorded();
      const database = breakable(await openTestDatabase());
      const service = await start(logger, database.broken);
      try {
        database.break();
        const before = lines().length;
        for (let count = 0; count < 200; count += 1) {
          const answer = await fetch(`${service.url}/v1/internal/stats`, {
            headers: { 'x-api-key': `curvekit_${'1'.repeat(40)}` },
          });
          await answer.body?.cancel();
          await fetch(`${service.url}/ready`).then((ready) => ready.body?.cancel());
        }
        await sleep(3_000);
        const warnings = lines()
          .slice(before)
          .filter(({ level }) => level >= WARN);
        expect(warnings.length, JSON.stringify(warnings, null, 1)).to.be.lessThan(6);
        expect(warnings.length).to.be.greaterThan(0);
        expect(JSON.stringify(warnings)).not.to.contain('"stack"');
      } finally {
        await service.stop();
      }
    });
  });
});

/** A database that stops answering after `break()`. */
function breakable(database: Database): { readonly broken: Database; break(): void } {
  let away = false;
  return {
    broken: {
      ...database,
      queries: new Proxy(database.queries, {
        get: (target, name) => {
          if (away) throw new Error('Failed query: select', { cause: refused() });
          return Reflect.get(target, name) as unknown;
        },
      }),
      transaction: (work) => (away ? Promise.reject(refused()) : database.transaction(work)),
      tryLead: (job) => (away ? Promise.reject(refused()) : database.tryLead(job)),
    },
    break: () => {
      away = true;
    },
  };
}
