import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PROGRAM_ADDRESS } from '@curvekit/sdk';
import { ClusterStartError, findSurfpool } from '@curvekit/testing';
import { startSurfpoolProcess } from '#testing/surfpool-process.js';
import { callRpc } from '#testing/json-rpc.js';
import { rejection } from '#tests/mocha/failures.js';

/**
 * An addon that hangs as Surfpool does when another process takes one of its ports: a thread panics, and the start waits for it.
 *
 * @param then The statement with which a start ends when the file `marker` exists.
 */
const hangingAddon = (marker: string, then: string): string => `
const fs = require('node:fs');
exports.Surfnet = { startWithConfig(config) {
  if (fs.existsSync(${JSON.stringify(marker)})) { ${then} }
  fs.writeFileSync(${JSON.stringify(marker)}, '');
  fs.writeSync(2, "thread 'WebSocket RPC Handler' (26118) panicked at blocking/shutdown.rs:51:21:\\n");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
} };`;

describe('the process of Surfpool', function () {
  this.timeout(60_000);
  let folder: string;
  const usual = process.env['TMPDIR'];
  const addonOf = (code: string): string => {
    const path = join(folder, 'addon.cjs');
    writeFileSync(path, code);
    return path;
  };
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'surfpool-process-test-'));
    process.env['TMPDIR'] = folder;
  });
  afterEach(() => {
    if (usual === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usual;
    rmSync(folder, { recursive: true });
  });
  const leftFolders = (): string[] => readdirSync(folder).filter((name) => name.startsWith('curvekit-'));

  it('is started again when a thread of Surfpool panics and its start hangs', async () => {
    const marker = join(folder, 'hung');
    const real = `return require(${JSON.stringify(findSurfpool())}).Surfnet.startWithConfig(config);`;
    const surfpool = await startSurfpoolProcess(addonOf(hangingAddon(marker, real)), [], 400);
    try {
      expect(existsSync(marker)).to.equal(true);
      expect(await callRpc(surfpool.rpcUrl, 'getHealth', [])).to.equal('ok');
      expect(leftFolders()).to.have.lengthOf(1);
    } finally {
      await surfpool.stop();
    }
    await rejection(callRpc(surfpool.rpcUrl, 'getHealth', []), Error);
    expect(leftFolders()).to.deep.equal([]);
  });

  it('names an addon that does not load, and a program that Surfpool refuses', async () => {
    const broken = await rejection(
      startSurfpoolProcess(addonOf('throw new Error("GLIBC_2.39 not found")'), [], 400),
      ClusterStartError,
    );
    expect(broken.message).to.match(
      /^Surfpool: the addon does not load on this system: GLIBC_2.39 not found; choose another cluster: /,
    );
    const refused = await rejection(
      startSurfpoolProcess(
        findSurfpool(),
        [{ programId: PROGRAM_ADDRESS, so: join(folder, 'none.so') }],
        400,
      ),
      ClusterStartError,
    );
    expect(refused.message).to.contain(
      `it refused program ${PROGRAM_ADDRESS.toBase58()} (${join(folder, 'none.so')})`,
    );
    expect(leftFolders()).to.deep.equal([]);
  });
});
