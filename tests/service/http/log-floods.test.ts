// The log of a continuing fault: one line per cause and minute, with the number of repetitions. threat: log-filling
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { createLogger, type Logger } from '#app/base/logging/logging.js';
import { run } from '#tests/process/run.js';

const EVERY_MS = 200;
const WARN = 40;

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly instance: string;
  readonly repeated?: number;
  readonly [field: string]: unknown;
}

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
      import { logWarnings } from './app/src/base/process.ts';
      import { createLogger } from './app/src/base/logging/logging.ts';
      logWarnings(createLogger('info'));
      process.emitWarning('11 listeners added', { type: 'MaxListenersExceededWarning', code: 'LEAK' });`;
    const args = ['--import=tsx', '--input-type=module', '--eval', script];
    const { stdout, stderr } = await run(process.execPath, args);
    expect(stderr).to.equal('');
    const { level, msg, err } = JSON.parse(stdout) as Line;
    expect({ level, msg }).to.deep.equal({
      level: WARN,
      msg: 'Node warns: MaxListenersExceededWarning; please report it',
    });
    expect(err).to.deep.include({ message: '11 listeners added' });
  });
});
