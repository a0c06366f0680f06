// Keeps the program that each launchpad named first, as ssh keeps the keys of hosts.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PublicKey } from '@solana/web3.js';
import { CommandError } from './errors.js';
import type { Terminal } from './terminal.js';

/** Programs in base58, by the launchpad's URL. */
type Known = Readonly<Record<string, string>>;

/**
 * Compares the program that a launchpad names with the one that it named first, and keeps the first one.
 *
 * @param isConfirmed whether the user named the program: then it takes the place of the first one
 * @throws CommandError when the launchpad names another program
 */
export function keepProgram(
  { environment, err }: Pick<Terminal, 'environment' | 'err'>,
  launchpadUrl: string,
  programId: PublicKey,
  isConfirmed: boolean,
): void {
  const file = join(configFolder(environment), 'launchpads.json');
  const { origin, pathname } = new URL(launchpadUrl);
  const key = origin + pathname.replace(/\/+$/, '');
  const known = knownIn(file);
  const [named, first] = [programId.toBase58(), known[key]];
  if (named === first) return;
  if (first !== undefined && !isConfirmed)
    throw new CommandError(
      `${key} named program ${first} before and names ${named} now, which can take what your wallet holds; nothing was signed. If its operator has told you of the new program, add --program ${named}`,
    );
  try {
    write(file, { ...known, [key]: named });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    err(
      `${file} cannot be written (${code}), so ${key} may name another program next time; give --program ${named}`,
    );
  }
}

/** Where this program keeps its files. */
export function configFolder({ XDG_CONFIG_HOME, HOME }: Terminal['environment']): string {
  return join(XDG_CONFIG_HOME || join(HOME || homedir(), '.config'), 'curvekit-trade');
}

/** @throws CommandError for a file that cannot be read, because then no program can be compared */
function knownIn(file: string): Known {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return {};
    throw new CommandError(`${file} cannot be read (${code}); check its permissions`);
  }
  try {
    return Object(JSON.parse(text)) as Known;
  } catch {
    throw new CommandError(`${file} is not JSON; correct or remove it`);
  }
}

/** Renamed into place: commands may run at the same time. */
function write(file: string, known: Known): void {
  const part = `${file}.${process.pid}`;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(part, `${JSON.stringify(known, null, 2)}\n`);
  renameSync(part, file);
}
