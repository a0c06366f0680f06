/** `npm run dev`: the launchpad with reload on change, on a local cluster that is kept meanwhile. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs, stripVTControlCharacters } from 'node:util';
import { Keypair } from '@solana/web3.js';
import { startLocalCluster } from '@curvekit/testing';
import { prepareChain, simulate } from '#app/operator/local/chain.js';
import { localEnvironment, localWallet } from '#app/operator/local/launchpad.js';
import { launchTokens, openMarket } from '#app/operator/local/market.js';
import { createLogger } from '#app/base/logging/logging.js';
import { untilSignal } from '#app/base/process.js';
import { CommandError, runCommand, wholeNumber } from '../command-line.js';
import { READY, type Development } from './service.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** In the working directory, like that of `npm start`. */
const FOLDER = '.curvekit/dev';

const HELP = `npm run dev [-- --port N] [-- --page-port N]

Starts a local cluster with tokens that simulated wallets trade, the service, and the page. After a change of a source in
app/, sdk/ or testing/ the service starts again within seconds, and keeps cluster and database; after a change in web/ the
page reloads. Ctrl+C stops everything; the next run begins with an empty cluster.

  --port N       port of the service (3000)
  --page-port N  port of the page (5173)

Variables of the service, such as LOG_LEVEL=debug, are used. \`. ${FOLDER}/env\` sets those of curvekit-trade and of
the examples in another terminal.`;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '3000' },
    'page-port': { type: 'string', default: '5173' },
    help: { type: 'boolean', short: 'h' },
  },
});
runCommand(HELP, async () => {
  if (values.help) console.log(HELP);
  else
    await develop(
      wholeNumber('--port', values.port, 1, 65_535),
      wholeNumber('--page-port', values['page-port'], 1, 65_535),
    );
});

async function develop(port: number, pagePort: number): Promise<void> {
  const stopped = untilSignal();
  // The database and uploads of the last run belong to a cluster that is gone. The wallets remain.
  for (const old of ['database', 'uploads', 'env'])
    await rm(join(FOLDER, old), { recursive: true, force: true });
  await mkdir(join(FOLDER, 'uploads'), { recursive: true });
  const log = (line: string): void => console.error(`dev: ${line}`);
  log('starting a cluster with the program');
  const cluster = await startLocalCluster({ log });
  const children: ChildProcess[] = [];
  try {
    const graduationPayer = Keypair.generate();
    const wallet = await localWallet(FOLDER, 'wallet');
    const chain = await prepareChain(cluster, graduationPayer, wallet.keypair);
    const development: Development = {
      folder: FOLDER,
      mint: chain.tokens[0]!.mint.toBase58(),
      users: chain.users.map(({ secretKey }) => [...secretKey]),
    };
    log('starting the service');
    const service = run(
      'tsx',
      ['watch', '--clear-screen=false', '--include', 'app/src/**/*.sql', 'scripts/dev/service.ts'],
      {
        ...localEnvironment(process.env, cluster, graduationPayer, join(FOLDER, 'uploads')),
        PORT: String(port),
        DATABASE_FOLDER: join(FOLDER, 'database'),
        DEVELOPMENT: JSON.stringify(development),
      },
    );
    children.push(service.child);
    const isReady = await Promise.race([
      whenSaid(service, READY).then(() => true),
      stopped.then(() => false),
    ]);
    if (!isReady) return;
    log('launching and trading a few tokens');
    const url = `http://127.0.0.1:${port}`;
    await launchTokens(cluster, cluster.payer, chain.tokens, url);
    await openMarket(cluster, chain.tokens, chain.traders);
    const jobs = simulate(cluster, chain, url, createLogger('warn'));
    const page = run('vite', ['web', '--clearScreen', 'false', '--strictPort', '--port', String(pagePort)], {
      ...process.env,
      CURVEKIT_URL: url,
    });
    children.push(page.child);
    await whenSaid(page, /Local:/);
    log(`page at http://localhost:${pagePort}, API at ${url}; Ctrl+C stops everything`);
    await Promise.race([stopped, ...children.map(ended)]);
    log('stopping');
    for (const job of jobs) await job.stop();
  } finally {
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(children.map(ended));
    await cluster.stop();
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** A program of the repository's packages. What it prints appears here. */
interface Program {
  readonly child: ChildProcess;
  readonly lines: Interface;
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Program {
  const command = join(ROOT, 'node_modules', '.bin', program);
  const child = spawn(command, args, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  lines.on('line', (line) => console.log(line));
  return { child, lines };
}

/** Waits until the program prints such a line. @throws CommandError when it ends before */
function whenSaid({ lines }: Program, pattern: RegExp): Promise<void> {
  return new Promise((resolve, reject) => {
    // Not by iterating, whose end would close the interface, and stop what the program prints later.
    lines.on('line', (line) => {
      // Vite prints colors, also without a terminal when the variable CI is set.
      if (pattern.test(stripVTControlCharacters(line))) resolve();
    });
    lines.on('close', () =>
      reject(new CommandError('the service or the page ended before it was ready: see above')),
    );
  });
}
