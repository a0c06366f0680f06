// `npm run fetch:fixtures`: its answers, its exit codes, and what it asks an RPC node for.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { ensureMetaplexProgram } from '@curvekit/testing';
import { MARKER, STAND_IN_LINE, useAmmNodes, VARIABLE, type CountingNode } from '#tests/node/amm-nodes.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The parts of the repository that the command reads. It keeps its cache in the tree. */
const TREE = [
  ...['Anchor.toml', 'package.json', 'tsconfig.json', 'artifacts', 'keys'],
  ...['sdk/package.json', 'sdk/src', 'testing/package.json', 'testing/src', 'scripts/fetch-fixtures.ts'],
];

describe('npm run fetch:fixtures', function () {
  this.timeout(120_000);
  const { emptyNode } = useAmmNodes();
  let tree: string;
  let cache: string;
  let node: CountingNode;

  before('a copy of the repository', () => {
    tree = mkdtempSync(join(tmpdir(), 'fetch-fixtures-'));
    cache = join(tree, '.cache');
    for (const name of TREE) cpSync(join(ROOT, name), join(tree, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(tree, 'node_modules'));
  });
  beforeEach('a cache with only Metaplex, and a node without the AMM', async () => {
    rmSync(cache, { recursive: true, force: true });
    mkdirSync(cache);
    cpSync((await ensureMetaplexProgram()).path, join(cache, 'mpl_token_metadata.so'));
    node = await emptyNode();
  });
  after(() => rmSync(tree, { recursive: true }));

  /** Runs the command. The public RPC node's requests go to the local one. */
  function run(args: readonly string[], environment: Record<string, string> = {}) {
    const redirect = `const real = fetch;
      globalThis.fetch = (url, init) => real(new URL(url).protocol === 'https:' ? '${node.url}' : url, init);`;
    const imports = ['tsx', `data:text/javascript,${encodeURIComponent(redirect)}`];
    const command = [...imports.map((name) => `--import=${name}`), 'scripts/fetch-fixtures.ts', ...args];
    const env = { ...process.env, [VARIABLE]: '', ...environment };
    return new Promise<{ exitCode: number; out: string; err: string[] }>((resolve) => {
      const child = execFile(process.execPath, command, { cwd: tree, env }, (_, out, err) =>
        resolve({ exitCode: child.exitCode ?? -1, out, err: err.trimEnd().split('\n') }),
      );
    });
  }

  it('--quick accepts the stand-in, with exit code 0, and asks once', async () => {
    const metaplex = join(cache, 'mpl_token_metadata.so');
    for (const isFirst of [true, false]) {
      const { exitCode, out, err } = await run(['--quick']);
      expect(exitCode, err.join('\n')).to.equal(0);
      expect(out).to.equal(`${metaplex}\n${join(tree, 'artifacts', 'amm_stand_in.so')}\n`);
      expect(err[0]).to.equal(`metaplex: ${metaplex} is there, SHA-256 verified`);
      if (isFirst) expect(err[1]).to.match(/^amm: reading program CPMM\w+ from https:/);
      expect(err.slice(isFirst ? 2 : 1)).to.deep.equal([STAND_IN_LINE]);
      expect(node.asked()).to.equal(1);
    }
  });

  it('asks again without --quick, and ends with exit code 1 and what to do when no node has the AMM', async () => {
    writeFileSync(join(cache, MARKER), '');
    for (const args of [[], ['--json']]) {
      const before = node.asked();
      const { exitCode, out, err } = await run(args);
      expect([exitCode, out, node.asked() - before]).to.deep.equal([1, '', 1]);
      expect(err.at(-1)).to.match(
        /^Put a file with the SHA-256 .* at its path above, or set CURVEKIT_CPMM_SO$/,
      );
      expect(err.join('\n')).not.to.match(/\n {4}at /);
    }
  });

  it(`ends with exit code 1 when ${VARIABLE} names another file, with --quick too`, async () => {
    const so = join(tree, 'package.json');
    for (const args of [[], ['--quick'], ['--quick', '--json']]) {
      const { exitCode, out, err } = await run(args, { [VARIABLE]: so });
      expect([exitCode, out, node.asked()]).to.deep.equal([1, '', 0]);
      expect(err).to.have.lengthOf(2);
      expect(err[1]).to.match(/^CURVEKIT_CPMM_SO: .*package\.json .* name another file, or unset it$/);
    }
  });
});
