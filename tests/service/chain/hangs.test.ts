// A node that accepts requests and never answers them. The service recovers as soon as the node is well again. threat: silent-node
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { SOL } from '#tests/constants.js';
import { useClaims } from '#tests/service/claims.js';
import { eventually } from '#tests/service/service.js';

const HANGS_MS = 3_000;
/** From the end of the outage. */
const RECOVERY_MS = 15_000;

describe('a service whose node hangs', () => {
  const { proxy, scene, rewarded, claimSol } = useClaims();
  const ready = async () => (await fetch(`${scene.service.url}/ready`)).status;

  it('is ready and pays claims within 15 seconds after the node answers again', async () => {
    await eventually(async () => (await ready()) === 200, 'the service to be ready', 60_000);
    const wallets = [await rewarded('SOL', SOL), await rewarded('SOL', SOL)] as const;
    proxy().setHanging(true);
    await sleep(1_100); // until the last results of the checks are no longer reused
    const during = Promise.all([ready(), ready(), claimSol(wallets[0])]);
    await sleep(HANGS_MS);
    proxy().setHanging(false);
    const from = performance.now();
    const [status, , refused] = await during;
    expect(status).to.equal(503);
    expect([refused.status, refused.body['code']]).to.deep.equal([503, 'SERVICE_UNAVAILABLE']);
    await eventually(async () => (await ready()) === 200, 'the service to be ready again', RECOVERY_MS);
    const { status: claimed, text } = await claimSol(wallets[1]);
    expect(claimed, text).to.equal(200);
    expect(performance.now() - from).to.be.below(RECOVERY_MS);
  });
});
