// `curvekit start --role`: as the variable ROLE, which it overrides.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { bundled } from '#tests/process/bundled.js';
import { firstDocument } from '#tests/process/first-document.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

describe('curvekit start --role', () => {
  for (const [role, variable, status] of [
    ['worker', 'api', 404],
    ['api', 'worker', 200],
  ] as const) {
    it(`starts as ${role}, although ROLE is ${variable}`, async () => {
      const folder = temporaryFolder('role');
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
        const { url, docs, ...rest } = await firstDocument<Record<string, string>>(started);
        expect([docs, rest]).to.deep.equal([`${url}/docs`, {}]);
        expect((await fetch(`${url}/health`)).status).to.equal(200);
        expect((await fetch(`${url}/openapi.json`)).status).to.equal(status);
        started.kill('SIGINT');
        expect(await ended).to.deep.equal([0, null]);
      } finally {
        started.kill('SIGKILL');
      }
    });
  }
});
