// The packages as published: built, packed, and installed into an empty project.
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PROGRAM_ADDRESS } from '@curvekit/sdk';
import { temporaryFolder } from '#tests/process/temporary-folder.js';
import { ROOT, run } from '#tests/process/run.js';
export { ROOT, run } from '#tests/process/run.js';

/** The packages, installed into an empty project once per process. */
interface Consumer {
  readonly project: string;
  readonly installed: string;
  readonly testing: string;
  readonly tarball: Uint8Array<ArrayBuffer>;
  readonly testingTarball: Uint8Array<ArrayBuffer>;
}

let installing: Promise<Consumer> | undefined;
let consumer: Consumer | undefined;

/** The installed packages; call it only inside hooks and tests. */
export function packed(): Consumer {
  if (consumer === undefined) throw new Error('the packages are installed inside hooks and tests only');
  return consumer;
}

/** Builds, packs and installs the packages before the tests of the surrounding `describe`. */
export function usePackages(): void {
  before('build, pack and install the packages', async () => {
    consumer = await (installing ??= installPackages());
  });
}

async function installPackages(): Promise<Consumer> {
  const project = temporaryFolder('consumer');
  const workspaces = ['--workspace', 'sdk', '--workspace', 'testing'];
  await run('npm', ['pack', ...workspaces, '--pack-destination', project], { cwd: ROOT });
  const [installed, tarball] = await install(project, 'sdk');
  const [testing, testingTarball] = await install(project, 'testing');
  for (const folder of [installed, testing]) {
    const { dependencies, peerDependencies, optionalDependencies } = await readManifest(folder);
    const names = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });
    for (const name of names) if (name !== '@curvekit/sdk') await link(project, name);
  }
  await link(project, '@types/node');
  return { project, installed, testing, tarball, testingTarball };
}

/** The modules that the main entry may import at run time, besides its own. */
export const RUNTIME_IMPORTS = ['@solana/web3.js', 'buffer'];

/** What a minimal dApp imports: an address, a quote and the instructions for it. */
export const USED = 'buy, curveAddress, InvalidArgumentError, quoteBuy';
export const EXPECTED = {
  tokenOut: '34277831558567',
  programs: ['ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL', PROGRAM_ADDRESS.toBase58()],
  dataBytes: [1, 26],
};

/** Unpacks the tarball of `npm pack`. @returns the folder and the tarball */
async function install(project: string, name: string): Promise<[string, Uint8Array<ArrayBuffer>]> {
  const file = (await readdir(project)).find((found) => found.startsWith(`curvekit-${name}-`));
  assert(file !== undefined, `npm pack wrote no package ${name}`);
  const folder = join(project, 'node_modules', '@curvekit', name);
  await mkdir(folder, { recursive: true });
  await run('tar', ['-xzf', join(project, file), '-C', folder, '--strip-components', '1']);
  return [folder, new Uint8Array(await readFile(join(project, file)))];
}

async function link(project: string, name: string, version = name): Promise<void> {
  const nested = join(ROOT, 'sdk', 'node_modules', version);
  const target = existsSync(nested) ? nested : join(ROOT, 'node_modules', version);
  // An optional package is installed only on its own platform.
  if (!existsSync(target)) return;
  const path = join(project, 'node_modules', name);
  await mkdir(dirname(path), { recursive: true });
  await rm(path, { recursive: true, force: true });
  await symlink(target, path);
}

/** The installed TypeScript of each major that dApps use: 5 and 7. */
export type Compiler = 'typescript' | 'typescript-native';

/** Type-checks the project by its tsconfig.json. @returns what the compiler prints, nothing when all is well */
export async function typeErrors(compiler: Compiler): Promise<string> {
  const tsc = join(ROOT, 'node_modules', compiler, 'bin', 'tsc');
  return run(process.execPath, [tsc, '-p', packed().project]).then(
    () => '',
    (error: { stdout: string; message: string }) => error.stdout || error.message,
  );
}

/** Runs `work` with the oldest web3.js that the package supports. */
export async function withOldestPeer<T>(work: () => Promise<T>): Promise<T> {
  await link(packed().project, '@solana/web3.js', 'web3-oldest');
  try {
    return await work();
  } finally {
    await link(packed().project, '@solana/web3.js');
  }
}

/** Runs `work` on the current major of Kit, without web3.js. */
export async function withKitAlone<T>(work: () => Promise<T>): Promise<T> {
  await link(packed().project, '@solana/kit', 'kit-current');
  await rm(join(packed().project, 'node_modules', '@solana', 'web3.js'));
  try {
    return await work();
  } finally {
    await link(packed().project, '@solana/kit');
    await link(packed().project, '@solana/web3.js');
  }
}

/** Runs `work` without web3.js and without Kit. */
export async function withoutLibraries<T>(work: () => Promise<T>): Promise<T> {
  const libraries = ['@solana/kit', '@solana/web3.js'];
  for (const name of libraries) await rm(join(packed().project, 'node_modules', name));
  try {
    return await work();
  } finally {
    for (const name of libraries) await link(packed().project, name);
  }
}

export async function readManifest(folder = packed().installed) {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
    exports: Record<string, unknown>;
    dependencies?: Record<string, string>;
    peerDependencies: Record<string, string>;
    optionalDependencies?: Record<string, string>;
  };
}

/** Writes a script into the project and runs it with `node`. @returns its output, parsed as JSON */
export async function runScript(name: string, code: string, node = process.execPath): Promise<unknown> {
  await writeFile(join(packed().project, name), code);
  const { stdout } = await run(node, [name], { cwd: packed().project });
  return JSON.parse(stdout);
}

/** The esbuild options for a page of the project. */
export function browser(contents: string) {
  return {
    stdin: { contents, resolveDir: packed().project },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    logLevel: 'silent',
  } as const;
}
