// What another terminal needs to use the local launchpad, as a file for `source`.
import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { unwritable } from './errors.js';

/** Variables of `curvekit-trade`, the examples and the READMEs. */
export interface ShellVariables {
  readonly LAUNCHPAD_URL: string;
  /** Key file of a wallet that has SOL. */
  readonly KEYPAIR: string;
  /** Its address. */
  readonly WALLET: string;
  /** Key file of the partner's payout wallet, which has rewards and no SOL. */
  readonly PAYOUT_KEYPAIR: string;
  /** The partner's key. */
  readonly API_KEY: string;
  /** A token on its curve. */
  readonly MINT: string;
  /** For programs that speak to a node themselves. It changes at each start. */
  readonly RPC_URL: string;
  readonly WS_URL: string;
}

/**
 * Writes the file, readable by its owner only. @returns its path from the working directory
 * @throws LocalFileError when it cannot be written
 */
export async function writeShellFile(folder: string, variables: ShellVariables): Promise<string> {
  const file = join(folder, 'env');
  const lines = Object.entries<string>({ ...variables }).map(
    ([name, value]) => `export ${name}=${quoted(value)}\n`,
  );
  // Whole, also for a shell that reads it now.
  const temporary = `${file}.${randomUUID()}`;
  try {
    await writeFile(temporary, lines.join(''), { mode: 0o600 });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw unwritable(folder, error as Error);
  }
  return relative(process.cwd(), file);
}

/** A word that a shell reads as it is. */
function quoted(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
