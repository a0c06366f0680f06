// The rooms of the service and of the SDK form layers. Each imports only from the layers below it, so there are no circles. A call
// between functions of the database is an import.
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { expect } from 'chai';
import { ROOT } from '#tests/process/run.js';

/** Lowest layer first. Each entry is a folder or a single file of `app/src`. */
const APP_ROOMS = [
  ...['base', 'keys', 'config', 'db', 'chain', 'context.ts', 'ledger', 'sending', 'http'],
  ...[
    'claims',
    'index',
    'tokens',
    'webhooks',
    'partners',
    'graduation',
    'market',
    'reconciliation',
    'signer',
    'page',
  ],
  ...['checks.ts', 'outside-checks.ts', 'service-jobs.ts', 'service.ts', 'main.ts', 'operator'],
];
/** The files outside `app/src` that the service imports. It serves the paths of the table of pages. */
const OUTSIDE_APP = [
  ...['../package.json', '../build.mjs', '../../web/src/languages.ts', '../../web/src/pages/table.ts'],
  ...['../../web/src/format.ts', '../../web/src/market/progress.ts'],
  ...['intro', 'pages', 'translation', 'zh/intro', 'zh/pages'].map(
    (words) => `../../web/src/words/${words}.ts`,
  ),
];

/** The same of `sdk/src`. `generated` is not one: it is data, which every room may import. */
const SDK_ROOMS = [
  ...['chain', 'platform', 'errors', 'time', 'encoding', 'checks', 'codec', 'rpc', 'curve', 'accounts'],
  ...['graduation', 'records', 'amm', 'venue', 'instructions', 'transactions', 'landing', 'http', 'launch'],
  ...['feed', 'trade', 'launchpad', 'index.ts', 'idl.ts', 'quotes.ts', 'kit'],
];
const GENERATED_IMPORTS = ['chain', 'codec', 'generated', 'http'];
/** What makes keys or a connection for a caller with web3.js. The rest takes them from `chain`. */
const MAKES_KEYS = ['launch/vanity.ts', 'launchpad/index.ts', 'trade/launch.ts'];

const TRADER_PACKAGES =
  /^(node:|commander$|zod$|@modelcontextprotocol\/(server|node)($|\/)|@solana\/web3\.js$|@curvekit\/sdk($|\/))/;

interface Import {
  readonly from: string;
  /** A package, or a path in the same folder. */
  readonly to: string;
  readonly isPackage: boolean;
}

function textsIn(folder: string, ending: RegExp): ReadonlyMap<string, string> {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return new Map(
    files
      .filter((file) => ending.test(file))
      .sort()
      .map((file) => [file, readFileSync(join(ROOT, folder, file), 'utf8')]),
  );
}

function importsIn(folder: string): Import[] {
  return [...textsIn(folder, /\.(ts|mjs)$/)].flatMap(([from, text]) =>
    [...text.matchAll(/\b(?:from|import)\s*\(?\s*'([^']+)'/g)].map(([, to = '']) => {
      if (!to.startsWith('.')) return { from, to, isPackage: true };
      return { from, to: normalize(join(dirname(from), to)).replace(/\.js$/, '.ts'), isPackage: false };
    }),
  );
}

const roomOf = (path: string): string => path.split('/')[0]!;
const isUp = (rooms: readonly string[], { from, to }: Import): boolean =>
  rooms.indexOf(roomOf(to)) > rooms.indexOf(roomOf(from));

const app = textsIn('app/src', /\.ts$/);
const filesWith = (pattern: RegExp) =>
  [...app].filter(([, text]) => pattern.test(text)).map(([file]) => file);

/** Functions of the database by file in `app/src`. */
const functions = new Map(
  [...textsIn('app/src', /\.sql$/)].map(([file, text]) => [file, text.replaceAll(/--.*$/gm, '')]),
);
const nameOf = (file: string): string => basename(file, '.sql');
const calls: Import[] = [...functions].flatMap(([from, text]) =>
  [...functions.keys()]
    .filter((to) => to !== from && new RegExp(`\\b${nameOf(to)}\\s*\\(`).test(text))
    .map((to) => ({ from, to, isPackage: false })),
);

describe('the rooms of the service', () => {
  const found = importsIn('app/src').filter(({ isPackage }) => !isPackage);

  it('are listed here: every folder and file of app/src', () => {
    expect([...APP_ROOMS].sort()).to.deep.equal(readdirSync(join(ROOT, 'app/src')).sort());
  });

  it('import only from lower layers, and nothing else of the repository', () => {
    expect(found.length).to.be.above(500);
    expect([...found, ...calls].filter((one) => isUp(APP_ROOMS, one))).to.deep.equal([]);
    const outside = found.filter(({ to }) => to.startsWith('../') && !OUTSIDE_APP.includes(to));
    expect(outside).to.deep.equal([]);
  });

  it('ask a node through one function that makes Connections, and others in these files only, with a time limit', () => {
    expect(filesWith(/\bnew Connection\(/)).to.deep.equal(['chain/connection.ts']);
    const asking = filesWith(/(?:await|return|=>|=)\s+fetch\(/);
    expect(asking).to.deep.equal([
      'base/tracing/sdk.ts',
      'chain/node-request.ts',
      'claims/rewards/price-document.ts',
      // Forwards a browser's call.
      'page/rpc-api.ts',
    ]);
    expect(filesWith(/AbortSignal\.timeout\(|callWithin\(/)).to.include.members(asking);
  });

  it('say in each log line of level warn and above what happened, and after it what follows', () => {
    const line = /log(?:ger)?\.(?:warn|error|fatal)\([^;]*?[\s(]'([^'\n]{2,})',?\s*\)/g;
    const lines = [...app].flatMap(([file, text]) =>
      [...text.matchAll(line)].map(([, message = '']) => `${file}: ${message}`),
    );
    expect(lines.length).to.be.above(30);
    expect(lines.filter((text) => !/: \S.*[;:,.] \S/.test(text))).to.deep.equal([]);
  });
});

describe('the functions of the database', () => {
  it('stand one in each file, which has its name, and call each other without circles', () => {
    for (const [file, text] of functions) {
      const made = [...text.matchAll(/^CREATE\s.*?\bFUNCTION (\w+)/gm)].map(([, name]) => name);
      expect(made, file).to.deep.equal([nameOf(file)]);
      for (const [, called] of text.matchAll(/\bEXECUTE FUNCTION (\w+)/g))
        expect(called, file).to.equal(made[0]);
      // So that a changed file replaces what it made before.
      expect(text.match(/^CREATE (?!OR REPLACE )/m), file).to.equal(null);
    }
    expect(calls.length).to.be.above(10);
    const reached = (from: string, seen: ReadonlySet<string>): string[] =>
      calls
        .filter((call) => call.from === from)
        .flatMap(({ to }) => (seen.has(to) ? [to] : reached(to, new Set([...seen, to]))));
    for (const { from } of calls) expect(reached(from, new Set([from])), from).to.deep.equal([]);
  });

  it('write the ledger in three files only, and TypeScript never does', () => {
    const writing =
      /\b(?:insert\s+into|update(?:\s+only)?|delete\s+from|merge\s+into|truncate(?:\s+table)?|copy)\s+"?ledger_\w|\.(?:insert|update|delete)\(\s*(?:schema\.)?ledger[A-Z]/i;
    const writers = [...functions, ...app].filter(([, text]) => writing.test(text)).map(([file]) => file);
    expect(writers.sort()).to.deep.equal([
      'ledger/sql/ledger_apply_entries.sql',
      'ledger/sql/ledger_post.sql',
      'ledger/sql/ledger_totals_fold.sql',
    ]);
  });

  it('are called by TypeScript through the declarations in functions.ts', () => {
    const call = new RegExp(`\\b(?:${[...functions.keys()].map(nameOf).join('|')})\\(`);
    const code = [...app].map(
      ([file, text]) => [file, text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')] as const,
    );
    expect(code.filter(([, text]) => call.test(text)).map(([file]) => file)).to.deep.equal([]);
  });
});

describe('the rooms of the SDK', () => {
  const found = importsIn('sdk/src');
  const inner = found.filter(({ isPackage }) => !isPackage);

  it('are listed here: every folder and file of sdk/src', () => {
    expect([...SDK_ROOMS, 'generated'].sort()).to.deep.equal(readdirSync(join(ROOT, 'sdk/src')).sort());
  });

  it('import only from lower rooms', () => {
    expect(inner.length).to.be.above(500);
    const wrong = inner.filter((one) =>
      roomOf(one.from) === 'generated' ? !GENERATED_IMPORTS.includes(roomOf(one.to)) : isUp(SDK_ROOMS, one),
    );
    expect(wrong).to.deep.equal([]);
  });

  it('name a Solana library only where it is an edge', () => {
    const files = (library: string) => [
      ...new Set(found.filter(({ to }) => to === library).map(({ from }) => from)),
    ];
    expect(files('@solana/web3.js').filter((file) => roomOf(file) !== 'chain')).to.deep.equal(MAKES_KEYS);
    const kit = files('@solana/kit');
    expect(kit.length).to.be.above(10);
    expect(kit.filter((file) => !/^(kit|generated\/kit)\//.test(file))).to.deep.equal([]);
  });
});

it("the traders' command line imports the SDK by its public entries, and nothing else of the repository", () => {
  const found = importsIn('trade/src');
  const outside = found.filter(
    ({ to }) =>
      !TRADER_PACKAGES.test(to) && to !== '../package.json' && !textsIn('trade/src', /\.ts$/).has(to),
  );
  expect(outside).to.deep.equal([]);
  expect(found.length).to.be.above(50);
});
