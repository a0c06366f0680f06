import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { ensureMetaplexProgram, METAPLEX_SHA256, MetaplexUnavailableError } from '@curvekit/testing';
import { CLUSTER, clusterFromEnvironment, useCluster } from '#tests/cluster/cluster.js';
import { rejection } from '#tests/mocha/failures.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

const NAME = 'mpl_token_metadata.so';
const NO_CARGO = '/no/such/cargo';
const NO_CLUSTER = 'http://127.0.0.1:9';

const sha256 = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

describe('the Metaplex Token Metadata binary', function () {
  this.timeout(300_000);
  const cluster = useCluster();
  let folder: string;
  let path: string;
  let lines: string[];
  const log = (line: string): unknown => lines.push(line);

  beforeEach(() => {
    folder = temporaryFolder('metaplex-test');
    path = join(folder, NAME);
    lines = [];
  });

  it('is extracted from the published crate with cargo, and read from the cache the next time', async () => {
    const first = await ensureMetaplexProgram({ folder, log, rpcUrl: NO_CLUSTER });
    expect(first).to.deep.equal({ path, sha256: METAPLEX_SHA256, source: 'cargo' });
    expect(sha256(path)).to.equal(METAPLEX_SHA256);
    expect(lines).to.have.lengthOf(3);
    const second = await ensureMetaplexProgram({ folder, log, cargo: NO_CARGO, rpcUrl: NO_CLUSTER });
    expect(second).to.deep.equal({ ...first, source: 'cache' });
    expect(readdirSync(folder)).to.deep.equal([NAME]);
  });

  it('replaces a cached file with another SHA-256', async () => {
    writeFileSync(path, 'half a download');
    const { source } = await ensureMetaplexProgram({
      folder,
      log,
      cargo: NO_CARGO,
      rpcUrl: cluster().rpcUrl,
    });
    expect(source).to.equal('cluster');
    expect(sha256(path)).to.equal(METAPLEX_SHA256);
    expect(lines[0]).to.contain('has another SHA-256');
  });

  it('is reported missing, with every source that was tried and what to do, when no source has it', async () => {
    const options = { folder, log, cargo: NO_CARGO, rpcUrl: NO_CLUSTER };
    const { message } = await rejection(ensureMetaplexProgram(options), MetaplexUnavailableError);
    expect(message).to.match(
      /- cargo: .* is not on PATH\n- cluster: .*\nInstall cargo, or put the file with SHA-256/,
    );
    expect(message).to.contain(METAPLEX_SHA256).and.to.contain(path).and.to.contain('metaplexSo');
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  if (!CLUSTER.startsWith('http')) {
    it('is not taken from a cluster that runs another version', async () => {
      const metaplexSo = join(import.meta.dirname, '../../programs/artifacts/bonding_curve.so');
      const other = await clusterFromEnvironment({ metaplexSo, properties: false });
      try {
        const options = { folder, cargo: NO_CARGO, rpcUrl: other.rpcUrl };
        const { message } = await rejection(ensureMetaplexProgram(options), MetaplexUnavailableError);
        expect(message).to.contain(`expected ${METAPLEX_SHA256}`);
        expect(readdirSync(folder)).to.deep.equal([]);
      } finally {
        await other.stop();
      }
    });
  }
});
