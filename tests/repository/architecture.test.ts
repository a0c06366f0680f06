// The service's rooms form layers. Each imports only from the layers below it, so there are no import cycles. A call between
// functions of the database is an import.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { functionFiles } from '#app/db/sql-version.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = join(ROOT, 'app', 'src');

/** Lowest layer first. Each entry is a folder or a single file of `app/src`. */
const ROOMS = [
  'base',
  'keys',
  'config',
  'db',
  'chain',
  'build-info.ts',
  'context.ts',
  'ledger',
  'sending',
  'http',
  'claims',
  'index',
  'tokens',
  'partners',
  'graduation',
  'market',
  'reconciliation',
  'signer',
  'page',
  'checks.ts',
  'outside-checks.ts',
  'service-jobs.ts',
  'service.ts',
  'main.ts',
  'operator',
] as const;

/** The files outside `app/src` that the service imports, by path in `app`. The service serves the paths of the table of pages. */
const OUTSIDE = new Set(['package.json', 'build.mjs', '../web/src/pages/table.ts']);

const IMPORT = /\b(?:from|import)\s*\(?\s*'([^']+)'/g;

interface Import {
  readonly from: string;
  readonly to: string;
}

function imports(): Import[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.(ts|mjs)$/.test(file),
  );
  return files.flatMap((from) =>
    [...readFileSync(join(SOURCES, from), 'utf8').matchAll(IMPORT)]
      .map(([, specifier]) => specifier!)
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => ({
        from,
        to: normalize(join(dirname(from), specifier)).replace(/\.js$/, '.ts'),
      })),
  );
}

/** Functions of the database, by name: their files in `app/src`, and what they execute. */
function sqlFunctions(): ReadonlyMap<string, { readonly file: string; readonly text: string }> {
  return new Map(
    functionFiles().map((path) => [
      basename(path, '.sql'),
      { file: relative(SOURCES, path), text: withoutComments(readFileSync(path, 'utf8')) },
    ]),
  );
}

/** The calls between functions of the database. */
function sqlCalls(): Import[] {
  const functions = sqlFunctions();
  return [...functions].flatMap(([caller, { file: from, text }]) =>
    [...functions]
      .filter(([name]) => name !== caller && new RegExp(`\\b${name}\\s*\\(`).test(text))
      .map(([, { file: to }]) => ({ from, to })),
  );
}

const withoutComments = (text: string) => text.replace(/--.*$/gm, '');

const roomOf = (file: string) => file.split('/')[0]!;
const levelOf = (file: string) => ROOMS.indexOf(roomOf(file) as (typeof ROOMS)[number]);

describe('the layers of the service', () => {
  const found = [...imports(), ...sqlCalls()];

  it('are listed here: every folder and file of app/src', () => {
    const rooms = readdirSync(SOURCES).sort();
    expect([...ROOMS].sort()).to.deep.equal(rooms);
  });

  it('import only from lower layers', () => {
    const up = found.filter(({ from, to }) => !to.startsWith('..') && levelOf(to) > levelOf(from));
    expect(up, 'imports of something above').to.deep.equal([]);
    expect(found.length).to.be.above(500);
  });

  it('import nothing else of the repository by a relative path', () => {
    const outside = found.filter(({ to }) => to.startsWith('..') && !OUTSIDE.has(relative('..', to)));
    expect(outside).to.deep.equal([]);
  });
});

describe('the functions of the database', () => {
  it('stand in the sql folders of their features, one in each file, which has its name', () => {
    for (const [name, { file, text }] of sqlFunctions()) {
      const made = [...text.matchAll(/^CREATE\s.*?\bFUNCTION (\w+)/gm)].map(([, made]) => made);
      expect(made, file).to.deep.equal([name]);
      for (const [, called] of text.matchAll(/\bEXECUTE FUNCTION (\w+)/g))
        expect(called, file).to.equal(name);
      // So that a changed file replaces what it made before.
      expect(text.match(/^CREATE (?!OR REPLACE )/m), file).to.equal(null);
    }
    const elsewhere = sqlTexts().filter(
      ({ file, text }) =>
        file.startsWith('database') && /\bFUNCTION\b/.test(text) && !file.endsWith('schema.sql'),
    );
    expect(elsewhere.map(({ file }) => file)).to.deep.equal([]);
  });

  it('write the ledger in three files only, and TypeScript never does', () => {
    const typescript = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => ({ file: join('src', name), text: readFileSync(join(SOURCES, name), 'utf8') }));
    const writing =
      /\b(?:insert\s+into|update(?:\s+only)?|delete\s+from|merge\s+into|truncate(?:\s+table)?|copy)\s+"?ledger_\w|\.(?:insert|update|delete)\(\s*(?:schema\.)?ledger[A-Z]/i;
    const writers = [...sqlTexts(), ...typescript].filter(({ text }) => writing.test(text));
    expect(writers.map(({ file }) => file).sort()).to.deep.equal([
      'src/ledger/sql/ledger_apply_entries.sql',
      'src/ledger/sql/ledger_post.sql',
      'src/ledger/sql/ledger_totals_fold.sql',
    ]);
  });

  it('are called by TypeScript through the declarations in functions.ts', () => {
    const names = sqlTexts()
      .filter(({ file }) => file.startsWith('src/'))
      .map(({ file }) => basename(file, '.sql'));
    const call = new RegExp(String.raw`\b(?:${names.join('|')})\(`);
    const callers = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .filter((name) => {
        const code = readFileSync(join(SOURCES, name), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
        return call.test(code);
      });
    expect(callers).to.deep.equal([]);
  });

  it('call each other without circles', () => {
    const calls = sqlCalls();
    expect(calls.length).to.be.above(10);
    const reached = (from: string, seen: ReadonlySet<string>): string[] =>
      calls
        .filter((call) => call.from === from)
        .flatMap(({ to }) => (seen.has(to) ? [to] : reached(to, new Set([...seen, to]))));
    for (const { from } of calls) expect(reached(from, new Set([from])), from).to.deep.equal([]);
  });
});

/** Every SQL file of the service, by path in `app`. */
function sqlTexts(): { readonly file: string; readonly text: string }[] {
  return ['src', 'database'].flatMap((folder) =>
    readdirSync(join(ROOT, 'app', folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.sql'))
      .map((name) => join(folder, name))
      .map((file) => ({ file, text: withoutComments(readFileSync(join(ROOT, 'app', file), 'utf8')) })),
  );
}

describe('requests of the service to a node', () => {
  /** Each has a time limit of its own. `page/rpc-api.ts` forwards a browser's call. */
  const REQUESTING = [
    'base/tracing/sdk.ts',
    'chain/node-request.ts',
    'claims/rewards/sol-price.ts',
    'page/rpc-api.ts',
  ];

  const filesWith = (pattern: RegExp) =>
    readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && pattern.test(readFileSync(join(SOURCES, file), 'utf8')))
      .sort();

  it('go through one function that makes Connections, with a time limit', () => {
    expect(filesWith(/\bnew Connection\(/)).to.deep.equal(['chain/connection.ts']);
  });

  it('are made by these files only, and each has a time limit', () => {
    expect(filesWith(/(?:await|return|=>|=)\s+fetch\(/)).to.deep.equal(REQUESTING);
    expect(filesWith(/AbortSignal\.timeout\(|callWithin\(/)).to.include.members(REQUESTING);
  });
});

describe("the traders' command line", () => {
  it('imports the SDK by its public entries, and nothing else of the repository', () => {
    const folder = join(ROOT, 'trader', 'src');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
      file.endsWith('.ts'),
    );
    const found = files.flatMap((from) =>
      [...readFileSync(join(folder, from), 'utf8').matchAll(/ from '([^']+)'/g)].map(([, to]) =>
        to!.startsWith('.') ? normalize(join(dirname(from), to!)) : to!,
      ),
    );
    const packages = /^(node:|commander$|@solana\/web3\.js$|@curvekit\/sdk($|\/))/;
    const outside = found.filter(
      (to) => !packages.test(to) && !files.includes(to.replace(/\.js$/, '.ts')) && to !== '../package.json',
    );
    expect(outside).to.deep.equal([]);
    expect(found.length).to.be.above(50);
  });
});
