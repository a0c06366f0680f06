// The SDK's folders form layers, and its core knows no Solana library.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const SOURCES = fileURLToPath(new URL('../../sdk/src/', import.meta.url));

/** Lowest layer first. `generated` is not one: it is data, which every room may import. */
const ROOMS = [
  'chain',
  'platform',
  'errors',
  'time',
  'encoding',
  'checks',
  'codec',
  'rpc',
  'curve',
  'accounts',
  'graduation',
  'records',
  'amm',
  'venue',
  'instructions',
  'transactions',
  'landing',
  'http',
  'launch',
  'feed',
  'trade',
  'launchpad',
  'index.ts',
  'idl.ts',
  'quotes.ts',
  'kit',
];
const GENERATED_IMPORTS = ['chain', 'codec', 'generated', 'http'];

/** What makes keys or a connection for a caller with web3.js. The rest takes them from `chain`. */
const MAKES_KEYS = ['launch/vanity.ts', 'launchpad/index.ts', 'trade/launch.ts'];

const IMPORT = /^(?:import|export)\s[^;]*?from '([^']+)'/gm;

const imports = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .flatMap((file) =>
    [...readFileSync(join(SOURCES, file), 'utf8').matchAll(IMPORT)].map(([, specifier]) => ({
      from: file,
      to: specifier!.startsWith('.')
        ? normalize(join(dirname(file), specifier!)).replace(/\.js$/, '.ts')
        : specifier!,
    })),
  );

const roomOf = (file: string) => file.split('/')[0]!;

describe('the rooms of the SDK', () => {
  const inner = imports.filter(({ to }) => to.endsWith('.ts'));

  it('are listed here: every folder and file of sdk/src', () => {
    expect([...ROOMS, 'generated'].sort()).to.deep.equal(readdirSync(SOURCES).sort());
  });

  it('import only from lower rooms', () => {
    const isUp = ({ from, to }: { from: string; to: string }) =>
      roomOf(from) === 'generated'
        ? !GENERATED_IMPORTS.includes(roomOf(to))
        : ROOMS.indexOf(roomOf(to)) > ROOMS.indexOf(roomOf(from));
    expect(inner.filter(isUp)).to.deep.equal([]);
    expect(inner.length).to.be.above(500);
  });

  it('name a Solana library only where it is an edge', () => {
    const files = (library: string) =>
      new Set(imports.filter(({ to }) => to === library).map(({ from }) => from));
    const web3 = [...files('@solana/web3.js')].filter((file) => roomOf(file) !== 'chain');
    expect(web3.sort()).to.deep.equal(MAKES_KEYS);
    const kit = [...files('@solana/kit')].map((file) => file.split('/').slice(0, 2).join('/'));
    expect(kit.filter((place) => roomOf(place) !== 'kit' && place !== 'generated/kit')).to.deep.equal([]);
    expect(kit.length).to.be.above(10);
  });
});
