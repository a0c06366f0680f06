// The service's folders stand one above the other: each knows those below it, so that no two know each other.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = join(ROOT, 'app', 'src');

/** From the ground up. Single files of `app/src` stand by their own names. */
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

/** What the service imports from outside `app/src`, by its path in `app`. */
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

describe('the service as a house', () => {
  const found = imports();

  it('has every folder at its place', () => {
    const rooms = readdirSync(SOURCES).sort();
    expect([...ROOMS].sort()).to.deep.equal(rooms);
  });

  it('looks down only', () => {
    const up = found.filter(({ from, to }) => !to.startsWith('..') && levelOf(to) > levelOf(from));
    expect(up, 'imports of something above').to.deep.equal([]);
    expect(found.length).to.be.above(500);
  });

  it('needs nothing of the repository beside the SDK', () => {
    const outside = found.filter(({ to }) => to.startsWith('..') && !OUTSIDE.has(relative('..', to)));
    expect(outside).to.deep.equal([]);
  });
});

describe("the traders' command line", () => {
  it('knows the SDK by its entries, and nothing else of the repository', () => {
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
