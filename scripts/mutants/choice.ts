/** Which alterations a run tries. */
import { readFileSync } from 'node:fs';
import { UsageError, wholeNumber } from '../command-line.js';

interface Options {
  /** A text in the name. */
  readonly only: string;
  /** A part of a night's work: `K/N`. */
  readonly shard: string;
  /** A file with the output of a run with `--json` that was interrupted. */
  readonly except?: string;
}

/** Picks the alterations of this run from a list. @throws UsageError at once, before a list is made */
export function choice({
  only,
  shard,
  except,
}: Options): <T>(all: readonly T[], nameOf: (one: T) => string) => T[] {
  const [part, parts] = shardOf(shard);
  const tried = except === undefined ? new Set<string>() : triedIn(except);
  return (all, nameOf) =>
    all
      .filter((one) => nameOf(one).includes(only))
      .filter((_, index) => index % parts === part - 1)
      .filter((one) => !tried.has(nameOf(one)));
}

function shardOf(text: string): [part: number, parts: number] {
  const [, part = '', parts = ''] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  const of = wholeNumber('--shard', parts, 1, 1_000);
  return [wholeNumber('--shard', part, 1, of), of];
}

function triedIn(file: string): ReadonlySet<string> {
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
