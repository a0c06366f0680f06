// Writes generated files, or lists the files on disk that differ.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as prettier from 'prettier';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Files of a folder by name, formatted with the repository's prettier settings. */
export async function formatted(files: Readonly<Record<string, string>>): Promise<Map<string, string>> {
  const options = await prettier.resolveConfig(join(ROOT, 'package.json'));
  const texts = new Map<string, string>();
  for (const [filepath, text] of Object.entries(files))
    texts.set(filepath, await prettier.format(text, { ...options, filepath }));
  return texts;
}

/** Names of the files in a folder that differ from the wanted ones. Ignores subfolders. */
export function differences(folder: string, wanted: ReadonlyMap<string, string>): string[] {
  const present = filesIn(join(ROOT, folder));
  const names = [...new Set([...wanted.keys(), ...present.keys()])].sort();
  return names.filter((name) => wanted.get(name) !== present.get(name));
}

/** Writes the files and deletes all others in the folder. With `--check` it only fails on a difference. */
export async function writeOrCheck(
  folder: string,
  source: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const wanted = await formatted(files);
  const stale = differences(folder, wanted);
  if (process.argv.includes('--check')) {
    for (const name of stale) console.error(`${join(folder, name)} differs from what ${source} says`);
    if (stale.length > 0) {
      console.error('Run `npm run generate:sdk` and commit the result.');
      process.exitCode = 1;
    }
    return;
  }
  for (const name of stale) {
    const path = join(ROOT, folder, name);
    const text = wanted.get(name);
    if (text === undefined) rmSync(path);
    else writeFileSync(path, text);
  }
  console.log(`${relative(ROOT, join(ROOT, folder))}: ${wanted.size} files, ${stale.length} changed`);
}

function filesIn(folder: string): Map<string, string> {
  mkdirSync(folder, { recursive: true });
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(files.map(({ name }) => [name, readFileSync(join(folder, name), 'utf8')]));
}
