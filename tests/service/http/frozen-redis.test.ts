// Redis freezes: its connections stay open, and nothing is answered.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { checkRedis } from '#app/operator/doctor/process-checks.js';
import { readConfig } from '#app/config/config.js';
import { redisStores } from '#app/http/rate-limit-store.js';
import { redisCheck } from '#app/http/redis-check.js';
import { startRedis, type RedisServer } from '#tests/database/redis.js';
import { useHttpCore } from '#tests/service/http-core.js';
import { eventually } from '#tests/service/service.js';

const SLOW_MS = 100;
/** The first request waits for Redis this long. */
const NOTICED_MS = 2_000;

describe('a Redis that froze', () => {
  const start = useHttpCore();
  let redis: RedisServer;
  before(async () => (redis = await startRedis()));
  after(() => redis.stop());
  afterEach(() => redis.freeze(false));

  async function instance() {
    const registry = new Registry();
    const logged: string[] = [];
    const stores = redisStores(redis.url, pino({}, { write: (line: string) => void logged.push(line) }));
    const check = redisCheck(stores, registry);
    const { server } = await start({ environment: { RATE_LIMIT_REQUESTS: '1000' }, stores, checks: [check] });
    return {
      logged,
      /** @returns how long the request took, and what was left of the limit */
      ask: async () => {
        const began = performance.now();
        const answer = await fetch(`${server.url}/one`);
        expect(answer.status).to.equal(200);
        return { ms: performance.now() - began, left: Number(answer.headers.get('ratelimit-remaining')) };
      },
      ready: async () => {
        const answer = await fetch(`${server.url}/ready`);
        const { checks } = (await answer.json()) as { checks: { redis: string } };
        return `${answer.status} ${checks.redis}`;
      },
      unanswered: async () => /^curvekit_redis_unanswered (\d)$/m.exec(await registry.metrics())?.[1],
    };
  }

  it('delays only the first requests, is reported, and is used again when it answers', async () => {
    const [one, other] = [await instance(), await instance()];
    await one.ask();
    expect((await other.ask()).left).to.equal(998);
    expect([await one.ready(), await one.unanswered()]).to.deep.equal(['200 ok', '0']);

    redis.freeze(true);
    expect((await one.ask()).ms).to.be.below(NOTICED_MS);
    const times: number[] = [];
    // Longer than it takes to connect again and to give up again.
    const until = performance.now() + 5_000;
    while (performance.now() < until) {
      times.push((await one.ask()).ms);
      await sleep(20);
    }
    times.sort((a, b) => a - b);
    expect(times[Math.floor(times.length / 2)], 'the median').to.be.below(SLOW_MS);
    expect(times.filter((ms) => ms > SLOW_MS).length, 'slow ones').to.be.at.most(1);
    await eventually(async () => (await one.unanswered()) === '1', 'the metric', 5_000);
    expect(await one.ready()).to.match(/^200 warning: Redis does not answer; .*REDIS_URL$/);
    expect(one.logged.filter((line) => line.includes('Redis does not answer'))).to.have.length(1);

    redis.freeze(false);
    await eventually(async () => (await one.unanswered()) === '0', 'Redis', 10_000);
    expect(await one.ready()).to.equal('200 ok');
    await eventually(async () => (await other.unanswered()) === '0', 'Redis', 10_000);
    const { left } = await one.ask();
    expect((await other.ask()).left, 'counted together').to.equal(left - 1);
  });

  it('is a finding of the doctor', async () => {
    redis.freeze(true);
    const { state, detail } = await checkRedis(readConfig({ REDIS_URL: redis.url }));
    expect(`${state}: ${detail}`).to.match(/^failure: Redis at 127\.0\.0\.1:\d+ does not answer: /);
  });
});
