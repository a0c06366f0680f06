// The published packages: built, packed, installed into an empty project, and used there.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { expect } from 'chai';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { apiReport, publicNames } from '../../scripts/api-report/report.js';
import {
  packed,
  readManifest,
  ROOT,
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

  it('contains every file that its exports name, and declares no side effects', async () => {
    const { exports, sideEffects } = await readManifest();
    const files = leaves(exports);
    expect(files.length).to.be.greaterThan(10);
    for (const file of files) expect(existsSync(join(packed().installed, file)), file).to.equal(true);
    expect(sideEffects).to.equal(false);
  });

  it('passes publint and Are The Types Wrong, and so does @curvekit/testing', async () => {
    for (const [bytes, folder] of [
      [packed().tarball, packed().installed],
      [packed().testingTarball, packed().testing],
    ] as const) {
      const { messages, pkg } = await publint({ pack: { tarball: bytes.buffer }, strict: true });
      expect(messages.map((message) => formatMessage(message, pkg))).to.deep.equal([]);
      const checked = await checkPackage(createPackageFromTarballData(bytes));
      assert(checked.types !== false, 'the package has no types');
      // At run time Node 10 finds no subpath. TypeScript's resolution of that name is tested with the types.
      const problems = checked.problems.filter(
        (problem) => !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
      );
      expect(problems).to.deep.equal([]);
      const { exports } = await readManifest(folder);
      expect(Object.keys(checked.entrypoints)).to.include.members(Object.keys(exports));
    }
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

  it('contains its licence and the URL of its source', async () => {
    const { license, repository } = await readManifest();
    expect(license).to.equal('Apache-2.0');
    expect(repository.url).to.match(/^git\+https:\/\/.*\.git$/);
    const text = await readFile(join(ROOT, 'LICENSE'), 'utf8');
    expect(await readFile(join(packed().installed, 'LICENSE'), 'utf8')).to.equal(text);
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

  it('has a documentation page for every entry', async () => {
    const { entryPoints } = JSON.parse(await readFile(join(ROOT, 'sdk', 'typedoc.json'), 'utf8')) as {
      entryPoints: string[];
    };
    const entries = Object.keys((await readManifest()).exports).filter((name) => name !== './package.json');
    expect(entryPoints.length, 'name the sources of each entry in sdk/typedoc.json').to.equal(entries.length);
  });

  it('requires the oldest web3.js version that it is tested with', async () => {
    const { version } = JSON.parse(
      await readFile(join(ROOT, 'node_modules', 'web3-oldest', 'package.json'), 'utf8'),
    ) as { version: string };
    expect((await readManifest()).peerDependencies['@solana/web3.js']).to.equal(`^${version}`);
    const readme = await readFile(join(packed().installed, 'README.md'), 'utf8');
    expect(readme).to.match(/npm install \S+ @solana\/web3\.js@1\n/);
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

function leaves(value: unknown): string[] {
  return typeof value === 'string' ? [value] : Object.values(value as object).flatMap(leaves);
}
