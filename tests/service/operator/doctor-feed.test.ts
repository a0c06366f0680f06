import { expect } from 'chai';
import { startYellowstone } from '#tests/node/yellowstone-server.js';
import { useDoctor } from '#tests/service/doctor.js';

describe('curvekit doctor on a gRPC feed', () => {
  const { cluster, stateOf } = useDoctor();

  it('asks the gRPC feed for its slot, with its token', async () => {
    const feed = await startYellowstone('a-secret-of-the-feed');
    try {
      const ask = async (token: string) =>
        (await stateOf('gRPC feed', { YELLOWSTONE_URL: feed.url, YELLOWSTONE_TOKEN: token }))[0];
      feed.slot = await cluster().connection.getSlot('confirmed');
      expect(await ask('a-secret-of-the-feed')).to.include({ state: 'ok' });
      feed.slot += 1_000_000;
      expect((await ask('a-secret-of-the-feed'))?.detail).to.match(/slots ahead of the RPC node$/);
      const refused = await ask('another-secret');
      expect(refused?.detail)
        .to.match(/No valid auth token/)
        .and.not.contain('another');
      expect(refused?.fix).to.match(/YELLOWSTONE_TOKEN/);
    } finally {
      feed.stop();
    }
  });

  it('names a feed that does not answer, and what to do', async () => {
    const [found] = await stateOf('gRPC feed', { YELLOWSTONE_URL: 'http://127.0.0.1:1' });
    expect(found?.state).to.equal('failure');
    expect(found?.detail).to.contain('127.0.0.1:1');
    expect(found?.fix).to.match(/YELLOWSTONE_URL/);
  });
});
