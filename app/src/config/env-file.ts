// Reads a .env file as any editor saves it: Notepad and PowerShell write byte order marks, UTF-16 and CRLF.
import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { decodeText } from './decode-text.js';

/** The variables of a file's content. */
export function envFileVariables(bytes: Uint8Array): Record<string, string> {
  // Files that were put together from others have marks inside, too.
  const text = decodeText(bytes).replaceAll('\uFEFF', '').replaceAll(/\r\n?/g, '\n');
  return parseEnv(text) as Record<string, string>;
}

/** Adds the variables of a file. Variables that are already set override the file. */
export function loadEnvFile(path: string, environment: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(envFileVariables(readFileSync(path))))
    environment[name] ??= value;
}
