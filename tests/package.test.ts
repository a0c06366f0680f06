// The packages as they are published: built, packed, installed into an empty project, and used from there.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { createContext, runInContext } from 'node:vm';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { expect } from 'chai';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { PROGRAM_ADDRESS, PROPERTIES_ADDRESS } from '@curvekit/sdk';
import { apiReport } from '../scripts/api-report/report.js';

const run = promisify(execFile);
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const METAPLEX = join(ROOT, '.cache', 'mpl_token_metadata.so');

/** What the main entry may import at run time, besides itself. */
const RUNTIME_IMPORTS = ['@solana/web3.js', 'buffer'];

/** A dApp in miniature: an address, a quote and the instruction for it. */
const USE = `
const mint = new PublicKey('${PROPERTIES_ADDRESS.toBase58()}');
const curve = { virtualSol: 30_000_000_000n, virtualToken: 1_073_000_000_000_000n, platformFeeBps: 100 };
const quote = quoteBuy(curve, 1_000_000_000n, 100);
const instructions = buy({ mint, payer: mint, solToSpend: quote.solToSpend, minTokenToReceive: quote.minTokenToReceive });
let refused = '';
try { buy({ mint, payer: mint, solToSpend: 0n, minTokenToReceive: 0n }); } catch (error) {
  if (error instanceof InvalidArgumentError) refused = error.argument;
}
const result = {
  tokenOut: quote.tokenOut.toString(),
  programs: instructions.map(({ programId }) => programId.toBase58()),
  dataBytes: instructions.map(({ data }) => data.length),
  curveIsOff: !PublicKey.isOnCurve(curveAddress(mint).address.toBytes()),
  refused,
};`;
const USED = 'buy, curveAddress, InvalidArgumentError, quoteBuy';
const EXPECTED = {
  tokenOut: '34277831558567',
  programs: ['ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL', PROGRAM_ADDRESS.toBase58()],
  dataBytes: [1, 26],
  curveIsOff: true,
  refused: 'solToSpend',
};

/** Starts the packaged cluster and launches a token on it; errors of one entry must be the other's. */
const CLUSTER = `
const cluster = await startLocalCluster({ metaplexSo: ${JSON.stringify(METAPLEX)} });
try {
  const mint = Keypair.generate();
  const payer = cluster.payer;
  const terms = { name: 'n', symbol: 's', uri: 'u', afterMigrationFee: 0, afterMigrationBurnBp: 0, afterMigrationHoldersBp: 0, afterMigrationLpBp: 0 };
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
  let project: string;
  let installed: string;
  let testing: string;
  let tarball: Uint8Array<ArrayBuffer>;
  let testingTarball: Uint8Array<ArrayBuffer>;

  before('build, pack and install it', async () => {
    project = await mkdtemp(join(tmpdir(), 'curvekit-consumer-'));
    const workspaces = ['--workspace', 'sdk', '--workspace', 'testing'];
    await run('npm', ['pack', ...workspaces, '--pack-destination', project], { cwd: ROOT });
    [installed, tarball] = await install('sdk');
    [testing, testingTarball] = await install('testing');
    for (const folder of [installed, testing]) {
      const { dependencies, peerDependencies, optionalDependencies } = await readManifest(folder);
      const names = Object.keys({ ...dependencies, ...peerDependencies, ...optionalDependencies });
      for (const name of names) if (name !== '@curvekit/sdk') await link(name);
    }
    await link('@types/node');
  });

  after(() => rm(project, { recursive: true, force: true }));

  /** Unpacks what `npm pack` has written. @returns its folder and the tarball */
  async function install(name: string): Promise<[string, Uint8Array<ArrayBuffer>]> {
    const file = (await readdir(project)).find((found) => found.startsWith(`curvekit-${name}-`));
    assert(file !== undefined, `npm pack wrote no package ${name}`);
    const folder = join(project, 'node_modules', '@curvekit', name);
    await mkdir(folder, { recursive: true });
    await run('tar', ['-xzf', join(project, file), '-C', folder, '--strip-components', '1']);
    return [folder, new Uint8Array(await readFile(join(project, file)))];
  }

  async function link(name: string, version = name): Promise<void> {
    const nested = join(ROOT, 'sdk', 'node_modules', version);
    const target = existsSync(nested) ? nested : join(ROOT, 'node_modules', version);
    // An optional one is there for its own platform only.
    if (!existsSync(target)) return;
    const path = join(project, 'node_modules', name);
    await mkdir(dirname(path), { recursive: true });
    await rm(path, { recursive: true, force: true });
    await symlink(target, path);
  }

  /** Does something with the oldest web3.js that the package says it works with. */
  async function withOldestPeer(work: () => Promise<void>): Promise<void> {
    await link('@solana/web3.js', 'web3-oldest');
    try {
      await work();
    } finally {
      await link('@solana/web3.js');
    }
  }

  /** Does something on the current major of Kit, without web3.js. */
  async function withKitAlone(work: () => Promise<void>): Promise<void> {
    await link('@solana/kit', 'kit-current');
    await rm(join(project, 'node_modules', '@solana', 'web3.js'));
    try {
      await work();
    } finally {
      await link('@solana/kit');
      await link('@solana/web3.js');
    }
  }

  async function readManifest(folder = installed) {
    return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as {
      exports: Record<string, unknown>;
      dependencies?: Record<string, string>;
      peerDependencies: Record<string, string>;
      optionalDependencies?: Record<string, string>;
      sideEffects: boolean;
      license: string;
      repository: { url: string };
    };
  }

  /** Writes a file of the project and runs it; what it prints is JSON. */
  async function runScript(name: string, code: string): Promise<unknown> {
    await writeFile(join(project, name), code);
    const { stdout } = await run(process.execPath, [name], { cwd: project });
    return JSON.parse(stdout);
  }

  it('holds every file that its exports name, and claims no side effects', async () => {
    const { exports, sideEffects } = await readManifest();
    const files = leaves(exports);
    expect(files.length).to.be.greaterThan(10);
    for (const file of files) expect(existsSync(join(installed, file)), file).to.equal(true);
    expect(sideEffects).to.equal(false);
  });

  it('is as publint and Are The Types Wrong want a package, as is the one for tests', async () => {
    for (const [packed, folder] of [
      [tarball, installed],
      [testingTarball, testing],
    ] as const) {
      const { messages, pkg } = await publint({ pack: { tarball: packed.buffer }, strict: true });
      expect(messages.map((message) => formatMessage(message, pkg))).to.deep.equal([]);
      const checked = await checkPackage(createPackageFromTarballData(packed));
      assert(checked.types !== false, 'the package has no types');
      // Node 10 knows no `exports`, and the package needs Node 20.
      const problems = checked.problems.filter(
        (problem) => !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
      );
      expect(problems).to.deep.equal([]);
      const { exports } = await readManifest(folder);
      expect(Object.keys(checked.entrypoints)).to.include.members(Object.keys(exports));
    }
  });

  it('brings no binary, and no package that has one: those are of @curvekit/testing', async () => {
    const { dependencies, optionalDependencies } = await readManifest();
    expect(optionalDependencies).to.equal(undefined);
    expect(Object.keys(dependencies!)).to.deep.equal(['buffer']);
    const files = await readdir(installed, { recursive: true });
    expect(files.filter((name) => /\.(so|node|wasm)$/.test(name))).to.deep.equal([]);
    const ofTesting = await readManifest(testing);
    expect(Object.keys(ofTesting.optionalDependencies!).join()).to.match(/^@solana\/surfpool-/);
    expect(await readdir(join(testing, 'dist', 'artifacts'))).to.include('bonding_curve.so');
  });

  it('comes with its licence and says where its source is', async () => {
    const { license, repository } = await readManifest();
    expect(license).to.equal('Apache-2.0');
    expect(repository.url).to.match(/^git\+https:\/\/.*\.git$/);
    const text = await readFile(join(ROOT, 'LICENSE'), 'utf8');
    expect(await readFile(join(installed, 'LICENSE'), 'utf8')).to.equal(text);
  });

  it('has the names and types of sdk/api.txt', async () => {
    const wanted = await readFile(join(ROOT, 'sdk', 'api.txt'), 'utf8');
    const report = apiReport(installed);
    expect(report, 'run `npm run report:sdk` and say in CHANGELOG.md what changed').to.equal(wanted);
    expect(report).to.contain('declare function quoteBuy(curve: CurveState').and.contain('# ./rewards');
  });

  it('names addresses by one type in each entry: PublicKey over web3.js, Address over Kit, text without either', async () => {
    const api = await readFile(join(ROOT, 'sdk', 'api.txt'), 'utf8');
    const entries = api.split(/^# /m).slice(1);
    expect(entries.length).to.be.greaterThan(10);
    for (const entry of entries) {
      const name = entry.slice(0, entry.indexOf('\n'));
      const isKit = name.startsWith('./kit');
      const types = ['PublicKey', 'Address'].filter((type) =>
        new RegExp(`: (readonly )?${type}\\b`).test(entry),
      );
      const allowed = isKit ? ['Address'] : name === './market' ? [] : ['PublicKey'];
      expect(allowed, name).to.include.members(types);
    }
  });

  it('has a page of its documentation for every entry', async () => {
    const { entryPoints } = JSON.parse(await readFile(join(ROOT, 'sdk', 'typedoc.json'), 'utf8')) as {
      entryPoints: string[];
    };
    const entries = Object.keys((await readManifest()).exports).filter((name) => name !== './package.json');
    expect(entryPoints.length, 'name the sources of each entry in sdk/typedoc.json').to.equal(entries.length);
  });

  it('asks for the oldest web3.js that it is tested with', async () => {
    const { version } = JSON.parse(
      await readFile(join(ROOT, 'node_modules', 'web3-oldest', 'package.json'), 'utf8'),
    ) as { version: string };
    expect((await readManifest()).peerDependencies['@solana/web3.js']).to.equal(`^${version}`);
    const readme = await readFile(join(installed, 'README.md'), 'utf8');
    expect(readme).to.contain('npm install @curvekit/sdk @solana/web3.js@1\n');
  });

  it('works as an ES module', async () => {
    const code = `import { PublicKey } from '@solana/web3.js';
import { ${USED} } from '@curvekit/sdk';
${USE}
console.log(JSON.stringify(result));`;
    expect(await runScript('use.mjs', code)).to.deep.equal(EXPECTED);
  });

  it('works as a CommonJS module', async () => {
    const code = `const { PublicKey } = require('@solana/web3.js');
const { ${USED} } = require('@curvekit/sdk');
${USE}
console.log(JSON.stringify(result));`;
    expect(await runScript('use.cjs', code)).to.deep.equal(EXPECTED);
  });

  it('brings the IDL, both ways', async () => {
    const print = 'console.log(JSON.stringify(IDL.address));';
    const address = PROGRAM_ADDRESS.toBase58();
    expect(await runScript('idl.mjs', `import { IDL } from '@curvekit/sdk/idl'; ${print}`)).to.equal(address);
    expect(await runScript('idl.cjs', `const { IDL } = require('@curvekit/sdk/idl'); ${print}`)).to.equal(
      address,
    );
  });

  it('works with the local cluster of @curvekit/testing, both ways', async () => {
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

  for (const [module, moduleResolution] of [
    ['NodeNext', 'NodeNext'],
    ['ESNext', 'Bundler'],
  ] as const) {
    it(`type-checks with moduleResolution ${moduleResolution}`, async () => {
      const code = `import { Keypair, PublicKey, type Connection, type TransactionInstruction } from '@solana/web3.js';
import { ${USED}, type BuyQuote, type CurveState } from '@curvekit/sdk';
import { IDL, type BondingCurve } from '@curvekit/sdk/idl';
import { openFeed, type FeedEvent, type RecordOf } from '@curvekit/sdk/feed';
import { startLocalCluster, type LocalCluster } from '@curvekit/testing';
import { trade, type TradeParams, type TradeResult } from '@curvekit/sdk/trade';
const mint = new PublicKey(IDL.address);
const state: CurveState = { virtualSol: 1n, virtualToken: 1n, platformFeeBps: 100 };
export const quote: BuyQuote = quoteBuy(state, 1n);
export const list: TransactionInstruction[] = buy({ mint, payer: mint, solToSpend: 1n, minTokenToReceive: 0n });
export const bump: number = curveAddress(mint).bump;
export const name: 'bonding_curve' | 'bondingCurve' = ({} as BondingCurve).metadata.name;
export const start: () => Promise<LocalCluster> = startLocalCluster;
export const isOurs = (error: unknown): string => (error instanceof InvalidArgumentError ? error.argument : '');
export const call: (connection: Connection, params: TradeParams) => Promise<TradeResult> = trade;
export const params: TradeParams = { wallet: Keypair.generate(), mint, solToSpend: 1n };
export const feed = (connection: Connection): AsyncIterable<FeedEvent<RecordOf<'trade'>>> => openFeed(connection, { kinds: ['trade'] });
// @ts-expect-error no such kind
export const typo = (connection: Connection) => openFeed(connection, { kinds: ['trades'] });
// @ts-expect-error one amount, not two
export const both: TradeParams = { wallet: Keypair.generate(), mint, solToSpend: 1n, tokenToSpend: 1n };
// @ts-expect-error amounts are bigints
buy({ mint, payer: mint, solToSpend: 1, minTokenToReceive: 0n });
`;
      await writeFile(join(project, 'check.ts'), code);
      await writeFile(join(project, 'check.cts'), code);
      const options = {
        strict: true,
        noEmit: true,
        target: 'ES2022',
        module,
        moduleResolution,
        types: ['node'],
      };
      const files = moduleResolution === 'Bundler' ? ['check.ts'] : ['check.ts', 'check.cts'];
      await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
      await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files }));
      const check = async () => {
        const { stdout } = await run(join(ROOT, 'node_modules', '.bin', 'tsc'), ['-p', project]).catch(
          (error: { stdout: string }) => error,
        );
        expect(stdout).to.equal('');
      };
      await check();
      await withOldestPeer(check);
    });
  }

  for (const entry of ['kit', 'kit/feed', 'kit/trade']) {
    it(`brings the ${entry} entry without web3.js, in 30 kB beside Kit`, async () => {
      const contents = `export * from '@curvekit/sdk/${entry}';`;
      const options = { minify: true, metafile: true } as const;
      const { metafile, outputFiles } = await build({
        ...browser(contents),
        ...options,
        external: ['@solana/kit'],
      });
      const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
      expect(new Set(imports.map(({ path }) => path))).to.deep.equal(new Set(['@solana/kit']));
      expect(gzipSync(outputFiles[0]!.contents).length).to.be.lessThan(30_000);
    });
  }

  it('builds and quotes with Kit, both ways and on both majors, where web3.js is not installed', async () => {
    const use = `
const payer = createNoopSigner('${PROPERTIES_ADDRESS.toBase58()}');
const state = { virtualSol: 30_000_000_000n, virtualToken: 1_073_000_000_000_000n, platformFeeBps: 100 };
const quote = quoteBuy(state, 1_000_000_000n, 100);
buy({ mint: payer.address, payer, ...quote }).then((instructions) => console.log(JSON.stringify({
  tokenOut: quote.tokenOut.toString(),
  programs: instructions.map(({ programAddress }) => programAddress),
  dataBytes: instructions.map(({ data }) => data.length),
})));`;
    const { tokenOut, programs, dataBytes } = EXPECTED;
    const check = async () => {
      const esm = `import { createNoopSigner } from '@solana/kit'; import { buy, quoteBuy } from '@curvekit/sdk/kit'; ${use}`;
      expect(await runScript('kit.mjs', esm)).to.deep.equal({ tokenOut, programs, dataBytes });
      const cjs = `const { createNoopSigner } = require('@solana/kit'); const { buy, quoteBuy } = require('@curvekit/sdk/kit'); ${use}`;
      expect(await runScript('kit.cjs', cjs)).to.deep.equal({ tokenOut, programs, dataBytes });
    };
    await check();
    await withKitAlone(check);
  });

  it('type-checks with Kit, on both majors, where web3.js is not installed', async () => {
    const code = `import { createSolanaRpc, type Address, type TransactionSigner } from '@solana/kit';
import { buy, fetchMarket, quoteBuy, TradingMovedError, type BuyQuote, type Market, type SignableInstruction } from '@curvekit/sdk/kit';
import { InsufficientSolError, launch, trade, type TradeParams } from '@curvekit/sdk/kit/trade';
import { openFeed, type FeedEvent, type FeedNode, type RecordOf } from '@curvekit/sdk/kit/feed';
export const feed = (node: FeedNode): AsyncIterable<FeedEvent<RecordOf<'trade'>>> => openFeed(node, { kinds: ['trade'] });
export async function use(payer: TransactionSigner, mint: Address): Promise<SignableInstruction[]> {
  const market: Market | null = await fetchMarket(createSolanaRpc('http://127.0.0.1:8899'), mint);
  if (market?.venue !== 'curve') throw new Error('no curve');
  const quote: BuyQuote = quoteBuy(market.curve, 1n);
  return buy({ market, payer, ...quote });
}
export const pool = (error: unknown): Address | undefined => (error instanceof TradingMovedError ? error.poolAddress : undefined);
export const poor = (error: unknown): Address | undefined => (error instanceof InsufficientSolError ? error.wallet : undefined);
export async function all(wallet: TransactionSigner): Promise<bigint> {
  const rpc = createSolanaRpc('http://127.0.0.1:8899');
  const { mint } = await launch(rpc, { wallet, name: 'n', symbol: 's', uri: 'u' });
  const { slot } = await trade(rpc, { wallet, mint: mint.address, solToSpend: 1n });
  return slot;
}
// @ts-expect-error one amount, not two
export const both: (wallet: TransactionSigner, mint: Address) => TradeParams = (wallet, mint) => ({ wallet, mint, solToSpend: 1n, tokenToSpend: 1n });
// @ts-expect-error a signer, not an address
export const wrong = (mint: Address) => buy({ mint, payer: mint, solToSpend: 1n, minTokenToReceive: 0n });
`;
    await writeFile(join(project, 'check-kit.ts'), code);
    await writeFile(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'ES2022',
      module: 'NodeNext',
      moduleResolution: 'NodeNext',
      lib: ['ES2023', 'DOM'],
      types: [],
    };
    const config = JSON.stringify({ compilerOptions, files: ['check-kit.ts'] });
    await writeFile(join(project, 'tsconfig.json'), config);
    const check = async () => {
      const tsc = join(ROOT, 'node_modules', '.bin', 'tsc');
      const { stdout } = await run(tsc, ['-p', project]).catch((error: { stdout: string }) => error);
      // Kit's own declarations are not ours to check.
      const ours = stdout.split('\n').filter((line) => /check-kit|@curvekit/.test(line));
      expect(ours.join('\n')).to.equal('');
    };
    await check();
    await withKitAlone(check);
  });

  it('bundles for a browser, importing nothing of Node', async () => {
    const contents = `export * from '@curvekit/sdk';`;
    const { metafile } = await build({ ...browser(contents), external: RUNTIME_IMPORTS, metafile: true });
    const [output] = Object.values(metafile.outputs);
    expect(new Set(output?.imports.map(({ path }) => path))).to.deep.equal(new Set(RUNTIME_IMPORTS));
  });

  for (const entry of ['launch', 'feed']) {
    it(`bundles the ${entry} entry for a browser, importing nothing of Node`, async () => {
      const contents = `export * from '@curvekit/sdk/${entry}';`;
      const { metafile } = await build({ ...browser(contents), external: RUNTIME_IMPORTS, metafile: true });
      const [output] = Object.values(metafile.outputs);
      expect(RUNTIME_IMPORTS).to.include.members(output!.imports.map(({ path }) => path));
    });
  }

  it('finds a vanity mint on threads, both ways', async () => {
    const search = `findVanityMint({ suffix: 'z' }).then(({ mint }) => console.log(JSON.stringify(mint.publicKey.toBase58().at(-1))));`;
    const esm = `import { findVanityMint } from '@curvekit/sdk/launch'; ${search}`;
    expect(await runScript('vanity.mjs', esm)).to.equal('z');
    const cjs = `const { findVanityMint } = require('@curvekit/sdk/launch'); ${search}`;
    expect(await runScript('vanity.cjs', cjs)).to.equal('z');
  });

  it('runs in a browser without polyfills: no Buffer, process or require', async () => {
    const contents = `import { PublicKey } from '@solana/web3.js';
import { ${USED} } from '@curvekit/sdk';
${USE}
globalThis.result = result;`;
    const { outputFiles } = await build({ ...browser(contents), format: 'iife' });
    const page = createContext({
      TextEncoder,
      TextDecoder,
      crypto,
      URL,
      setTimeout,
      clearTimeout,
      fetch,
      AbortController,
      console,
    });
    runInContext(outputFiles[0]!.text, page);
    expect(JSON.parse(runInContext('JSON.stringify(result)', page) as string)).to.deep.equal(EXPECTED);
  });

  for (const entry of ['quotes', 'market']) {
    it(`brings the ${entry} without web3.js, or anything else`, async () => {
      const contents = `export * from '@curvekit/sdk/${entry}';`;
      const { metafile } = await build({ ...browser(contents), metafile: true });
      const packages = Object.keys(metafile.inputs).filter((path) => path.includes('node_modules/'));
      expect(packages.length).to.be.greaterThan(0);
      expect(packages.filter((path) => !path.includes('/@curvekit/sdk/'))).to.deep.equal([]);
      const [output] = Object.values(metafile.outputs);
      expect(output?.imports).to.deep.equal([]);
    });
  }

  it('has one class of each error for all entries', async () => {
    const code = `import { InvalidArgumentError } from '@curvekit/sdk';
import { quoteBuy } from '@curvekit/sdk/quotes';
import { trade } from '@curvekit/sdk/trade';
import { openFeed } from '@curvekit/sdk/feed';
import { buy } from '@curvekit/sdk/kit';
import { trade as tradeWithKit } from '@curvekit/sdk/kit/trade';
import { MarketClient } from '@curvekit/sdk/market';
const refused = (work) => { try { work(); } catch (error) { return error instanceof InvalidArgumentError && error.argument; } };
const argumentOf = (error) => error instanceof InvalidArgumentError && error.argument;
const rejected = await trade({}, {}).catch(argumentOf);
console.log(JSON.stringify([
  refused(() => quoteBuy({ virtualSol: 1, virtualToken: 1n, platformFeeBps: 100 }, 1n)),
  refused(() => new MarketClient({ baseUrl: 'ftp://example.org' })),
  refused(() => openFeed({}, { batch: 0 })),
  rejected,
  await buy({}).catch(argumentOf),
  await tradeWithKit({}, { mint: '', solToSpend: 1n }).catch(argumentOf),
]));`;
    expect(await runScript('errors.mjs', code)).to.deep.equal([
      ...['virtualSol', 'baseUrl', 'batch', 'amount', 'payer', 'mint'],
    ]);
  });

  for (const [name, most] of [
    ['quoteBuy', 8_000],
    ['poolTrade', 2_000],
  ] as const) {
    it(`loses by tree shaking what a page that uses ${name} does not use`, async () => {
      const contents = `export { ${name} } from '@curvekit/sdk';`;
      const { outputFiles } = await build({ ...browser(contents), external: RUNTIME_IMPORTS, minify: true });
      expect(outputFiles[0]!.contents.length).to.be.lessThan(most);
    });
  }

  function browser(contents: string) {
    return {
      stdin: { contents, resolveDir: project },
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      logLevel: 'silent',
    } as const;
  }
});

function leaves(value: unknown): string[] {
  return typeof value === 'string' ? [value] : Object.values(value as object).flatMap(leaves);
}
