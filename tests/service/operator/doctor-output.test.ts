// How `curvekit doctor` says what it checks and what it found.
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { runCli } from '#app/operator/run.js';
import { serveNode } from '#tests/node/serve.js';
import { keyOf, useDoctor, type DoctorDocument } from '#tests/service/doctor.js';

describe('the output of curvekit doctor', () => {
  const { cli, stateOf } = useDoctor();

  it('links the paragraph of the runbook below each finding', async () => {
    const { out } = await cli().run(['doctor'], { RPC_URL: 'http://127.0.0.1:1' });
    expect(out).to.match(/RPC node +FAILURE [^→]*→ [^→]*docs\/recover\.md#nodefails\n/);
    const { runbook } = (await stateOf('treasury', { TREASURY_KEYPAIR: keyOf(Keypair.generate()) }))[0]!;
    expect(runbook).to.equal('docs/recover.md#treasuryshort');
  });

  it('says on standard error what it checks, before it waits for it', async () => {
    const said: string[] = [];
    const atFirstRequest: string[][] = [];
    const node = await serveNode((_body, response) => {
      atFirstRequest.push([...said]);
      response.writeHead(429).end();
    });
    const out: string[] = [];
    try {
      await runCli(['doctor', '--json'], {
        environment: { ...cli().environment, RPC_URL: `${node.url}/v2/secret-access-key` },
        out: (text) => out.push(text),
        err: (text) => said.push(text),
        openDatabase: async () => ({ ...(await cli().database()), close: () => Promise.resolve() }),
        colour: false,
      });
    } finally {
      await node.stop();
    }
    const begun = ['curvekit: checking the configuration, Redis and the uploads'];
    begun.push(`curvekit: checking the RPC node ${node.url}`);
    expect(atFirstRequest[0]).to.deep.equal(begun);
    expect(said).to.deep.equal([
      ...begun,
      'curvekit: checking the database, the balances and the keys, usually 2 to 30 s',
    ]);
    // Standard output stays JSON.
    expect((JSON.parse(out.join('\n')) as DoctorDocument).findings).not.to.be.empty;
  });
});
