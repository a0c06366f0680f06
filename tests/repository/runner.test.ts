// `npm test` lists the suites it left out; with `--require-all` it fails instead.
import { readdirSync } from 'node:fs';
import { symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { expect } from 'chai';

import { again, failedFiles, type Outcome } from '../../scripts/test/outcome.js';
import { isInstalled, MOCHA, SUITES, type Suite } from '../../scripts/test/suites.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';
import { ROOT, run } from '#tests/process/run.js';

interface Ran {
  readonly exitCode: number;
  readonly out: string;
}

describe('npm test where optional programs are not installed', () => {
  const path = temporaryFolder('path');

  before('nothing on PATH but Node', () => symlink(process.execPath, join(path, 'node')));

  const runner = (...args: string[]) => runnerWith({ PATH: path }, ...args);
  async function runnerWith(env: Readonly<Record<string, string>>, ...args: string[]): Promise<Ran> {
    const command = ['--import=tsx', 'scripts/test/main.ts', ...args];
    try {
      const { stdout } = await run(process.execPath, command, { cwd: ROOT, env });
      return { exitCode: 0, out: stdout };
    } catch (error) {
      const { code, stdout } = error as { code: number; stdout: string };
      return { exitCode: code, out: stdout };
    }
  }
  const lastLine = ({ out }: Ran) => out.trimEnd().split('\n').at(-1);
  const rowOf = (suite: string, { out }: Ran) =>
    out.split('\n').find((line) => line.startsWith(`${suite} `)) ?? '';

  it('names the suites that it leaves out and what they need, prints the totals last, and fails when nothing ran', async () => {
    const ran = await runner('--only', 'differential,story-validator');
    expect(rowOf('differential', ran)).to.match(
      /^differential +left out: needs cargo-build-sbf \(https:\S+\)$/,
    );
    expect(rowOf('story-validator', ran)).to.match(
      /left out: needs solana-test-validator \(https:\S+\), redis-server \(your package manager .*\)$/,
    );
    expect(ran.out).to.contain('No suite ran');
    expect([lastLine(ran), ran.exitCode]).to.deep.equal(['0 passed, 0 failed', 1]);
  });

  it('ends a suite that prints nothing any more, and counts it as failed', async () => {
    const here = `${join(ROOT, 'node_modules', '.bin')}:${process.env['PATH']}`;
    const ran = await runnerWith({ PATH: here, TEST_SILENCE_SECONDS: '0.3' }, '--only', 'sdk');
    expect(ran.out).to.contain('== failed in sdk').and.to.contain('sdk has printed nothing for 0.3 s: ended');
    expect([lastLine(ran), ran.exitCode]).to.deep.equal(['0 passed, 1 failed', 1]);
  });
});

describe('the suites of npm test', () => {
  it('are in the short run unless only --all runs them, which takes 45 minutes at most', () => {
    const short = SUITES.filter(({ isLong }) => isLong !== true);
    expect(short.map(({ name }) => name)).to.include.members([
      'rust',
      'stories',
      'service',
      'graduation',
      'sdk',
    ]);
    // What has to be installed is Node and Rust.
    expect(short.flatMap(({ needs = [] }) => needs).filter(({ program }) => program !== 'cargo')).to.be.empty;
    expect(minutesOf(short)).to.be.at.most(10);
    const possible = SUITES.filter(
      ({ isLeftOut, needs = [] }) => isLeftOut !== true && needs.every(isInstalled),
    );
    expect(minutesOf(possible)).to.be.at.most(45);
  });

  it('contain every test file', () => {
    const all = ['tests', 'sdk/test'].flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.endsWith('.test.ts'))
        .map((path) => `${folder}/${path}`),
    );
    const suites = SUITES.filter(({ reporter, isLeftOut }) => reporter === 'mocha' && isLeftOut !== true);
    expect(all.filter((file) => !suites.some((suite) => hasFile(suite, file)))).to.deep.equal([]);
  });

  /** By the usual times: three at once, after those that run alone. A suite beside one of these takes no longer than it. */
  function minutesOf(suites: readonly Suite[]): number {
    const sum = (alone: boolean) =>
      suites
        .filter((suite) => (suite.alone === true) === alone && suite.beside === undefined)
        .reduce((total, { usually }) => total + usually, 0);
    return (sum(true) + sum(false) / 3) / 60;
  }

  function hasFile({ args }: Suite, file: string): boolean {
    const ignored = args.filter((_, index) => args[index - 1] === '--ignore');
    return !ignored.includes(file) && args.some((arg) => !ignored.includes(arg) && matches(arg, file));
  }

  /** `**` is any folders, `*` any name. */
  function matches(pattern: string, file: string): boolean {
    const parts = { '**/*': '.*', '*': '[^/]*', '.': String.raw`\.` } as const;
    const source = pattern.replaceAll(/\*\*\/\*|[*.]/g, (part) => parts[part as keyof typeof parts]);
    return new RegExp(`^${source}$`).test(file);
  }
});

describe('files that failed beside other suites', () => {
  const files = [{ path: 'tests/late.test.ts', passed: 3, failed: 2 }];
  const first: Outcome = {
    suite: 'service',
    passed: 103,
    failed: 2,
    seconds: 90,
    failures: ['too late'],
    files,
  };
  const second = (passed: number, failed: number) => (paths: readonly string[]) => {
    expect(paths).to.deep.equal(['tests/late.test.ts']);
    const said = { suite: 'service', passed, failed, seconds: 5 };
    return Promise.resolve(failed > 0 ? { ...said, failures: ['too late again'] } : said);
  };

  it('count as passed when they pass by themselves, and are named', async () => {
    const { passed, failed, failures, again: named } = await again(first, second(5, 0));
    expect({ passed, failed, failures, named }).to.deep.equal({
      passed: 105,
      failed: 0,
      failures: ['too late'],
      named: ['tests/late.test.ts'],
    });
  });

  it('are said by the report of mocha, also when a hook failed', async () => {
    const folder = temporaryFolder('failing');
    const path = join(folder, 'two.test.mjs');
    await writeFile(
      path,
      "it('a', () => {}); it('b', () => { throw new Error('b'); }); describe('c', () => { before(() => { throw new Error('c'); }); it('d', () => {}); });",
    );
    const args = [join(ROOT, 'node_modules', 'mocha', 'bin', 'mocha.js'), '--no-config', ...MOCHA, path];
    const { stdout } = (await run(process.execPath, args, { cwd: ROOT }).catch(
      (error: unknown) => error,
    )) as { stdout: string };
    expect(failedFiles(stdout)).to.deep.equal([{ path: relative(ROOT, path), passed: 1, failed: 2 }]);
  });
});
