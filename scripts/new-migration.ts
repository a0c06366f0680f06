/** `npm run db:migration -w app -- NAME`: begins the next numbered migration of app/database. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export interface Journal {
  readonly entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[];
}

const FOLDER = new URL('../app/database/', import.meta.url);
const JOURNAL = new URL('meta/_journal.json', FOLDER);

const [name] = process.argv.slice(2);
if (name === undefined || !/^[a-z][a-z0-9_]*$/.test(name)) {
  console.error(
    'usage: npm run db:migration -w app -- NAME, in lower case with underscores, as in late_fees',
  );
  process.exit(2);
}
const journal = JSON.parse(readFileSync(JOURNAL, 'utf8')) as Journal;
const idx = journal.entries.length;
const tag = `${String(idx).padStart(4, '0')}_${name}`;
const file = new URL(`${tag}.sql`, FOLDER);
if (!existsSync(file)) writeFileSync(file, '');
// A database applies the migrations that are newer than its last one.
const when = Math.max(Date.now(), (journal.entries.at(-1)?.when ?? 0) + 1);
journal.entries.push({ idx, version: '7', when, tag, breakpoints: true });
writeFileSync(JOURNAL, `${JSON.stringify(journal, undefined, 2)}\n`);
console.log(`${fileURLToPath(file)}: write its statements, with "--> statement-breakpoint" after each but the last.
What tables and columns mean stands in app/database/comments. Then run npm run db:schema -w app.`);
