// A wallet of the local launchpad. Its key file is created once and never overwritten.
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Keypair } from '@solana/web3.js';
import { LocalFileError, unwritable } from './errors.js';

export interface LocalWallet {
  readonly keypair: Keypair;
  /** Absolute path of the keypair file, in the format of `solana-keygen`. */
  readonly file: string;
}

/** Reads the wallet of a folder, or creates it. @throws LocalFileError when its file has no valid keypair */
export async function localWallet(folder: string, name: string): Promise<LocalWallet> {
  const path = join(folder, `${name}.json`);
  const file = resolve(path);
  const keypair = Keypair.generate();
  try {
    await mkdir(folder, { recursive: true });
    const isCreated = await createFile(file, JSON.stringify([...keypair.secretKey]));
    if (isCreated) return { keypair, file };
  } catch (error) {
    throw unwritable(folder, error as Error);
  }
  return { keypair: await readKeypair(path), file };
}

/** Creates a file with its complete content, so that a concurrent start reads no half of a key. False if it exists. */
async function createFile(file: string, content: string): Promise<boolean> {
  const options = { mode: 0o600, flag: 'wx' } as const;
  const temporary = `${file}.${randomUUID()}`;
  try {
    await writeFile(temporary, content, options);
    await link(temporary, file).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error;
      // Some file systems have no hard links.
      await writeFile(file, content, options);
    });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function readKeypair(file: string): Promise<Keypair> {
  const text = await readFile(file, 'utf8').catch((cause: Error) => {
    throw new LocalFileError(
      `${file} cannot be read (${cause.message}): make it readable, or move it away, and another one is made`,
      { cause },
    );
  });
  try {
    return Keypair.fromSecretKey(Uint8Array.from(JSON.parse(text) as number[]));
  } catch (cause) {
    throw new LocalFileError(`${file} holds no keypair: move it away, and another one is made`, { cause });
  }
}
