// `curvekit start --role`: as the variable ROLE, which it overrides.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { bundled } from '#tests/process/bundled.js';

describe('curvekit start --role', function () {
  this.timeout(120_000);

  for (const [role, variable, status] of [
    ['worker', 'api', 404],
    ['api', 'worker', 200],
  ] as const) {
    it(`starts as ${role}, although ROLE is ${variable}`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'curvekit-role-'));
      const command = [await bundled('app/src/operator/main.ts'), 'start', '--json', '--role', role];
      const { PATH = '' } = process.env;
      const started = spawn(process.execPath, command, {
        cwd: folder,
        // The node is not needed.
        env: {
          ...{ PATH, PORT: '0', ROLE: variable, RPC_URL: 'http://127.0.0.1:1', INDEXER: 'off' },
          ...{ DATABASE_FOLDER: 'memory', LOG_LEVEL: 'silent' },
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(started, 'exit');
      try {
        const said = once(createInterface(started.stdout), 'line', { signal: AbortSignal.timeout(60_000) });
        const [line] = (await Promise.race([said, ended])) as [string | number];
        const { url, docs, ...rest } = JSON.parse(String(line)) as Record<string, string>;
        expect([docs, rest]).to.deep.equal([`${url}/docs`, {}]);
        expect((await fetch(`${url}/health`)).status).to.equal(200);
        expect((await fetch(`${url}/openapi.json`)).status).to.equal(status);
        started.kill('SIGINT');
        expect(await ended).to.deep.equal([0, null]);
      } finally {
        started.kill('SIGKILL');
        await rm(folder, { recursive: true, force: true });
      }
    });
  }
});
