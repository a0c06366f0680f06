// `curvekit start --local` that cannot start: it says in one line why and what to do, and leaves nothing behind.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { ammStandIn } from '@curvekit/testing';
import { firstDocument } from '#tests/process/first-document.js';
import { bundled } from '#tests/process/bundled.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

/** The lines that a start prints before it is ready. */
const PROGRESS =
  /^curvekit: (starting|launching|metaplex:|amm: (reading|wrote)|amm: .* verified|pools run on)/;
const WALLET = '.curvekit/local/payout-wallet.json';

describe('curvekit start --local', () => {
  let root: string;
  /** The working directory of the command. */
  let folder: string;
  /** Its folder for temporary files. */
  let temporary: string;
  const running = new Set<ChildProcess>();

  before('the bundle', () => bundled('app/src/operator/main.ts'));
  beforeEach(async () => {
    root = temporaryFolder('start');
    [folder, temporary] = [join(root, 'work'), join(root, 'tmp')];
    await mkdir(folder);
    await mkdir(temporary);
  });
  afterEach(() => {
    for (const child of running) child.kill('SIGKILL');
    running.clear();
  });

  async function start(environment: Readonly<Record<string, string>>) {
    const command = [await bundled('app/src/operator/main.ts'), 'start', '--local', '--json'];
    const child = spawn(process.execPath, command, {
      cwd: folder,
      env: { ...process.env, HOST: '', PORT: '0', TMPDIR: temporary, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      // In a group of its own, so that a process that it leaves behind is found.
      detached: true,
    });
    running.add(child);
    const exit = once(child, 'exit').then(([code]) => code as number | null);
    return { child, exit, err: text(child.stderr) };
  }

  /** Expects that a start fails and leaves nothing behind. @returns the line that says why */
  async function refusal(environment: Readonly<Record<string, string>>): Promise<string> {
    const left = await readdir(temporary);
    const { child, exit, err } = await start(environment);
    const [exitCode, out, lines] = await Promise.all([exit, text(child.stdout), err]);
    expect([exitCode, out], lines).to.deep.equal([1, '']);
    expect(() => process.kill(-child.pid!, 0), 'a process is left').to.throw('ESRCH');
    expect(await readdir(temporary)).to.deep.equal(left);
    const others = lines
      .trimEnd()
      .split('\n')
      .filter((line) => !PROGRESS.test(line));
    expect(others, lines).to.have.length(1);
    return others[0]!;
  }

  async function write(path: string, content: string): Promise<void> {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }

  it('refuses a file in CURVEKIT_CPMM_SO that is missing or another program', async () => {
    const missing = join(folder, 'missing.so');
    expect(await refusal({ CURVEKIT_CPMM_SO: missing })).to.equal(
      `curvekit: CURVEKIT_CPMM_SO: ${missing} cannot be read; check the path, or unset it`,
    );
    const { path } = await ammStandIn();
    const line = await refusal({ CURVEKIT_CPMM_SO: path });
    expect(line.startsWith(`curvekit: CURVEKIT_CPMM_SO: ${path} (`), line).to.equal(true);
    expect(line).to.match(/ is not a known build of Raydium's CPMM .*; name another file, or unset it$/);
  });

  it('refuses a variable that is wrong before it starts a cluster', async () => {
    const { exit, err } = await start({ PORT: '70000' });
    expect(await exit).to.equal(1);
    expect(await err).to.match(
      /^curvekit: The configuration is not usable:\n {2}PORT must be an integer .*\n$/,
    );
  });

  it('leaves nothing behind when it is interrupted while it starts', async () => {
    const { child, exit, err } = await start({});
    await once(child.stderr, 'data');
    child.kill('SIGINT');
    expect(await exit).to.equal(0);
    expect(await err).to.contain('curvekit: stopping');
    expect(() => process.kill(-child.pid!, 0), 'a process is left').to.throw('ESRCH');
    expect(await readdir(temporary)).to.deep.equal([]);
  });

  it('refuses a host that is not this machine', async () => {
    // 192.0.2.1 is reserved for documentation.
    for (const HOST of ['192.0.2.1', 'host.invalid']) {
      const line = await refusal({ HOST });
      expect(line).to.contain(HOST);
      expect(line).to.match(
        /: set HOST to an address of this machine, such as 127\.0\.0\.1, or 0\.0\.0\.0 for all$/,
      );
    }
  });

  it('refuses a folder for temporary files that does not exist', async () => {
    const TMPDIR = join(root, 'missing');
    const line = await refusal({ TMPDIR });
    expect(line.startsWith(`curvekit: ${TMPDIR} cannot be written (ENOENT: `), line).to.equal(true);
    expect(line).to.match(/: set TMPDIR to a folder that you can write$/);
  });

  it('refuses a working directory whose .curvekit is a file, and keeps the file', async () => {
    const file = '.curvekit';
    await write(file, 'precious');
    const line = await refusal({});
    expect(line).to.match(
      /^curvekit: \.curvekit\/local cannot be written \((ENOTDIR|EEXIST): .*\): make it a folder/,
    );
    expect(line).to.match(/ that you can write, or start in another folder$/);
    expect(await readFile(join(folder, file), 'utf8')).to.equal('precious');
  });

  it("refuses a payout wallet's file without a keypair, and keeps the file", async () => {
    for (const content of ['', JSON.stringify(Array(64).fill(7))]) {
      await write(WALLET, content);
      expect(await refusal({})).to.equal(
        `curvekit: ${WALLET} holds no keypair: move it away, and another one is made`,
      );
      expect(await readFile(join(folder, WALLET), 'utf8')).to.equal(content);
    }
  });

  it('runs twice in one folder, with one payout wallet; a third on the same port is refused', async () => {
    const both = await Promise.all([start({}), start({})]);
    const ready = await Promise.all(both.map(({ child, err }) => firstDocument<Ready>(child, err)));
    expect(ready[0]!.url).not.to.equal(ready[1]!.url);
    expect(ready[0]!.payoutWallet).to.equal(ready[1]!.payoutWallet);
    expect(await readdir(join(folder, '.curvekit/local'))).to.deep.equal([
      'env',
      'payout-wallet.json',
      'wallet.json',
    ]);
    const key = await readFile(join(folder, WALLET), 'utf8');

    const { port } = new URL(ready[0]!.url);
    expect(await refusal({ PORT: port })).to.contain(
      `127.0.0.1:${port}: set PORT to a free one, or to 0 for any`,
    );
    for (const { url } of ready) expect((await fetch(`${url}/health`)).status).to.equal(200);
    expect(await readFile(join(folder, WALLET), 'utf8')).to.equal(key);

    for (const { child } of both) child.kill('SIGINT');
    expect(await Promise.all(both.map(({ exit }) => exit))).to.deep.equal([0, 0]);
    expect(await readdir(temporary)).to.deep.equal([]);
    expect(await readFile(join(folder, WALLET), 'utf8')).to.equal(key);
  });
});

interface Ready {
  readonly url: string;
  readonly payoutWallet: string;
}
