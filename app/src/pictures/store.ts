// Where files are kept by the hash of their content. Another kind of store is another function that returns a `FileStore`.
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Config } from '../config/config.js';

export interface FileStore {
  /** Replaces a file of that name. A reader sees all of it, or none. */
  write(name: string, bytes: Uint8Array): Promise<void>;
  /** Undefined when there is none. */
  read(name: string): Promise<Buffer | undefined>;
  /** Also when there is none. */
  remove(name: string): Promise<void>;
}

/** The store as configured. */
export async function openStore({ folder, bucket }: Config['uploads']): Promise<FileStore> {
  if (bucket === undefined) return folderStore(folder);
  // Who keeps files in a folder does not load it.
  const { bucketStore } = await import('./s3-store.js');
  return bucketStore(bucket);
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
