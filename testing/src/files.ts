import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

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
