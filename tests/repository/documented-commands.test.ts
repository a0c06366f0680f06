// Each `curvekit …` in the documents is a command that exists, with options that it has.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { runCommand } from '#tests/service/cli.js';

const helps = new Map<string, Promise<string | undefined>>();

/** Help of a command of `curvekit`; undefined when there is no such command. */
function helpOf(...path: readonly string[]): Promise<string | undefined> {
  const name = path.join(' ');
  const found = helps.get(name) ?? read(name);
  helps.set(name, found);
  return found;
}

async function read(name: string): Promise<string | undefined> {
  const { exitCode, out } = await runCommand([...name.split(' '), '--help']);
  return exitCode === 0 && out.startsWith(`Usage: curvekit ${name} `) ? out : undefined;
}

const DOCS = fileURLToPath(new URL('../../docs', import.meta.url));
/** After a backtick, a variable or at the beginning of a line. */
const COMMAND = /(?:^|[`\s])curvekit ((?:[a-z][a-z-]* ?)+)([^`\n|]*)/gm;

/** The memo of a settlement begins like a command. */
const MEMO = 'settlement ';

/** What is wrong with a command as written; undefined when nothing is. */
async function problemOf(words: readonly string[], rest: string): Promise<string | undefined> {
  const [group, name] = words;
  const long = name === undefined ? undefined : await helpOf(group!, name);
  const help = long ?? (await helpOf(group!));
  if (help === undefined) return `curvekit ${words.join(' ')}: no such command`;
  const options = [...rest.replace(/#.*$/, '').matchAll(/(?<=^|\s|\[)--[a-z-]+/g)].map(String);
  const unknown = options.filter((option) => !new RegExp(`${option}[ ,\n]`).test(help));
  return unknown.length === 0 ? undefined : `curvekit ${words.join(' ')}: no ${unknown.join(', ')}`;
}

const commandsIn = (text: string) =>
  [...text.matchAll(COMMAND)]
    .map(([, words = '', rest = '']) => ({ words, rest }))
    .filter(({ words }) => words !== MEMO);

describe('the commands in the documents', () => {
  for (const file of readdirSync(DOCS).filter((name) => name.endsWith('.md'))) {
    const inCode = [...readFileSync(join(DOCS, file), 'utf8').matchAll(/```[\s\S]*?```|`[^`]+`/g)].join('\n');
    const commands = commandsIn(inCode);
    if (commands.length === 0) continue;
    it(`exist in ${file}`, async () => {
      const problems = await Promise.all(
        commands.map(({ words, rest }) => problemOf(words.trim().split(' '), rest)),
      );
      expect(problems.filter((problem) => problem !== undefined)).to.deep.equal([]);
    });
  }

  it('are not taken for right when the command or its option does not exist', async () => {
    expect(await problemOf(['keys', 'list'], '')).to.contain('no such command');
    expect(await problemOf(['key', 'rotate'], 'ID --overlapping 7d')).to.contain('no --overlapping');
    expect(await problemOf(['key', 'rotate'], 'ID --overlap 7d')).to.equal(undefined);
  });
});
