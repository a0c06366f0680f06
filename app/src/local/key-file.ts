// A wallet of the local launchpad. Its key file is created once and never overwritten.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Keypair } from '@solana/web3.js';

export interface LocalWallet {
  readonly keypair: Keypair;
  /** Absolute path of the keypair file, in the format of `solana-keygen`. */
  readonly file: string;
}

/** A key file of the local launchpad cannot be read or written. The message says what to do. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

/** Reads the wallet of a folder, or creates it. @throws KeyFileError when its file has no valid keypair */
export async function localWallet(folder: string, name: string): Promise<LocalWallet> {
  const file = resolve(join(folder, `${name}.json`));
  await mkdir(folder, { recursive: true });
  const keypair = Keypair.generate();
  try {
    await writeFile(file, JSON.stringify([...keypair.secretKey]), { mode: 0o600, flag: 'wx' });
    return { keypair, file };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return { keypair: await readKeypair(file), file };
  }
}

async function readKeypair(file: string): Promise<Keypair> {
  const text = await readFile(file, 'utf8');
  try {
    return Keypair.fromSecretKey(Uint8Array.from(JSON.parse(text) as number[]));
  } catch (cause) {
    throw new KeyFileError(`${file} holds no keypair: move it away, and another one is made`, { cause });
  }
}
