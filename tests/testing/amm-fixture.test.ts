// The AMM's program for local clusters: Raydium's own from a file or an RPC node, or else Curvekit's stand-in. HTTP
// servers on this machine take the place of RPC nodes.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { basename, join } from 'node:path';
import { expect } from 'chai';
import {
  AMM_VERSIONS,
  ammForLocalCluster,
  ammStandIn,
  AmmUnavailableError,
  ensureAmmProgram,
} from '@curvekit/testing';
import { FOREIGN_BUILDS } from '#tests/graduation/foreign-builds.js';
import { rejection } from '#tests/mocha/failures.js';
import { hashOf, MARKER, STAND_IN_LINE, useAmmNodes, VARIABLE } from '#tests/node/amm-nodes.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

const NO_NODE = 'http://127.0.0.1:9';
/** The wait for an answer is two seconds. */
const LONGEST_START_MS = 3_500;

describe('the program of the AMM', () => {
  const { startNode, nodeWithProgram } = useAmmNodes();
  const usual = process.env[VARIABLE];
  let folder: string;
  let lines: string[];
  const log = (line: string): unknown => lines.push(line);

  beforeEach(() => {
    delete process.env[VARIABLE];
    folder = temporaryFolder('amm-test');
    lines = [];
  });
  after(() => {
    if (usual === undefined) delete process.env[VARIABLE];
    else process.env[VARIABLE] = usual;
  });

  async function expectStandIn(found: ReturnType<typeof ammForLocalCluster>): Promise<void> {
    expect(await found).to.deep.equal(await ammStandIn());
    expect(lines.filter((line) => line.includes('stand-in'))).to.deep.equal([STAND_IN_LINE]);
  }

  it('is the stand-in when no node is reachable, and one line says so', async () => {
    await expectStandIn(ammForLocalCluster({ folder, log, rpcUrl: NO_NODE }));
    const { path, sha256, source, version } = await ammStandIn();
    expect([source, version, sha256]).to.deep.equal(['stand-in', undefined, hashOf(path)]);
    expect(readdirSync(folder)).to.deep.equal([MARKER]);
  });

  const silences: Record<string, (response: ServerResponse) => void> = {
    'never answers': () => undefined,
    'stops in the middle of its answer': (response) => void response.writeHead(200).write('{'),
  };
  for (const [what, silence] of Object.entries(silences)) {
    it(`waits two seconds for a node that ${what}, and the next start does not ask`, async () => {
      const node = await startNode(() => silence);
      const options = { folder, log, rpcUrl: node.url };
      const started = performance.now();
      await expectStandIn(ammForLocalCluster(options));
      expect(performance.now() - started).to.be.within(1_900, LONGEST_START_MS);
      expect(node.asked()).to.equal(1);

      lines = [];
      const again = performance.now();
      await expectStandIn(ammForLocalCluster(options));
      expect(performance.now() - again).to.be.lessThan(500);
      expect(node.asked()).to.equal(1);
      expect(lines).to.deep.equal([STAND_IN_LINE]);
    });
  }

  it('is reported missing, with every source that was tried and what to do', async () => {
    const node = await startNode(() => (response) => {
      response.statusCode = 403;
      response.end(`<html>\n<body>\nblocked ${'by this firewall '.repeat(100)}\n</body>\n</html>`);
    });
    const options = { folder, log, rpcUrl: node.url };
    const { message } = await rejection(ensureAmmProgram(options), AmmUnavailableError);
    const [title, ...rest] = message.split('\n');
    expect(title).to.equal("no source has the program of Raydium's CPMM:");
    for (const version of AMM_VERSIONS) {
      const path = join(folder, `raydium_cp_swap.${version}.so`);
      expect(rest.shift()).to.equal(`- cache: ${path} is not there`);
    }
    expect(rest.shift()).to.match(/^- cluster: .*403 Forbidden: <html> <body> blocked .*…$/);
    expect(rest.shift()).to.match(
      /^Put a file with the SHA-256 \w{64} or \w{64} at .* set CURVEKIT_CPMM_SO$/,
    );
    expect(rest).to.deep.equal([]);

    const again = await rejection(ensureAmmProgram(options), AmmUnavailableError);
    expect(again.message).to.contain(
      `- cluster: not asked again; delete ${join(folder, MARKER)} to ask again`,
    );
  });

  it('is not taken from a node that runs another program', async () => {
    const node = await nodeWithProgram(Buffer.alloc(800_000, 7));
    await expectStandIn(ammForLocalCluster({ folder, log, rpcUrl: node.url }));
    expect(node.asked()).to.equal(2);
    expect(readdirSync(folder)).to.deep.equal([MARKER]);
    const always = ensureAmmProgram({ folder, rpcUrl: node.url, fetch: 'always' });
    expect((await rejection(always, AmmUnavailableError)).message).to.contain(
      `- cluster: ${node.url}: it runs another program than ${AMM_VERSIONS.join(', ')}`,
    );
  });

  it('is not read from a cached file with another SHA-256, and a line names the file', async () => {
    const path = join(folder, `raydium_cp_swap.${AMM_VERSIONS[0]!}.so`);
    writeFileSync(path, 'half a download');
    await expectStandIn(ammForLocalCluster({ folder, log, fetch: 'never' }));
    expect(lines).to.deep.equal([`amm: ${path} has another SHA-256, ignored; delete it`, STAND_IN_LINE]);
    expect(readFileSync(path, 'utf8')).to.equal('half a download');
  });

  // Raydium's builds are not in the repository.
  for (const { name: version, so } of FOREIGN_BUILDS) {
    describe(`a build of version ${version}`, () => {
      const sha256 = hashOf(so);

      it('is read from a node, which is not asked again, and replaces a damaged file and the marker', async () => {
        const node = await nodeWithProgram(readFileSync(so));
        const path = join(folder, `raydium_cp_swap.${version}.so`);
        writeFileSync(path, 'half a download');
        writeFileSync(join(folder, MARKER), '');
        const options = { folder, log, rpcUrl: node.url };
        const first = await ensureAmmProgram({ ...options, fetch: 'always' });
        expect(first).to.deep.equal({ path, sha256, version, source: 'cluster' });
        expect(hashOf(path)).to.equal(sha256);
        expect(readdirSync(folder)).to.deep.equal([basename(path)]);
        expect(await ammForLocalCluster(options)).to.deep.equal({ ...first, source: 'cache' });
        expect(node.asked()).to.equal(2);
        expect(lines).not.to.contain(STAND_IN_LINE);
      });

      it(`is read from the file that ${VARIABLE} names`, async () => {
        process.env[VARIABLE] = so;
        const found = await ammForLocalCluster({ folder, log, rpcUrl: NO_NODE });
        expect(found).to.deep.equal({ path: so, sha256, version, source: 'environment' });
        expect(lines).to.deep.equal([`amm: ${so}, named by ${VARIABLE}, SHA-256 verified`]);
      });
    });
  }
});
