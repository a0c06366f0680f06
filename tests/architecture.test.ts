// The service's folders form layers. Each imports only from the layers below it, so there are no import cycles.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = join(ROOT, 'app', 'src');

/** Lowest layer first. Each entry is a folder or a single file of `app/src`. */
const ROOMS = [
  'instance.ts',
  'until-signal.ts',
  'config',
  'db',
  'signatures',
  'rpc',
  'logging',
  'metrics.ts',
  'context.ts',
  'jobs',
  'ledger',
  'gate',
  'authority',
  'http',
  'claims',
  'rewards',
  'indexer',
  'pictures',
  'metadata',
  'partner',
  'graduation',
  'funding',
  'settlement',
  'launchpad',
  'market',
  'pools',
  'migration',
  'reconciliation',
  'page',
  'actions',
  'checks.ts',
  'service.ts',
  'main.ts',
  'local',
  'cli',
] as const;

/** The files outside `app/src` that the service imports, by path in `app`. */
const OUTSIDE = new Set(['package.json', 'build.mjs']);

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

const roomOf = (file: string) => file.split('/')[0]!;
const levelOf = (file: string) => ROOMS.indexOf(roomOf(file) as (typeof ROOMS)[number]);

describe('the layers of the service', () => {
  const found = imports();

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
