import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const made: string[] = [];

/** A new empty folder, which is removed when the process ends. */
export function temporaryFolder(name: string): string {
  if (made.length === 0)
    process.once('exit', () => made.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
  const folder = mkdtempSync(join(tmpdir(), `curvekit-${name}-`));
  made.push(folder);
  return folder;
}
