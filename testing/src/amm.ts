import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AMM_FIXTURE } from './amm-fixture.js';
import { cacheFolder } from './artifacts.js';
import { PUBLIC_CLUSTER, readDeployedProgram, withoutRoom } from './deployed-program.js';
import { AmmUnavailableError } from './errors.js';
import { sha256, writeAtomically } from './files.js';

const { name: NAME, programId, file, variable, builds } = AMM_FIXTURE;

/** The versions of the AMM with a known hash. */
export const AMM_VERSIONS: readonly string[] = builds.map(({ version }) => version);

export interface AmmOptions {
  /** One of `AMM_VERSIONS`. Default: the first version that is available. */
  readonly version?: string | undefined;
  /** Folder of the binaries. Default: `.cache` of the source tree, or the user's cache folder. */
  readonly folder?: string;
  /** The cluster from which to read the deployed program. Default: the public RPC node of mainnet. */
  readonly rpcUrl?: string;
  /** Receives one line for each step. */
  readonly log?: (line: string) => void;
}

export interface AmmBinary {
  readonly path: string;
  readonly sha256: string;
  /** Undefined for a binary with an unknown hash. */
  readonly version: string | undefined;
  readonly source: 'environment' | 'cache' | 'cluster';
}

/**
 * Makes the AMM's binary available as a file. Without `version` it uses the file in `CURVEKIT_CPMM_SO` unchecked, if
 * set. Otherwise it takes a binary with a known SHA-256 from the cache or from the program's account on a public
 * cluster.
 *
 * @throws AmmUnavailableError when all sources fail. The message lists what was tried and what to do.
 */
export async function ensureAmmProgram(options: AmmOptions = {}): Promise<AmmBinary> {
  const { version, folder = cacheFolder(), rpcUrl = PUBLIC_CLUSTER, log = () => undefined } = options;
  const named = process.env[variable] ?? '';
  if (version === undefined && named !== '') return fromEnvironment(named, log);

  const wanted = builds.filter((build) => version === undefined || build.version === version);
  const pathOf = (build: (typeof builds)[number]) => join(folder, `${file}.${build.version}.so`);
  const problems: string[] = [];
  for (const build of wanted) {
    const path = pathOf(build);
    const cached = await readFile(path).catch(() => undefined);
    if (cached !== undefined && sha256(cached) === build.sha256) {
      log(`amm: ${path} is there, SHA-256 verified`);
      return { path, sha256: build.sha256, version: build.version, source: 'cache' };
    }
    problems.push(`cache: ${path} ${cached === undefined ? 'is not there' : 'has another SHA-256'}`);
  }

  try {
    log(`amm: reading program ${programId.toBase58()} from ${rpcUrl}`);
    const deployed = await readDeployedProgram(rpcUrl, programId);
    for (const build of wanted) {
      const binary = withoutRoom(deployed, build.bytes);
      if (binary === undefined || sha256(binary) !== build.sha256) continue;
      const path = pathOf(build);
      await writeAtomically(path, binary);
      log(`amm: wrote ${path}, SHA-256 verified`);
      return { path, sha256: build.sha256, version: build.version, source: 'cluster' };
    }
    problems.push(
      `cluster: ${rpcUrl} runs another program than ${wanted.map((build) => build.version).join(', ')}`,
    );
  } catch (error) {
    problems.push(`cluster: ${(error as Error).message}`);
  }
  throw new AmmUnavailableError(
    `no source has the program of ${NAME}:\n${problems.map((problem) => `- ${problem}`).join('\n')}\n` +
      `Put a file with the SHA-256 ${wanted.map((build) => build.sha256).join(' or ')} at its path above, or set ${variable}`,
  );
}

async function fromEnvironment(path: string, log: (line: string) => void): Promise<AmmBinary> {
  const binary = await readFile(path).catch((cause: unknown) => {
    throw new AmmUnavailableError(`${variable}: ${path} cannot be read; check the path`, { cause });
  });
  const hash = sha256(binary);
  log(`amm: ${path}, named by ${variable}, SHA-256 ${hash}`);
  const version = builds.find((build) => build.sha256 === hash)?.version;
  return { path, sha256: hash, version, source: 'environment' };
}
