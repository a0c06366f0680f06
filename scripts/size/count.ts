/** Counts the hand-written lines of the repository, by room and kind. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

export type Kind = 'product' | 'tests' | 'tools' | 'prose';
/** Lines by room, such as `app/src/claims`, and kind. */
export type Lines = Readonly<Record<string, Partial<Record<Kind, number>>>>;

/** Locked, generated, recorded or drawn. */
const NOT_WRITTEN = [
  /(^|\/)(package-lock\.json|Cargo\.lock|LICENSE)$/,
  /(^|\/)generated\//,
  /^\.env\.example$/,
  /^programs\/(artifacts|keys)\//,
  /\.(svg|png|webp|ico|so|xz|gz|tar|snap)$/,
  /^app\/database\/(schema\.sql|0000_tables\.sql)$/,
  /^sdk\/(api\.txt|src\/idl\.ts)$/,
  /^trade\/schemas\.json$/,
  /^crates\/.*\/fixtures\//,
];
const TESTS = /^tests\/|\/tests?\/|\/tests?\.rs$|\.test\.tsx?$/;
const TOOLS = /^(scripts|proofs|deploy|examples|findings|\.ci|\.changeset)\//;
/** Folders whose own folders are rooms. The others are one room each. */
const OF_ROOMS = [
  'app/src',
  'sdk/src',
  'web/src',
  'programs',
  'crates',
  'tests',
  'tests/service',
  'tests/support',
  'docs',
  'scripts',
];

export function countLines(): Lines {
  const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const rooms: Record<string, Partial<Record<Kind, number>>> = {};
  for (const path of files.split('\0')) {
    if (path === '' || NOT_WRITTEN.some((pattern) => pattern.test(path))) continue;
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch {
      // Deleted in the working copy, and not committed yet.
      continue;
    }
    const room = (rooms[roomOf(path)] ??= {});
    const kind = kindOf(path);
    room[kind] = (room[kind] ?? 0) + text.split('\n').length - 1;
  }
  return rooms;
}

export function kindOf(path: string): Kind {
  if (path.endsWith('.md')) return 'prose';
  if (TESTS.test(path)) return 'tests';
  return TOOLS.test(path) ? 'tools' : 'product';
}

export function roomOf(path: string): string {
  const parts = path.split('/');
  if (parts.length === 1) return '.';
  const depth = Math.max(
    0,
    ...OF_ROOMS.filter((folder) => path.startsWith(`${folder}/`)).map((folder) => folder.split('/').length),
  );
  return parts.slice(0, Math.min(parts.length - 1, depth + 1)).join('/');
}
