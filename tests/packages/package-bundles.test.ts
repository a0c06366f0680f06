// Bundles of the published package: for browsers, and without web3.js.
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { build } from 'esbuild';
import { PROPERTIES_ADDRESS } from '@curvekit/sdk';
import {
  browser,
  EXPECTED,
  runScript,
  RUNTIME_IMPORTS,
  usePackages,
  withKitAlone,
} from '#tests/package/consumer.js';

describe('the published package in bundles', function () {
  this.timeout(300_000);
  usePackages();

  for (const [entry, most] of [
    ['kit', 30_000],
    ['kit/feed', 30_000],
    ['kit/launch', 30_000],
    ['kit/trade', 42_000],
  ] as const) {
    it(`include the ${entry} entry without web3.js, in less than ${most} bytes in addition to Kit`, async () => {
      const contents = `export * from '@curvekit/sdk/${entry}';`;
      const options = { minify: true, metafile: true } as const;
      const { metafile, outputFiles } = await build({
        ...browser(contents),
        ...options,
        external: ['@solana/kit'],
      });
      const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
      expect(new Set(imports.map(({ path }) => path))).to.deep.equal(new Set(['@solana/kit']));
      expect(gzipSync(outputFiles[0]!.contents).length).to.be.lessThan(most);
    });
  }

  it('work with Kit as ES module and CommonJS, on both majors, when web3.js is not installed', async () => {
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

  it('can be built for a browser without Node imports', async () => {
    const contents = `export * from '@curvekit/sdk';`;
    const { metafile } = await build({ ...browser(contents), external: RUNTIME_IMPORTS, metafile: true });
    const [output] = Object.values(metafile.outputs);
    expect(new Set(output?.imports.map(({ path }) => path))).to.deep.equal(new Set(RUNTIME_IMPORTS));
  });

  for (const entry of ['quotes', 'market']) {
    it(`include the ${entry} entry without web3.js or any other package`, async () => {
      const contents = `export * from '@curvekit/sdk/${entry}';`;
      const { metafile } = await build({ ...browser(contents), metafile: true });
      const packages = Object.keys(metafile.inputs).filter((path) => path.includes('node_modules/'));
      expect(packages.length).to.be.greaterThan(0);
      expect(packages.filter((path) => !path.includes('/@curvekit/sdk/'))).to.deep.equal([]);
      const [output] = Object.values(metafile.outputs);
      expect(output?.imports).to.deep.equal([]);
    });
  }

  for (const [name, most] of [
    ['quoteBuy', 8_000],
    ['poolTrade', 2_350],
  ] as const) {
    it(`stay small by tree shaking when a page imports only ${name}`, async () => {
      const contents = `export { ${name} } from '@curvekit/sdk';`;
      const { outputFiles } = await build({ ...browser(contents), external: RUNTIME_IMPORTS, minify: true });
      expect(outputFiles[0]!.contents.length).to.be.lessThan(most);
    });
  }
});
