import { createHash, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ClusterStartError } from './errors.js';

export function sha256(binary: Uint8Array): string {
  return createHash('sha256').update(binary).digest('hex');
}

/** Writes a file in one step: when two processes fetch at once, neither may read an incomplete file. */
export async function writeAtomically(path: string, binary: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${randomUUID()}`;
  try {
    await writeFile(temporary, binary);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

/** A new folder for a cluster's files. @throws ClusterStartError when the system's folder for temporary files cannot be used */
export async function clusterFolder(kind: string): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), `curvekit-${kind}-`));
  } catch (cause) {
    const { message } = cause as Error;
    throw new ClusterStartError(
      `${tmpdir()} cannot be written (${message}): set TMPDIR to a folder that you can write`,
      { cause },
    );
  }
}
