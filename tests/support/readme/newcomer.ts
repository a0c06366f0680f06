// Somebody who has just cloned the repository: a folder with nothing beside it, an empty home, no AMM, no settings, and no way
// to a public RPC node.
import { execFileSync, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Shell } from './shell.js';
import { readFileSync, writeFileSync } from 'node:fs';
import { clusterApiUrl } from '@solana/web3.js';
import { IDL_BUILD_ENVIRONMENT } from '../../../scripts/program/toolchain.js';
import { ROOT } from '#tests/process/run.js';

/** Rust is installed, so its own folders are. */
const RUST_FOLDERS = { RUSTUP_HOME: '.rustup', CARGO_HOME: '.cargo' } as const;

export interface Newcomer {
  /** The clone. Its name is not that of the repository. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Whether its terminals cannot reach a public RPC node, whatever the machine's network is. */
  readonly hasNoNode: boolean;
  terminal(): Shell;
  /** Closes the terminals and deletes everything. */
  leave(): Promise<void>;
}

export async function arrive(): Promise<Newcomer> {
  const place = await mkdtemp(join(tmpdir(), 'curvekit-newcomer-'));
  const [folder, home] = [join(place, 'launchpad'), join(place, 'home')];
  await mkdir(home);
  execFileSync('git', ['clone', '--quiet', ROOT, folder]);
  await copyUncommitted(folder);
  const environment = {
    // npm puts the folders of its packages on PATH. A newcomer has none of them, but a Node.js.
    PATH: [
      dirname(process.execPath),
      ...process.env['PATH']!.split(':').filter((path) => !path.includes('node_modules')),
    ].join(':'),
    HOME: home,
    // The certificates that the machine's network asks for are the machine's, not the home's.
    ...Object.fromEntries(
      ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'].flatMap((name) => {
        const value = process.env[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    TERM: 'dumb',
    LANG: 'C.UTF-8',
    // The target folder of the suites' builds, so that the crates are compiled once for all.
    ...IDL_BUILD_ENVIRONMENT,
    ...Object.fromEntries(
      Object.entries(RUST_FOLDERS).map(([name, path]) => [name, process.env[name] ?? join(homedir(), path)]),
    ),
  };
  const within = withoutNode(place);
  const terminals: Shell[] = [];
  return {
    folder,
    hasNoNode: within.length > 0,
    environment,
    terminal: () => {
      const shell = new Shell(folder, environment, within);
      terminals.push(shell);
      return shell;
    },
    leave: async () => {
      for (const shell of terminals) shell.close();
      await rm(place, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

/** In a working copy the test is of what is there, not of the last commit. */
async function copyUncommitted(folder: string): Promise<void> {
  const list = (...args: string[]) =>
    execFileSync('git', ['ls-files', '-z', '--exclude-standard', ...args], { cwd: ROOT, encoding: 'utf8' })
      .split('\0')
      .filter((path) => path !== '');
  const deleted = new Set(list('--deleted'));
  for (const path of deleted) await rm(join(folder, path), { force: true });
  for (const path of list('--modified', '--others')) {
    if (deleted.has(path)) continue;
    await mkdir(dirname(join(folder, path)), { recursive: true });
    // Builds of other suites write files here for a moment.
    await cp(join(ROOT, path), join(folder, path)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
  }
}

const { hostname } = new URL(clusterApiUrl('mainnet-beta'));

/**
 * A command that runs another one where the public RPC node is not reached, by a list of hosts of its own. Empty where the
 * system lets nobody have one: then the machine's own network decides.
 */
function withoutNode(folder: string): readonly string[] {
  const hosts = join(folder, 'hosts');
  writeFileSync(hosts, `${readFileSync('/etc/hosts', 'utf8')}\n127.0.0.1 ${hostname}\n`);
  const script = 'mount --bind "$0" /etc/hosts && exec "$@"';
  const within = ['unshare', '--map-root-user', '--mount', 'sh', '-c', script, hosts];
  const [program, ...args] = within;
  return spawnSync(program!, [...args, 'true']).status === 0 ? within : [];
}
