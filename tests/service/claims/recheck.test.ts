// `curvekit claims recheck`: a second RPC node decides claims that the service's own node cannot.
import { expect } from 'chai';
import { runCommand, lent } from '#tests/service/cli.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { asRealNode, nodeWithGaps } from '#tests/node/node-with-gaps.js';
import { useClaimsWithGaps } from '#tests/service/claims-with-gaps.js';

describe(`curvekit claims recheck (${DATABASE_KIND})`, function () {
  this.timeout(300_000);
  const { scene, batching, stateOf, outlive, initiated, paid } = useClaimsWithGaps();

  const environment = { RPC_URL: 'http://127.0.0.1:1', LOG_LEVEL: 'silent' };
  const recheck = (...args: string[]) =>
    runCommand(['claims', 'recheck', ...args], environment, lent(scene().database));

  it('ends the claims that the second RPC node can decide, and lists the others', async () => {
    const [landed, never] = [await paid(), await initiated()];
    for (const { signature } of [landed, never]) await outlive(signature);
    batching().rewrite(nodeWithGaps({ from: landed.slot, to: landed.slot }));
    const vain = await recheck('--rpc-url', batching().url, '--json');
    expect(vain.exitCode, vain.err).to.equal(1);
    const { claims } = JSON.parse(vain.out) as {
      claims: { signature: string; state: string; undecided: string }[];
    };
    const of = (wanted: string) => claims.find(({ signature }) => signature === wanted);
    expect(of(landed.signature)?.state).to.equal('IN_PROGRESS');
    expect(of(landed.signature)?.undecided).to.match(/^the node lacks 1 of the blocks from slot \d+ on$/);

    batching().rewrite(asRealNode);
    const one = await recheck(landed.signature, '--rpc-url', batching().url);
    expect([one.exitCode, one.err]).to.deep.equal([0, '']);
    expect(one.out).to.contain(landed.signature).and.to.contain('COMPLETED');
    expect((await recheck('--rpc-url', batching().url)).exitCode).to.equal(0);
    expect(await stateOf(landed.signature)).to.equal('COMPLETED');
    expect(await stateOf(never.signature)).to.equal('EXPIRED');
    expect((await recheck('--rpc-url', batching().url)).out).to.contain('No claim is in progress');
  });

  it('reports invalid arguments', async () => {
    const missing = await recheck();
    expect([missing.exitCode, missing.err.includes('--rpc-url')]).to.deep.equal([2, true]);
    const nonsense = await recheck('--rpc-url', 'archive');
    expect([nonsense.exitCode, nonsense.err.includes('http or https URL')]).to.deep.equal([2, true]);
    const unknown = await recheck('none', '--rpc-url', batching().url);
    expect([unknown.exitCode, unknown.err.includes('there is no claim none')]).to.deep.equal([1, true]);
    const away = await recheck('--rpc-url', 'http://127.0.0.1:1');
    expect([away.exitCode, away.err.includes('set --rpc-url')]).to.deep.equal([1, true]);
  });
});
