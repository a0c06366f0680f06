import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { TOKEN_METADATA_PROGRAM_ADDRESS } from '@curvekit/sdk';
import { PUBLIC_CLUSTER, readDeployedProgram, withoutRoom } from './deployed-program.js';

type Log = (line: string) => void;

/** A published crate that contains the binary as a test fixture. */
const CRATE = {
  name: 'spl-single-pool',
  version: '6.0.1',
  file: 'tests/fixtures/mpl_token_metadata.so',
} as const;

const CARGO_TIMEOUT_MS = 300_000;
const CARGO_OUTPUT_BYTES = 128 * 1024 * 1024;

/**
 * Copies the binary from the crate. cargo downloads the crate if necessary, and reports its folder, which depends on
 * CARGO_HOME, vendored sources and mirrors.
 */
export async function readFromCargo(cargo: string, log: Log): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'curvekit-fixture-'));
  try {
    const manifest = join(folder, 'Cargo.toml');
    await writeFile(manifest, throwAwayManifest());
    await writeFile(join(folder, 'lib.rs'), '');
    log(`metaplex: asking ${cargo} for the crate ${CRATE.name} ${CRATE.version}`);
    const root = await crateFolder(cargo, manifest);
    log(`metaplex: reading ${CRATE.file} of ${root}`);
    return await readFile(join(root, CRATE.file));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function throwAwayManifest(): string {
  return [
    '[package]\nname = "fixture"\nversion = "0.0.0"\nedition = "2021"\n[lib]\npath = "lib.rs"\n[workspace]',
    `[dependencies]\n${CRATE.name} = { version = "=${CRATE.version}", default-features = false }\n`,
  ].join('\n');
}

interface CargoMetadata {
  readonly packages: readonly { readonly name: string; readonly manifest_path: string }[];
}

async function crateFolder(cargo: string, manifest: string): Promise<string> {
  const args = ['metadata', '--quiet', '--format-version', '1', '--manifest-path', manifest];
  const { stdout } = await promisify(execFile)(cargo, args, {
    timeout: CARGO_TIMEOUT_MS,
    maxBuffer: CARGO_OUTPUT_BYTES,
  }).catch((error: NodeJS.ErrnoException & { stderr?: string }) => {
    if (error.code === 'ENOENT') throw new Error(`${cargo} is not on PATH`);
    throw new Error(`cargo metadata failed: ${(error.stderr ?? error.message).trim()}`);
  });
  const { packages } = JSON.parse(stdout) as CargoMetadata;
  const found = packages.find(({ name }) => name === CRATE.name);
  if (found === undefined) throw new Error(`cargo metadata does not list ${CRATE.name}`);
  return dirname(found.manifest_path);
}

/** Reads the first `length` bytes of the deployed program. All bytes after them must be zero. */
export async function readFromCluster(rpcUrl: string | undefined, length: number, log: Log): Promise<Buffer> {
  const url = rpcUrl ?? PUBLIC_CLUSTER;
  log(`metaplex: reading program ${TOKEN_METADATA_PROGRAM_ADDRESS.toBase58()} from ${url}`);
  const binary = withoutRoom(await readDeployedProgram(url, TOKEN_METADATA_PROGRAM_ADDRESS), length);
  if (binary === undefined)
    throw new Error(`${url} runs a newer program, longer than the ${length} bytes of the one wanted`);
  return binary;
}
