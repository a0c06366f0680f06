import { access, constants, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AMM_FIXTURE } from './amm-fixture.js';
import { cacheFolder, programBinary } from './artifacts.js';
import { PUBLIC_CLUSTER, readDeployedProgram, withoutRoom } from './deployed-program.js';
import { AmmUnavailableError } from './errors.js';
import { sha256, writeAtomically } from './files.js';

const { name: NAME, programId, file, variable, builds } = AMM_FIXTURE;

/** Marks that no node had the AMM, so that a machine without a route to a node asks only once. */
const NOT_FOUND = `${file}.not-found`;
/** How long the node may take for its first answer. */
const QUICK_ANSWER_MS = 2_000;
const PATIENT_ANSWER_MS = 30_000;
const LONGEST_PROBLEM = 400;

/** The versions of the AMM with a known hash. */
export const AMM_VERSIONS: readonly string[] = builds.map(({ version }) => version);

/** Where the AMM comes from, and what may be fetched. */
export interface AmmOptions {
  /** One of `AMM_VERSIONS`. Default: the first version that is available. */
  readonly version?: string | undefined;
  /** Folder of the binaries. Default: `.cache` of the source tree, or the user's cache folder. */
  readonly folder?: string;
  /** The cluster from which to read the deployed program. Default: the public RPC node of mainnet. */
  readonly rpcUrl?: string;
  /**
   * Whether to ask the cluster. `once` (the default) waits two seconds for an answer, and does not ask again after a
   * failure. `always` waits 30 seconds.
   */
  readonly fetch?: 'once' | 'always' | 'never';
  /** Receives one line for each step. */
  readonly log?: (line: string) => void;
}

/** The AMM's program. */
export interface AmmBinary {
  readonly path: string;
  readonly sha256: string;
  /** Undefined for the stand-in. */
  readonly version: string | undefined;
  readonly source: 'environment' | 'cache' | 'cluster' | 'stand-in';
}

/**
 * The AMM's program for a local cluster: Raydium's own, or else Curvekit's stand-in, which has the same interface and
 * the same amounts to the unit.
 *
 * @throws AmmUnavailableError when `CURVEKIT_CPMM_SO` names a file that is not a known build
 */
export async function ammForLocalCluster(options: Omit<AmmOptions, 'version'> = {}): Promise<AmmBinary> {
  const { log = () => undefined } = options;
  try {
    return await ensureAmmProgram(options);
  } catch (error) {
    if (!(error instanceof AmmUnavailableError) || error.isNamedFile) throw error;
    const standIn = await ammStandIn();
    log(`pools run on Curvekit's stand-in for ${NAME}; \`npm run fetch:fixtures\` gets the real one`);
    return standIn;
  }
}

/** Curvekit's stand-in for the AMM. */
export async function ammStandIn(): Promise<AmmBinary> {
  const path = programBinary('ammStandIn');
  return { path, sha256: sha256(await readFile(path)), version: undefined, source: 'stand-in' };
}

/**
 * Makes Raydium's own program available as a file. The sources in this order: the file in `CURVEKIT_CPMM_SO` (without
 * `version`), the cache, the program's account on a public cluster. Every binary must have a known SHA-256.
 *
 * @throws AmmUnavailableError when all sources fail. The message lists what was tried and what to do.
 */
export async function ensureAmmProgram(options: AmmOptions = {}): Promise<AmmBinary> {
  const { version, folder = cacheFolder(), log = () => undefined } = options;
  const named = process.env[variable] ?? '';
  if (version === undefined && named !== '') return fromEnvironment(named, log);

  const wanted = builds.filter((build) => version === undefined || build.version === version);
  const problems: string[] = [];
  for (const build of wanted) {
    const path = pathOf(folder, build);
    const cached = await readFile(path).catch(() => undefined);
    if (cached !== undefined && sha256(cached) === build.sha256) {
      log(`amm: ${path} is there, SHA-256 verified`);
      return { path, sha256: build.sha256, version: build.version, source: 'cache' };
    }
    if (cached !== undefined) log(`amm: ${path} has another SHA-256, ignored; delete it`);
    problems.push(`cache: ${path} ${cached === undefined ? 'is not there' : 'has another SHA-256'}`);
  }
  const found = await fromCluster(wanted, folder, options).catch((error: Error) => error);
  if (!(found instanceof Error)) return found;
  problems.push(`cluster: ${found.message}`);
  if (found instanceof FolderError) log(`amm: ${found.message}`);
  throw new AmmUnavailableError(
    `no source has the program of ${NAME}:\n${problems.map((problem) => `- ${problem}`).join('\n')}\n` +
      `Put a file with the SHA-256 ${wanted.map((build) => build.sha256).join(' or ')} at its path above, or set ${variable}`,
  );
}

type Build = (typeof builds)[number];

function pathOf(folder: string, { version }: Build): string {
  return join(folder, `${file}.${version}.so`);
}

/** The folder of the binaries cannot be written. */
class FolderError extends Error {
  constructor(folder: string, cause: unknown) {
    super(
      `${folder} cannot be written (${(cause as Error).message}); make the folder writable, or set ${variable}`,
      { cause },
    );
  }
}

async function fromCluster(
  wanted: readonly Build[],
  folder: string,
  { rpcUrl = PUBLIC_CLUSTER, fetch = 'once', log = () => undefined }: AmmOptions,
): Promise<AmmBinary> {
  if (fetch === 'never') throw new Error('not asked');
  const marker = join(folder, NOT_FOUND);
  if (fetch === 'once' && (await exists(marker)))
    throw new Error(`not asked again; delete ${marker} to ask again`);
  // Before the download: its binary could not be stored.
  await requireWritable(folder);
  try {
    const binary = await download(wanted, folder, rpcUrl, { fetch, log });
    await rm(marker, { force: true });
    return binary;
  } catch (error) {
    if (error instanceof FolderError) throw error;
    await write(folder, marker, Buffer.from('`npm run fetch:fixtures` asks again\n'));
    throw new Error(`${rpcUrl}: ${onOneLine((error as Error).message)}`, { cause: error });
  }
}

async function download(
  wanted: readonly Build[],
  folder: string,
  rpcUrl: string,
  { fetch, log }: Required<Pick<AmmOptions, 'fetch' | 'log'>>,
): Promise<AmmBinary> {
  log(`amm: reading program ${programId.toBase58()} from ${rpcUrl}`);
  const answerMs = fetch === 'always' ? PATIENT_ANSWER_MS : QUICK_ANSWER_MS;
  const deployed = await readDeployedProgram(rpcUrl, programId, { answerMs });
  for (const build of wanted) {
    const binary = withoutRoom(deployed, build.bytes);
    if (binary === undefined || sha256(binary) !== build.sha256) continue;
    const path = pathOf(folder, build);
    await write(folder, path, binary);
    log(`amm: wrote ${path}, SHA-256 verified`);
    return { path, sha256: build.sha256, version: build.version, source: 'cluster' };
  }
  throw new Error(`it runs another program than ${wanted.map((build) => build.version).join(', ')}`);
}

async function requireWritable(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
  } catch (cause) {
    throw new FolderError(folder, cause);
  }
}

async function write(folder: string, path: string, content: Uint8Array): Promise<void> {
  await writeAtomically(path, content).catch((cause: unknown) => {
    throw new FolderError(folder, cause);
  });
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** The error of an RPC node can contain a whole web page. */
function onOneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST_PROBLEM ? `${line.slice(0, LONGEST_PROBLEM)}…` : line;
}

async function fromEnvironment(path: string, log: (line: string) => void): Promise<AmmBinary> {
  const binary = await readFile(path).catch((cause: unknown) => {
    throw new AmmUnavailableError(`${variable}: ${path} cannot be read; check the path, or unset it`, {
      cause,
      isNamedFile: true,
    });
  });
  const hash = sha256(binary);
  const build = builds.find((known) => known.sha256 === hash);
  if (build === undefined) {
    const known = builds.map(({ version, sha256: expected }) => `${version} ${expected}`).join(', ');
    throw new AmmUnavailableError(
      `${variable}: ${path} (${binary.length} bytes, SHA-256 ${hash}) is not a known build of ${NAME} (${known}); name another file, or unset it`,
      { isNamedFile: true },
    );
  }
  log(`amm: ${path}, named by ${variable}, SHA-256 verified`);
  return { path, sha256: hash, version: build.version, source: 'environment' };
}
