import { readFileSync } from 'node:fs';
import { UsageError } from '../command-line.js';

/** The names of the alterations that a run with `--json` has tried. None without a file. @throws UsageError */
export function triedIn(file: string | undefined): ReadonlySet<string> {
  if (file === undefined) return new Set();
  try {
    // An interrupted run can have written a part of its last line.
    const lines = readFileSync(file, 'utf8').match(/^\{.*\}$/gm) ?? [];
    return new Set(lines.map((line) => (JSON.parse(line) as { readonly name: string }).name));
  } catch (error) {
    throw new UsageError(`--except is '${file}', which has no lines of JSON: ${String(error)}`, {
      cause: error,
    });
  }
}
