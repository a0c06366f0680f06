// Secrets in files, as containers and systemd hand them over: DATABASE_URL_FILE is the path of a file with the value of
// DATABASE_URL. Keys have no such variable, since theirs take a path.
import { readFileSync } from 'node:fs';
import { decodeText } from './files.js';
import type { ConfigProblem } from './errors.js';
import { fileVariable, SECRETS } from './settings.js';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment with the contents of the named files. A problem never quotes the content. */
export function withFiles(environment: Environment): {
  readonly environment: Environment;
  readonly problems: ConfigProblem[];
} {
  const found: Record<string, string> = {};
  const problems: ConfigProblem[] = [];
  for (const name of SECRETS) {
    const variable = fileVariable(name);
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
