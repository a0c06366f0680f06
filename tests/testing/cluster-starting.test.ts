import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { InvalidArgumentError } from '@curvekit/sdk';
import { ClusterStartError, findSurfpool, startLocalCluster } from '@curvekit/testing';
import { CLUSTER, clusterFromEnvironment } from '#tests/cluster/cluster.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { rejection } from '#tests/mocha/failures.js';
import { SOL } from '#tests/constants.js';

/** A cluster given by URL is shared, and keeps running after `stop()`. */
const isShared = CLUSTER.startsWith('http');

describe(`starting and stopping a local cluster (${CLUSTER})`, () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'cluster-test-'));
  /** Clusters write their files below this folder. */
  const temporary = join(elsewhere, 'temporary');
  const usual = process.env['TMPDIR'];
  before(() => {
    mkdirSync(temporary);
    process.env['TMPDIR'] = temporary;
  });
  after(() => {
    if (usual === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usual;
    rmSync(elsewhere, { recursive: true });
  });

  it('stop() can be called twice, and leaves no files', async () => {
    const cluster = await clusterFromEnvironment();
    await cluster.stop();
    await cluster.stop();
    expect(readdirSync(temporary)).to.deep.equal([]);
    const answers = await cluster.connection.getSlot().then(
      () => true,
      () => false,
    );
    expect(answers).to.equal(isShared);
  });

  it('two clusters run at the same time, independently', async () => {
    const clusters = await Promise.all([clusterFromEnvironment(), clusterFromEnvironment()]);
    try {
      const wallet = await clusters[0].fundedWallet(SOL);
      expect(await lamportsOf(clusters[0].connection, wallet.publicKey)).to.equal(SOL);
      expect(await lamportsOf(clusters[1].connection, wallet.publicKey)).to.equal(isShared ? SOL : 0n);
    } finally {
      await Promise.all(clusters.map((cluster) => cluster.stop()));
    }
  });

  it('names a backend or a program binary that does not exist', async () => {
    const backend = await rejection(startLocalCluster({ backend: 'ganache' }), InvalidArgumentError);
    expect(backend.message).to.equal(
      "backend is 'ganache'; it must be 'surfpool', 'validator' or an http(s) URL",
    );
    const binary = await rejection(startLocalCluster({ programSo: '/no/such.so' }), ClusterStartError);
    expect(binary.message).to.contain('/no/such.so');
  });

  if (!isShared) {
    it('refuses a file that is not a compiled program, and leaves no files', async () => {
      const text = join(import.meta.dirname, '../../package.json');
      const noProgram = await rejection(clusterFromEnvironment({ programSo: text }), ClusterStartError);
      expect(noProgram.message).to.equal(`${text} is not a compiled program; check the path`);
      const broken = join(elsewhere, 'broken.so');
      writeFileSync(broken, '\x7fELF and nothing more');
      await rejection(clusterFromEnvironment({ programSo: broken }), ClusterStartError);
      expect(readdirSync(temporary)).to.deep.equal([]);
    });
  }

  it('names the missing platform package, and suggests the validator backend instead', () => {
    const other = process.platform === 'darwin' ? 'linux-x64' : 'darwin-arm64';
    const name = other === 'linux-x64' ? '@solana/surfpool-linux-x64-gnu' : '@solana/surfpool-darwin-arm64';
    expect(() => findSurfpool(other))
      .to.throw(ClusterStartError, `${name} is not installed`)
      .and.match(/--cluster validator/);
    expect(() => findSurfpool('win32-x64')).to.throw(
      ClusterStartError,
      /no package for win32-x64.*--cluster validator/,
    );
  });
});
