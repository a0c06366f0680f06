// Writes .env.example from the table of settings.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileVariable, SECRETS, SECTIONS } from '#app/config/settings.js';

const FILE = new URL('../../.env.example', import.meta.url);
const WIDTH = 120;
const SECRET_FILES = SECRETS.map(fileVariable);
const ABOUT = `Every variable of the service. All are optional: without any of them \`curvekit start\` works against a local
validator with a database in a folder. A commented line shows the default or an example. What can hold a password can be in a
file: ${SECRET_FILES.slice(0, -1).join(', ')} and ${SECRET_FILES.at(-1)} name files with these values.`;

function comment(text: string): string[] {
  const lines = text.replaceAll(/\s+/g, ' ').match(/\S.{0,116}\S(?=\s|$)|\S+/g) ?? [];
  return lines.map((line) => `# ${line}`);
}

function shown(fallback: unknown): string {
  if (typeof fallback === 'boolean') return fallback ? 'on' : 'off';
  return ((fallback ?? '') as string | number | bigint | readonly string[]).toString();
}

const sections = Object.entries(SECTIONS).map(([title, settings]) => [
  '',
  `# --- ${title} ${'-'.repeat(WIDTH - title.length - 7)}`,
  ...Object.entries(settings).flatMap(([name, { about, example, fallback }]) => [
    ...comment(about),
    `# ${name}=${example ?? shown(fallback)}`,
  ]),
]);
const text = `${[...comment(ABOUT), ...sections.flat()].join('\n')}\n`;
if (!process.argv.includes('--check')) writeFileSync(FILE, text);
else if (readFileSync(FILE, 'utf8') !== text) {
  console.error('.env.example differs from the settings. Run `npm run generate:sdk` and commit the result.');
  process.exitCode = 1;
}
