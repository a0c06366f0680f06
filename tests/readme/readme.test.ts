// Types every command of the pages into a terminal, in their order, as somebody who has just cloned the repository. Blocks
// of TypeScript are saved under the name in their first line, or run together with a driver that calls what they define.
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Shell } from '#tests/readme/shell.js';
import { arrive, type Newcomer } from '#tests/readme/newcomer.js';
import { ROOT } from '#tests/process/run.js';

// The code blocks of a Markdown page, in their order.

interface Block {
  /** `sh`, `ts`, …; empty without a language. */
  readonly language: string;
  readonly text: string;
}

function blocksOf(markdown: string): Block[] {
  return [...markdown.matchAll(/^```(\w*)\n([\s\S]*?)^```$/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }));
}

/** The commands of a block for the shell: its lines, without those that only comment. */
function commandsOf({ text }: Block): string[] {
  return text
    .split('\n')
    .map((line) => line.replace(/\s+#\s.*$/, '').trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

/** The file that a block is to be saved as: its first line is `// name.ts`. Undefined for other blocks. */
function fileNameOf({ language, text }: Block): string | undefined {
  return language === 'ts' ? /^\/\/ ((?:\.curvekit\/)?[\w-]+\.ts)\n/.exec(text)?.[1] : undefined;
}

/** A machine may be busy, and packages come over a network. */
const COMMAND_TIMEOUT_MS = 600_000;

const START = 'npm start';
/** Of packages that it installs, and of memory of all its processes, in MB. */
const MOST_INSTALLED = 240;
const MOST_RESIDENT = 430;
/** Sums the memory of the processes that `npm start` runs in this folder. */
const RESIDENT = `for process in /proc/[0-9]*; do [ "$(readlink $process/cwd)" = "$PWD" ] && tr '\\0' ' ' < $process/cmdline |
  grep -qE 'npm start|start --local|renameSync' && awk '/^VmRSS/ { print $2 }' $process/status; done 2>/dev/null |
  awk '{ all += $1 } END { print int(all * 1.024 / 1000) }'`;
/** What it says where no node has the AMM. */
const STAND_IN = /pools run on Curvekit's stand-in/;
/** Commands that run until they are stopped, and what they say when they are ready. */
const LASTING: readonly (readonly [RegExp, RegExp])[] = [
  [new RegExp(`^${START}$`), /Ctrl\+C stops everything/],
  [/^npx curvekit start$/, /"url"|listening/],
  [/examples\/bot\.ts/, /watching/],
  [/examples\/(partner-server|webhooks)\.ts/, /http:\/\//],
  [/--servedir/, /Local:/],
];
/** Commands that say at their end what became of it. */
const ENDINGS: readonly (readonly [RegExp, RegExp])[] = [
  [/tsx \.curvekit\/claim\.ts$/, /^paid [\d.]+ SOL/m],
  [/examples\/claim\.ts$/, /^SOL \d+ of /m],
];
/** This suite is a part of it. */
const TESTS = 'npm test';

describe('the pages, typed into a terminal of a machine with nothing on it', function () {
  this.timeout(COMMAND_TIMEOUT_MS);
  let newcomer: Newcomer;
  /** Changes that are not committed yet. */
  let found: string[];

  before('a fresh clone and an empty home', async () => {
    newcomer = await arrive();
    found = await newFiles();
  });
  after(() => newcomer?.leave());

  page('README.md');
  page('examples/README.md');
  page('trade/README.md');
  page('sdk/README.md', { drivenBy: 'sdk-driver.ts', in: '../my-app' });
  page('testing/README.md', { drivenBy: undefined, in: '../my-tests' });
  page('docs/run.md');

  describe('after all of it', () => {
    it('the clone has nothing new', async () => {
      const added = (await newFiles()).filter((path) => !found.includes(path));
      expect(added).to.deep.equal([]);
    });
  });

  async function newFiles(): Promise<string[]> {
    const { output } = await newcomer.terminal().run('git ls-files --modified --others --exclude-standard');
    return output.trim().split('\n').sort();
  }

  /** @param snippets what runs the page's other blocks of TypeScript: after its commands, in this folder of the clone */
  function page(
    path: string,
    snippets?: { readonly drivenBy: string | undefined; readonly in: string },
  ): void {
    describe(path, () => {
      let shell: Shell;
      before('a terminal', () => (shell = newcomer.terminal()));
      const blocks = blocksOf(readFileSync(join(ROOT, path), 'utf8'));
      for (const block of blocks) {
        const file = fileNameOf(block);
        if (file !== undefined)
          it(`${file} is saved`, () => writeFile(join(newcomer.folder, file), block.text));
        if (block.language !== 'sh') continue;
        for (const command of commandsOf(block)) if (command !== TESTS) typed(command, () => shell);
      }
      if (snippets !== undefined) {
        it('its snippets run together', async () => {
          const own = blocks.filter((block) => block.language === 'ts' && fileNameOf(block) === undefined);
          const driver =
            snippets.drivenBy === undefined
              ? ''
              : await readFile(join(ROOT, 'tests', 'readme', snippets.drivenBy), 'utf8');
          const file = join(newcomer.folder, snippets.in, 'snippets.ts');
          await writeFile(file, `${own.map(({ text }) => text).join('\n')}\n${driver}`);
          const launchpad = newcomer.terminal();
          await launchpad.run('. .curvekit/local/env');
          const { code, output } = await launchpad.run(
            `cd ${snippets.in} && ${newcomer.folder}/node_modules/.bin/tsx snippets.ts`,
          );
          expect(code, output).to.equal(0);
        });
      }
    });
  }

  /** A start needs no tools, and leaves no builder running. */
  function expectLittle(said: string): void {
    if (newcomer.hasNoNode) expect(said).to.match(STAND_IN);
    // From here: a terminal of the newcomer may not look at the processes of another one.
    const number = (line: string) =>
      Number.parseInt(execFileSync('bash', ['-c', line], { cwd: newcomer.folder, encoding: 'utf8' }), 10);
    expect(number('du -sm node_modules')).to.be.within(1, MOST_INSTALLED);
    if (process.platform === 'linux') expect(number(RESIDENT)).to.be.within(1, MOST_RESIDENT);
  }

  function typed(command: string, shell: () => Shell): void {
    it(command, async () => {
      const ready = LASTING.find(([which]) => which.test(command))?.[1];
      if (ready !== undefined) {
        const said = await shell().start(command, ready);
        if (command === START) expectLittle(said);
        return;
      }
      const { code, output } = await shell().run(command);
      expect(code, output).to.equal(0);
      const ending = ENDINGS.find(([which]) => which.test(command))?.[1];
      if (ending !== undefined) expect(output).to.match(ending);
    });
  }
});
