import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { utimesSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect } from 'chai';

const SOURCE = 'scripts/dev/service.ts';
const LONGEST_MS = 300_000;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

describe('npm run dev', function () {
  // It compiles everything, on a machine that may be busy.
  this.timeout(LONGEST_MS + 10_000);
  let running: ChildProcess;
  let service: string;
  let page: string;
  const lines: string[] = [];

  before(async () => {
    const [port, pagePort] = [await freePort(), await freePort()];
    service = `http://127.0.0.1:${port}`;
    page = `http://localhost:${pagePort}`;
    const ports = ['--port', String(port), '--page-port', String(pagePort)];
    // As the script in package.json: the command `tsx` kills what has not answered a signal within 60 ms, and leaves its children.
    running = spawn(process.execPath, ['--import=tsx', 'scripts/dev/main.ts', ...ports], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // As on a runner: with it, Vite prints colors.
      env: { ...process.env, CI: 'true' },
    });
    for (const stream of [running.stdout!, running.stderr!])
      createInterface({ input: stream }).on('line', (line) => lines.push(line));
    await printed(/^dev: page at /);
  });
  after(() => running.kill('SIGKILL'));

  /** Waits for a line after the first `from` ones. */
  async function printed(pattern: RegExp, from = 0): Promise<void> {
    const until = Date.now() + LONGEST_MS;
    while (!lines.slice(from).some((line) => pattern.test(line))) {
      if (running.exitCode !== null || Date.now() > until)
        throw new Error(`${pattern} is not in\n${lines.join('\n')}`);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  async function tokens(): Promise<string[]> {
    const answer = await fetch(`${service}/v1/market/tokens`);
    expect(answer.status, await answer.clone().text()).to.equal(200);
    const { items } = (await answer.json()) as { items: { mint: string }[] };
    return items.map(({ mint }) => mint);
  }

  it('serves the page from its sources, on the API', async () => {
    expect(await (await fetch(page)).text()).to.contain('/@vite/client');
    expect(await (await fetch(`${page}/v1/launchpad`)).json()).to.have.property('genesisHash');
    // Some seconds after the start, simulated wallets launch more.
    expect(await tokens()).to.have.lengthOf.at.least(6);
  });

  it('starts the service again after a change, with its cluster and database', async () => {
    const before = await tokens();
    const from = lines.length;
    utimesSync(SOURCE, new Date(), new Date());
    await printed(/^dev: service ready: /, from);
    expect(await tokens()).to.include.members(before);
  });

  it('stops everything on SIGINT', async () => {
    running.kill('SIGINT');
    const [code] = (await once(running, 'exit')) as [number | null];
    expect(code, lines.join('\n')).to.equal(0);
    for (const url of [service, page]) expect(await fetch(url).catch(() => 'closed'), url).to.equal('closed');
  });
});
