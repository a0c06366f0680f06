// Secrets in files, as containers and systemd hand them over: DATABASE_URL_FILE is the path of a file with the value of
// DATABASE_URL. Keys have no such variable, since theirs take a path.
import { readFileSync } from 'node:fs';
import { decodeText } from './decode-text.js';
import type { ConfigProblem } from './errors.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables whose value can hold a password or a node's key. */
const SECRETS = [
  'DATABASE_URL',
  'DATABASE_REPLICA_URLS',
  'REDIS_URL',
  'RPC_URL',
  'WS_URL',
  'YELLOWSTONE_URL',
  'YELLOWSTONE_TOKEN',
  'SOL_PRICE_URL',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const;
const fileOf = (name: string): string => `${name}_FILE`;

export const FILE_VARIABLES: readonly string[] = SECRETS.map(fileOf);

/** The environment with the contents of the named files. A problem never quotes the content. */
export function withFiles(environment: Environment): {
  readonly environment: Environment;
  readonly problems: readonly ConfigProblem[];
} {
  const found: Record<string, string> = {};
  const problems: ConfigProblem[] = [];
  for (const name of SECRETS) {
    const variable = fileOf(name);
    const path = environment[variable]?.trim() ?? '';
    if (path === '') continue;
    if ((environment[name] ?? '').trim() !== '') {
      problems.push({ variable, problem: `is set beside ${name}; set one of them` });
      continue;
    }
    try {
      found[name] = decodeText(readFileSync(path)).trim();
      if (found[name] === '') problems.push({ variable, problem: `names ${path}, which is empty` });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      problems.push({ variable, problem: `names ${path}, which cannot be read (${code})` });
    }
  }
  return { environment: { ...environment, ...found }, problems };
}
