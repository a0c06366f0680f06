// Stores files by the hash of their content. A new kind of store is one more function that returns a `FileStore`.
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../../config/config.js';
import type { Peers } from '../../base/peers.js';

export interface FileStore {
  /** Writes or replaces a file atomically: readers never see a part of it. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Undefined when the file does not exist. */
  read(name: string): Promise<Buffer | undefined>;
  /** Does nothing when the file does not exist. */
  remove(name: string): Promise<void>;
}

export async function openStore({ folder, bucket }: Config['uploads'], peers?: Peers): Promise<FileStore> {
  if (bucket === undefined) return folderStore(folder);
  // Imported on demand: not needed when the store is a folder.
  const { bucketStore } = await import('./s3-store.js');
  return bucketStore(bucket, { peers });
}

/** Files in a folder, in subfolders by the first two digits of their names. */
export function folderStore(folder: string): FileStore {
  const pathOf = (name: string) => join(folder, name.slice(0, 2), name);
  return {
    write: async (name, bytes) => {
      const path = pathOf(name);
      await mkdir(dirname(path), { recursive: true });
      const unfinished = `${path}.${randomUUID()}`;
      await writeFile(unfinished, bytes);
      await rename(unfinished, path);
    },
    read: async (name) => {
      try {
        return await readFile(pathOf(name));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
        throw error;
      }
    },
    remove: (name) => rm(pathOf(name), { force: true }),
  };
}
