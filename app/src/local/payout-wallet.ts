// The wallet that receives the rewards of the local launchpad's partner. Its key file is created once and never
// overwritten.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Keypair } from '@solana/web3.js';

export interface PayoutWallet {
  readonly keypair: Keypair;
  /** The keypair file, in the format of `solana-keygen`. */
  readonly file: string;
}

/** The key file of the payout wallet cannot be read. The message says what to do. */
export class PayoutWalletError extends Error {
  override readonly name = 'PayoutWalletError';
}

/** Reads the payout wallet of a folder, or creates it. @throws PayoutWalletError when its file has no valid keypair */
export async function payoutWallet(folder: string): Promise<PayoutWallet> {
  const file = join(folder, 'payout-wallet.json');
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
    throw new PayoutWalletError(`${file} holds no keypair: move it away, and another one is made`, { cause });
  }
}
