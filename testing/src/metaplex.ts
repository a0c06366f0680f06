import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheFolder } from './artifacts.js';
import { MetaplexUnavailableError } from './errors.js';
import { sha256, writeAtomically } from './files.js';
import { readFromCargo, readFromCluster } from './metaplex-sources.js';

/** SHA-256 of the Metaplex Token Metadata binary for the tests. */
export const METAPLEX_SHA256 = 'ea92efaa367ed3e23adeff8f1caef602ecea5f824df1c96591c961a6cded5a41';

/** Its length in bytes. The account of a deployed program can be longer. */
export const METAPLEX_BYTES = 693_904;

const FILE_NAME = 'mpl_token_metadata.so';

/** Where the Metaplex Token Metadata program comes from. */
export interface MetaplexOptions {
  /** Folder of the binary. Default: `.cache` of the source tree, or the user's cache folder. */
  readonly folder?: string;
  /** Receives one line for each step. */
  readonly log?: (line: string) => void;
  /** The command to run cargo. Default: `cargo`. */
  readonly cargo?: string;
  /** The cluster from which to read the deployed program when cargo fails. Default: the public RPC node of mainnet. */
  readonly rpcUrl?: string;
}

/** The Metaplex Token Metadata program. */
export interface MetaplexBinary {
  readonly path: string;
  readonly sha256: string;
  readonly source: 'cache' | 'cargo' | 'cluster';
}

/**
 * Makes the Metaplex Token Metadata binary available as a file, and checks its SHA-256. The sources in this order: the
 * cache, a published crate that contains it as a test fixture (with cargo), the program's account on a public cluster.
 *
 * @throws MetaplexUnavailableError when all sources fail. The message lists what was tried and what to do.
 */
export async function ensureMetaplexProgram(options: MetaplexOptions = {}): Promise<MetaplexBinary> {
  const { folder = cacheFolder(), log = () => undefined, cargo = 'cargo', rpcUrl } = options;
  const path = join(folder, FILE_NAME);
  const cached = await readFile(path).catch(() => undefined);
  if (cached !== undefined) {
    if (isRight(cached)) {
      log(`metaplex: ${path} is there, SHA-256 verified`);
      return { path, sha256: METAPLEX_SHA256, source: 'cache' };
    }
    log(`metaplex: ${path} has another SHA-256, fetching it again`);
  }

  const problems: string[] = [];
  const sources = [
    { name: 'cargo', read: () => readFromCargo(cargo, log) },
    { name: 'cluster', read: () => readFromCluster(rpcUrl, METAPLEX_BYTES, log) },
  ] as const;
  for (const { name, read } of sources) {
    try {
      const binary = await read();
      if (!isRight(binary)) throw new Error(`it has SHA-256 ${sha256(binary)}, expected ${METAPLEX_SHA256}`);
      await writeAtomically(path, binary);
      log(`metaplex: wrote ${path}, SHA-256 verified`);
      return { path, sha256: METAPLEX_SHA256, source: name };
    } catch (error) {
      const problem = `${name}: ${(error as Error).message}`;
      log(`metaplex: ${problem}`);
      problems.push(problem);
    }
  }
  throw new MetaplexUnavailableError(
    `no source has the Metaplex Token Metadata binary:\n${problems.map((problem) => `- ${problem}`).join('\n')}\n` +
      `Install cargo, or put the file with SHA-256 ${METAPLEX_SHA256} at ${path}, or pass its path as metaplexSo`,
  );
}

function isRight(binary: Uint8Array): boolean {
  return binary.length === METAPLEX_BYTES && sha256(binary) === METAPLEX_SHA256;
}
