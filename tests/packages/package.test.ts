// The published packages: built, packed, installed into an empty project, and used there.
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { apiReport, publicNames } from '../../scripts/api-report/report.js';
import { packageProblems } from '../../scripts/release/packages.js';
import {
  packed,
  readManifest,
  ROOT,
  run,
  runScript,
  usePackages,
  withOldestPeer,
} from '#tests/package/consumer.js';

const METAPLEX = join(ROOT, '.cache', 'mpl_token_metadata.so');

/** Starts the packaged cluster and launches a token on it. Both packages must share the error classes. */
const CLUSTER = `
const cluster = await startLocalCluster({ metaplexSo: ${JSON.stringify(METAPLEX)} });
try {
  const mint = Keypair.generate();
  const payer = cluster.payer;
  const terms = { name: 'n', symbol: 's', uri: 'u', mintRentLamports: 1_461_600n, afterMigrationFee: 0, afterMigrationBurnBp: 0, afterMigrationHoldersBp: 0, afterMigrationLpBp: 0 };
  await cluster.send(createToken({ mint: mint.publicKey, payer: payer.publicKey, ...terms }), [payer, mint]);
  const state = await fetchTokenOwnerData(cluster.connection, mint.publicKey);
  const trade = buy({ mint: mint.publicKey, payer: payer.publicKey, solToSpend: 1n, minTokenToReceive: 1_000_000_000_000n });
  const error = await cluster.send(trade, [payer]).catch((caught) => caught);
  console.log(JSON.stringify({ initialized: state.initialized, slippage: error instanceof ProgramError && error.name }));
} finally {
  await cluster.stop();
}
process.exit(0);`;
const CLUSTER_USES = 'buy, createToken, fetchTokenOwnerData, ProgramError';

describe('the published package', function () {
  this.timeout(300_000);
  usePackages();

  it('passes the checks of a release, and so does @curvekit/testing', async () => {
    expect(await packageProblems('sdk', packed().tarball)).to.deep.equal([]);
    expect(await packageProblems('testing', packed().testingTarball)).to.deep.equal([]);
  });

  it('is refused with a test, a source map, a path of this machine or a secret key in it, and without its types', async () => {
    const folder = join(packed().project, 'faulty');
    const dist = join(folder, 'package', 'dist');
    await cp(packed().testing, join(folder, 'package'), { recursive: true });
    for (const [name, text] of [
      ['a.test.js', ''],
      ['index.js.map', '{}'],
      ['path.js', `// ${join(ROOT, 'sdk')}`],
      ['key.json', JSON.stringify(Array.from({ length: 64 }, (_, index) => index))],
    ] as const)
      await writeFile(join(dist, name), text);
    await rm(join(dist, 'index.d.cts'));
    await run('tar', ['-czf', 'faulty.tgz', 'package'], { cwd: folder });
    const problems = await packageProblems(
      'testing',
      new Uint8Array(await readFile(join(folder, 'faulty.tgz'))),
    );
    expect(problems.filter((problem) => problem.startsWith('dist/')).sort()).to.deep.equal([
      'dist/a.test.js is packed: leave it out by "files" in package.json',
      'dist/index.js.map is packed: leave it out by "files" in package.json',
      'dist/key.json contains a secret key',
      'dist/path.js contains a path of this machine',
    ]);
    expect(problems.join('\n')).to.contain('index.d.cts').and.contain('Are The Types Wrong');
  });

  it('contains no binary, and no dependency with one: those are in @curvekit/testing', async () => {
    const { dependencies, optionalDependencies } = await readManifest();
    expect(optionalDependencies).to.equal(undefined);
    expect(Object.keys(dependencies!)).to.deep.equal(['buffer']);
    const files = await readdir(packed().installed, { recursive: true });
    expect(files.filter((name) => /\.(so|node|wasm)$/.test(name))).to.deep.equal([]);
    const ofTesting = await readManifest(packed().testing);
    expect(Object.keys(ofTesting.optionalDependencies!).join()).to.match(/^@solana\/surfpool-/);
    expect(await readdir(join(packed().testing, 'dist', 'artifacts'))).to.include('bonding_curve.so');
  });

  it('has the names and types of sdk/api.txt', async () => {
    const wanted = await readFile(join(ROOT, 'sdk', 'api.txt'), 'utf8');
    const report = apiReport(publicNames(packed().installed));
    expect(report, 'run `npm run report:sdk` and say in CHANGELOG.md what changed').to.equal(wanted);
    expect(report).to.contain('declare function quoteBuy(curve: CurveState').and.contain('# ./rewards');
  });

  it('uses one address type in each entry: PublicKey with web3.js, Address with Kit, string without either', () => {
    const names = publicNames(packed().installed);
    expect(new Set(names.map(({ entry }) => entry)).size).to.be.greaterThan(10);
    const wrong = names.filter(({ entry, text }) => {
      const allowed = entry.startsWith('./kit') ? 'Address' : entry === './market' ? undefined : 'PublicKey';
      return [...text.matchAll(/: (?:readonly )?(PublicKey|Address)\b/g)].some(
        ([, type]) => type !== allowed,
      );
    });
    expect(wrong).to.deep.equal([]);
  });

  it('requires the oldest web3.js version that it is tested with', async () => {
    const { version } = JSON.parse(
      await readFile(join(ROOT, 'node_modules', 'web3-oldest', 'package.json'), 'utf8'),
    ) as { version: string };
    expect((await readManifest()).peerDependencies['@solana/web3.js']).to.equal(`^${version}`);
    const readme = await readFile(join(packed().installed, 'README.md'), 'utf8');
    expect(readme).to.match(/npm install \S+ @solana\/web3\.js@1\n/);
  });

  it('has the documents for programs that write code', async () => {
    const [readme, documents] = await Promise.all(
      ['README.md', 'llms-full.txt'].map((name) => readFile(join(packed().installed, name), 'utf8')),
    );
    expect(documents).to.include(readme!.trim()).and.include('<!-- docs/api.md -->');
  });

  it('has error classes that hold between its ES module and its CommonJS copy', async () => {
    const code = `import { createRequire } from 'node:module';
import * as esm from '@curvekit/sdk';
import { InsufficientSolError } from '@curvekit/sdk/trade';
import { RpcError } from '@curvekit/sdk/kit';
const require = createRequire(import.meta.url);
const cjs = require('@curvekit/sdk');
const refuse = (sdk) => { try { sdk.quoteBuy({ virtualSol: 1n, virtualToken: 0n, platformFeeBps: 0, initialized: 2 }, 1n); } catch (error) { return error; } };
const [ofEsm, ofCjs] = [refuse(esm), refuse(cjs)];
const details = { problem: 'p', advice: 'a', isTemporary: false };
console.log(JSON.stringify({
  copies: esm.ProgramError !== cjs.ProgramError,
  classes: [[ofEsm, cjs], [ofCjs, esm]].map(([error, sdk]) => [
    error instanceof sdk.TradingMovedError, error instanceof sdk.ProgramError, error instanceof sdk.CurvekitError,
    sdk.isProgramError(error, 'TradingClosed'), error instanceof sdk.InvalidArgumentError,
  ]),
  entries: new cjs.RpcError('m', details) instanceof RpcError,
  other: new (require('@curvekit/sdk/trade').ChangedTransactionError)('p') instanceof InsufficientSolError,
  foreign: [new Error('e'), null, 'text', {}].map((value) => value instanceof cjs.CurvekitError),
}));`;
    const all = [true, true, true, true, false];
    expect(await runScript('copies.mjs', code)).to.deep.equal({
      copies: true,
      classes: [all, all],
      entries: true,
      other: false,
      foreign: [false, false, false, false],
    });
  });

  it('works with the local cluster of @curvekit/testing, as ES module and CommonJS', async () => {
    const expected = { initialized: 1, slippage: 'SlippageError' };
    const esm = `import { Keypair } from '@solana/web3.js';
import { ${CLUSTER_USES} } from '@curvekit/sdk';
import { startLocalCluster } from '@curvekit/testing';
${CLUSTER}`;
    expect(await runScript('cluster.mjs', esm)).to.deep.equal(expected);
    await withOldestPeer(async () => {
      expect(await runScript('cluster.mjs', esm)).to.deep.equal(expected);
    });
    const cjs = `const { Keypair } = require('@solana/web3.js');
const { ${CLUSTER_USES} } = require('@curvekit/sdk');
const { startLocalCluster } = require('@curvekit/testing');
(async () => {${CLUSTER}})();`;
    expect(await runScript('cluster.cjs', cjs)).to.deep.equal(expected);
  });

  it('finds a vanity mint on worker threads, as ES module and CommonJS', async () => {
    const search = `findVanityMint({ suffix: 'z' }).then(({ mint }) => console.log(JSON.stringify(mint.publicKey.toBase58().at(-1))));`;
    const esm = `import { findVanityMint } from '@curvekit/sdk/launch'; ${search}`;
    expect(await runScript('vanity.mjs', esm)).to.equal('z');
    const cjs = `const { findVanityMint } = require('@curvekit/sdk/launch'); ${search}`;
    expect(await runScript('vanity.cjs', cjs)).to.equal('z');
  });
});
