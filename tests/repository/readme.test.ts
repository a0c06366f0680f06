// The code in the READMEs compiles against the current SDK.
import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import { CurvekitError } from '@curvekit/sdk';
import { ROOT, run } from '#tests/process/run.js';

const TSC = join(ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc');
const READMES = ['README.md', 'sdk/README.md', 'testing/README.md'];
/** Declares what the snippets assume: a wallet. */
const PREAMBLE = `
declare const wallet: {
  readonly publicKey: import('@solana/web3.js').PublicKey;
  signMessage(message: Uint8Array): Promise<Uint8Array>;
  signTransaction<T>(transaction: T): Promise<T>;
};
`;

describe('the READMEs', () => {
  /** By README: what the compiler says of its programs. */
  let problems: ReadonlyMap<string, readonly string[]>;

  before('compile all programs at once', async () => {
    problems = await compile(new Map(READMES.map((path) => [path, programsIn(path)])));
  });

  for (const path of READMES) {
    it(`${path}: every TypeScript block compiles`, () => {
      expect(programsIn(path)).not.to.be.empty;
      expect(problems.get(path)).to.deep.equal([]);
    });
  }
});

/** Errors of programs, of RPC nodes and of the service have a code of their own. */
const WITH_OWN_CODE =
  /^(Api|Framework|Graduation|Instruction|Program|Rpc|TradingMoved|WrongDeployment)Error$/;

describe("the table of error codes in the SDK's README", () => {
  it('has each error class that an entry exports, with its code', async () => {
    const { exports } = JSON.parse(readFileSync(join(ROOT, 'sdk/package.json'), 'utf8')) as {
      exports: Record<string, unknown>;
    };
    const codes: Record<string, unknown> = {};
    for (const entry of Object.keys(exports).filter((name) => !name.endsWith('.json'))) {
      const names = (await import(`@curvekit/sdk${entry.slice(1)}`)) as Record<string, typeof CurvekitError>;
      for (const [name, type] of Object.entries(names)) {
        if (!name.endsWith('Error') || !Object.hasOwn(type, '@curvekit/sdk/class')) continue;
        const made: { code?: unknown } = Reflect.construct(CurvekitError, [''], type);
        codes[name] = WITH_OWN_CODE.test(name) ? 'its own' : made.code;
      }
    }
    const readme = readFileSync(join(ROOT, 'sdk/README.md'), 'utf8');
    const rows = readme.matchAll(/^\| (?:`([A-Z_]+)`|.*?) +\| `(\w+Error)` /gm);
    const table = new Map([...rows].map(([, code = 'its own', name = '']) => [name, code]));
    expect(Object.fromEntries(table)).to.deep.equal(codes);
  });
});

/** A block that names its file is a program of its own. The others build on each other. */
function programsIn(path: string): string[] {
  const markdown = readFileSync(join(ROOT, path), 'utf8');
  const blocks = [...markdown.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code);
  const named = blocks.filter((block) => /^\/\/ [\w./-]+\.ts\n/.test(block));
  const others = blocks.filter((block) => !named.includes(block));
  return [...named, ...(others.length === 0 ? [] : [`${PREAMBLE}\n${others.join('\n')}`])];
}

/** @returns the compiler's lines, by the key of the sources */
async function compile(sources: ReadonlyMap<string, readonly string[]>): Promise<Map<string, string[]>> {
  const cache = join(ROOT, '.cache');
  await mkdir(cache, { recursive: true });
  // Inside the repository, so that its packages are found.
  const folder = await mkdtemp(join(cache, 'readme-'));
  try {
    const files = new Map<string, string>();
    for (const [key, programs] of sources) {
      for (const source of programs) {
        const file = `snippet-${files.size}.ts`;
        files.set(file, key);
        await writeFile(join(folder, file), `${source}\nexport {};\n`);
      }
    }
    const config = {
      extends: '../../tsconfig.json',
      // Snippets may declare results that they do not use.
      compilerOptions: { noEmit: true, noUnusedLocals: false },
      include: [],
      files: [...files.keys()],
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const output = await run(process.execPath, [TSC, '--pretty', 'false', '-p', folder]).then(
      ({ stdout }) => stdout,
      (error: { stdout: string; message: string }) => error.stdout || error.message,
    );
    const lines = output.split('\n').filter((line) => line !== '');
    const found = new Map([...sources.keys()].map((key): [string, string[]] => [key, []]));
    for (const line of lines) {
      // A line that continues another, or names no snippet, is a problem of all.
      const key = files.get(basename(/^(\S+\.ts)\(/.exec(line)?.[1] ?? ''));
      for (const [of, into] of found) if (key === undefined ? !/^ /.test(line) : key === of) into.push(line);
    }
    return found;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
