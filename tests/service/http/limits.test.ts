// Rate limits per address: direct, behind proxies, and shared in Redis. threat: metrics-past-proxy, flood, flood-of-networks, proxy-ports
import { expect } from 'chai';
import { pino } from 'pino';
import { redisStores } from '#app/http/rate-limit-store.js';
import { startRedis, type RedisServer } from '#tests/database/redis.js';
import { eventually } from '#tests/service/service.js';
import { useHttpCore } from '#tests/service/http-core.js';

describe('rate limits of the HTTP core', () => {
  const start = useHttpCore();
  const FORWARDED = 'X-Forwarded-For';
  const statuses = async (url: string, count: number, headers: Record<string, string> = {}) => {
    const all: number[] = [];
    for (let sent = 0; sent < count; sent += 1) all.push((await fetch(url, { headers })).status);
    return all;
  };

  it('has nothing at other spellings of the operator’s paths, which a proxy would not block', async () => {
    const { server } = await start();
    for (const path of ['/METRICS', '/metrics/', '/Health', '/READY', '/ready/'])
      expect((await fetch(server.url + path)).status, path).to.equal(404);
  });

  it('allow 100 requests in 15 minutes, and report that in headers', async () => {
    const { server } = await start();
    const first = await fetch(`${server.url}/one`);
    expect(first.headers.get('ratelimit-limit')).to.equal('100');
    expect(first.headers.get('ratelimit-remaining')).to.equal('99');
    expect(Number(first.headers.get('ratelimit-reset'))).to.be.within(895, 900);
    expect(first.headers.get('ratelimit-policy')).to.equal('100;w=900');
    expect(await statuses(`${server.url}/one`, 99)).to.deep.equal(Array.from({ length: 99 }, () => 200));
    const over = await fetch(`${server.url}/one`);
    expect(over.status).to.equal(429);
    expect(Number(over.headers.get('retry-after'))).to.be.within(890, 900);
    expect(over.headers.get('ratelimit-remaining')).to.equal('0');
    expect(await over.json()).to.deep.equal({
      status: 'error',
      code: 'RATE_LIMIT_EXCEEDED',
      message: 'Too many requests from this address; try again later',
    });
    // Each API has its own counter, and its own format of the error.
    expect(await statuses(`${server.url}/two`, 100))
      .to.include(200)
      .and.not.include(429);
    expect(await (await fetch(`${server.url}/two`)).json()).to.deep.equal({
      message: 'Too many requests from this address; try again later',
      error: 'RATE_LIMIT_EXCEEDED',
      statusCode: '429',
    });
  });

  it('count unknown paths, bad requests and refused methods', async () => {
    const { server } = await start({ environment: { RATE_LIMIT_REQUESTS: '3' } });
    expect(await statuses(`${server.url}/one/none`, 2)).to.deep.equal([404, 404]);
    expect((await fetch(`${server.url}/one`, { method: 'POST' })).status).to.equal(405);
    expect(await statuses(`${server.url}/one`, 1)).to.deep.equal([429]);
    expect(await statuses(`${server.url}/none`, 4)).to.deep.equal([404, 404, 404, 429]);
  });

  it('do not count requests for health, metrics and documents', async () => {
    const { server } = await start({ environment: { RATE_LIMIT_REQUESTS: '1' } });
    for (const path of ['/health', '/ready', '/metrics', '/docs', '/docs/swagger-ui.css', '/openapi.json'])
      expect(await statuses(server.url + path, 3), path).to.deep.equal([200, 200, 200]);
  });

  it('reset when the window ends', async () => {
    const { server } = await start({
      environment: { RATE_LIMIT_REQUESTS: '1', RATE_LIMIT_WINDOW_SECONDS: '1' },
    });
    expect(await statuses(`${server.url}/one`, 2)).to.deep.equal([200, 429]);
    await eventually(async () => (await fetch(`${server.url}/one`)).status === 200, 'the next window', 3_000);
  });

  it('accept X-Forwarded-For only from configured proxies', async () => {
    const one = { RATE_LIMIT_REQUESTS: '1' };
    const { server: direct } = await start({ environment: one });
    expect(await statuses(`${direct.url}/one`, 1, { [FORWARDED]: '192.0.2.1' })).to.deep.equal([200]);
    expect(await statuses(`${direct.url}/one`, 1, { [FORWARDED]: '192.0.2.2' })).to.deep.equal([429]);

    const { server: behindOne } = await start({ environment: { ...one, TRUST_PROXY: '1' } });
    expect(await statuses(`${behindOne.url}/one`, 1, { [FORWARDED]: '192.0.2.1' })).to.deep.equal([200]);
    expect(await statuses(`${behindOne.url}/one`, 1, { [FORWARDED]: '192.0.2.2' })).to.deep.equal([200]);
    // The client's own entries come before the one that the proxy appends.
    const forged = { [FORWARDED]: '198.51.100.7, 192.0.2.2' };
    expect(await statuses(`${behindOne.url}/one`, 1, forged)).to.deep.equal([429]);
    expect(await statuses(`${behindOne.url}/one`, 2, { [FORWARDED]: 'nonsense' })).to.deep.equal([200, 429]);
  });

  it('parse forwarded addresses with port, brackets or IPv4-mapped IPv6, and count invalid ones as one client', async () => {
    const { server } = await start({ environment: { RATE_LIMIT_REQUESTS: '1', TRUST_PROXY: '1' } });
    const same = [
      ['192.0.2.1', '192.0.2.1:5678', '192.0.2.1:5679', '::ffff:192.0.2.1', '[::ffff:c000:201]:443'],
      ['2001:db8::1', '[2001:db8::1]', '[2001:db8::1]:443', '[2001:DB8:0:0::2]:444', '2001:db8::ffff'],
      ['nonsense', 'unknown', '_hidden', '[::1', '192.0.2.1:', '192.0.2.999', '[192.0.2.1]x', '1.2.3.4:99:1'],
    ];
    for (const forms of same) {
      const [first, ...others] = forms as [string, ...string[]];
      expect(await statuses(`${server.url}/one`, 1, { [FORWARDED]: first }), first).to.deep.equal([200]);
      for (const form of others)
        expect(await statuses(`${server.url}/one`, 1, { [FORWARDED]: form }), form).to.deep.equal([429]);
    }
  });

  it('trust proxies by address, even if one appends its port', async () => {
    const { server } = await start({
      environment: { RATE_LIMIT_REQUESTS: '1', TRUST_PROXY: '127.0.0.0/8,10.0.0.0/8,2001:db8:ffff::/48' },
    });
    const through = (client: string) =>
      statuses(`${server.url}/one`, 1, { [FORWARDED]: `${client}, [2001:db8:ffff::1]:80, 10.0.0.5:1234` });
    expect(await through('192.0.2.1')).to.deep.equal([200]);
    expect(await through('192.0.2.2:99')).to.deep.equal([200]);
    expect(await through('192.0.2.1:7')).to.deep.equal([429]);
    // A client cannot get a counter of its own by inserting a made-up proxy.
    expect(await through('198.51.100.1, 192.0.2.2')).to.deep.equal([429]);
  });

  it('count an IPv6 /64 as one client, and allow its /48 ten times the limit', async () => {
    const { server } = await start({ environment: { RATE_LIMIT_REQUESTS: '4', TRUST_PROXY: '1' } });
    const from = (address: string, count = 1) =>
      statuses(`${server.url}/one`, count, { [FORWARDED]: address });
    // Refused requests of a /64 do not count against its /48.
    expect(await from('2001:db8:1:1::1', 60)).to.deep.equal([
      ...Array.from({ length: 4 }, () => 200),
      ...Array.from({ length: 56 }, () => 429),
    ]);
    const answers: number[] = [];
    for (let subnet = 2; subnet <= 301; subnet += 1)
      answers.push(...(await from(`2001:db8:1:${subnet.toString(16)}::1`)));
    expect(answers.filter((status) => status === 200)).to.have.length(36);
    expect(answers.slice(36).every((status) => status === 429)).to.equal(true);
    const over = await fetch(`${server.url}/one`, { headers: { [FORWARDED]: '2001:db8:1:ffff::1' } });
    expect([
      over.status,
      over.headers.get('ratelimit-policy'),
      over.headers.get('ratelimit-remaining'),
    ]).to.deep.equal([429, '40;w=900', '0']);
    expect(Number(over.headers.get('retry-after'))).to.be.within(800, 900);
    expect(await from('2001:db8:2:1::1')).to.deep.equal([200]);
  });

  describe('in Redis', () => {
    let redis: RedisServer;
    before(async () => (redis = await startRedis()));
    after(() => redis.stop());
    const shared = () => redisStores(redis.url, pino({ level: 'silent' }));

    it('are shared by instances', async () => {
      const environment = { RATE_LIMIT_REQUESTS: '10' };
      const [a, b] = await Promise.all([
        start({ environment, stores: shared() }),
        start({ environment, stores: shared() }),
      ]);
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, index) => fetch(`${(index % 2 === 0 ? a : b).server.url}/one`)),
      );
      expect(answers.filter(({ status }) => status === 200)).to.have.length(10);
      expect(answers.filter(({ status }) => status === 429)).to.have.length(20);
    });

    it('are kept in memory while Redis is down, and in Redis once it is back', async () => {
      const environment = { RATE_LIMIT_REQUESTS: '2' };
      const [a, b] = await Promise.all([
        start({ environment, stores: shared() }),
        start({ environment, stores: shared() }),
      ]);
      const port = Number(new URL(redis.url).port);
      expect(await statuses(`${a.server.url}/two`, 2)).to.deep.equal([200, 200]);
      await redis.stop();
      expect(await statuses(`${a.server.url}/two`, 3)).to.deep.equal([200, 200, 429]);
      expect(await statuses(`${b.server.url}/two`, 3)).to.deep.equal([200, 200, 429]);
      redis = await startRedis(port);
      await eventually(async () => (await fetch(`${b.server.url}/two`)).status === 200, 'Redis', 10_000);
      await eventually(
        async () => (await fetch(`${a.server.url}/two`)).status === 429,
        'a shared counter',
        10_000,
      );
    });
  });
});
