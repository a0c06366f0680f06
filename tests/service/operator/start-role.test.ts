// `curvekit start --role`: as the variable ROLE, which it overrides.
import { expect } from 'chai';
import { startCurvekit } from '#tests/process/first-document.js';

describe('curvekit start --role', () => {
  for (const [role, variable, status] of [
    ['worker', 'api', 404],
    ['api', 'worker', 200],
  ] as const)
    it(`starts as ${role}, although ROLE is ${variable}`, async () => {
      // The node is not needed.
      const environment = { ROLE: variable, RPC_URL: 'http://127.0.0.1:1' };
      const { child, ended, document } = await startCurvekit(environment, '--role', role);
      const { url, docs, ...rest } = document;
      expect([docs, rest]).to.deep.equal([`${url}/docs`, {}]);
      for (const path of ['/health', '/metrics'])
        expect((await fetch(url + path)).status, path).to.equal(200);
      for (const path of ['/v1/market/tokens', '/openapi.json'])
        expect((await fetch(url + path)).status, path).to.equal(status);
      child.kill('SIGINT');
      expect(await ended).to.deep.equal([0, null]);
    });
});
