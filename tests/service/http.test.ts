import { request as httpRequest } from 'node:http';
import { expect } from 'chai';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { readConfig } from '#app/config/config.js';
import type { Api } from '#app/http/api.js';
import { createApp } from '#app/http/app.js';
import { envelopeErrors, plainErrors } from '#app/http/error-shapes.js';
import { CheckWarning, NotCheckedError, type Check } from '#app/http/health.js';
import { toJson } from '#app/http/json.js';
import { clientCounters, plainAddress, trustedProxies } from '#app/http/client-address.js';
import { memoryStores, redisStores, type LimitStores } from '#app/http/rate-limit-store.js';
import { shortenSecrets } from '#app/http/request-log.js';
import { defineRoute, type Route } from '#app/http/route.js';
import { listen, type RunningServer } from '#app/http/server.js';
import { z } from '#app/http/zod.js';
import { parseJson } from '#sdk/http/json.js';
import { startRedis, type RedisServer } from '#tests/database/redis.js';
import { eventually } from '#tests/service/service.js';

const ANSWER = z.strictObject({ ok: z.boolean() });

/** A route that does what the test says. */
function routeOf(path: string, handler: () => Promise<{ ok: boolean }>): Route {
  return defineRoute({
    method: 'get',
    path,
    operationId: path.replaceAll('/', '_'),
    summary: path,
    answer: ANSWER,
    answerDescription: 'Fine',
    handler,
  });
}

interface Started {
  readonly server: RunningServer;
  readonly logged: () => string;
}

describe('the HTTP core', () => {
  const running: { readonly server: RunningServer; readonly stores: LimitStores }[] = [];

  afterEach(async () => {
    for (const { server, stores } of running.splice(0)) {
      await server.close(100);
      stores.close();
    }
  });

  async function start({
    environment = {},
    routes = [],
    stores = memoryStores(),
    checks = [],
    isClosing = () => false,
  }: {
    environment?: Record<string, string>;
    routes?: readonly Route[];
    stores?: LimitStores;
    checks?: readonly Check[];
    isClosing?: () => boolean;
  } = {}): Promise<Started> {
    const lines: string[] = [];
    const sink = { write: (line: string) => void lines.push(line) };
    const ok = () => Promise.resolve({ ok: true });
    const api = (name: string, prefix: string, errors: Api['errors'], more: readonly Route[] = []): Api => ({
      name,
      description: name,
      prefix,
      errors,
      routes: [routeOf(prefix, ok), ...more],
    });
    const { app } = createApp({
      config: readConfig(environment).http,
      serviceName: 'Test',
      version: '1.0.0',
      logger: pino({ level: 'info' }, sink),
      registry: new Registry(),
      apis: [api('one', '/one', envelopeErrors, routes), api('two', '/two', plainErrors)],
      stores,
      healthChecks: checks,
      readyChecks: checks,
      isClosing,
    });
    const server = await listen(app, { host: '127.0.0.1', port: 0 });
    running.push({ server, stores });
    return { server, logged: () => lines.join('') };
  }

  describe('limits', () => {
    const FORWARDED = 'X-Forwarded-For';
    const statuses = async (url: string, count: number, headers: Record<string, string> = {}) => {
      const all: number[] = [];
      for (let sent = 0; sent < count; sent += 1) all.push((await fetch(url, { headers })).status);
      return all;
    };

    it('are 100 requests in 15 minutes, with headers that say so', async () => {
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
      // Each API counts for itself, and says it in its shape.
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

    it('do not count health, metrics and documents', async () => {
      const { server } = await start({ environment: { RATE_LIMIT_REQUESTS: '1' } });
      for (const path of [
        '/health',
        '/ready',
        '/metrics',
        '/docs',
        '/docs/swagger-ui.css',
        '/openapi.json',
      ]) {
        expect(await statuses(server.url + path, 3), path).to.deep.equal([200, 200, 200]);
      }
    });

    it('begin anew with the window', async () => {
      const { server } = await start({
        environment: { RATE_LIMIT_REQUESTS: '1', RATE_LIMIT_WINDOW_SECONDS: '1' },
      });
      expect(await statuses(`${server.url}/one`, 2)).to.deep.equal([200, 429]);
      await eventually(
        async () => (await fetch(`${server.url}/one`)).status === 200,
        'the next window',
        3_000,
      );
    });

    it('believe X-Forwarded-For only of configured proxies', async () => {
      const one = { RATE_LIMIT_REQUESTS: '1' };
      const { server: direct } = await start({ environment: one });
      expect(await statuses(`${direct.url}/one`, 1, { [FORWARDED]: '192.0.2.1' })).to.deep.equal([200]);
      expect(await statuses(`${direct.url}/one`, 1, { [FORWARDED]: '192.0.2.2' })).to.deep.equal([429]);

      const { server: behindOne } = await start({ environment: { ...one, TRUST_PROXY: '1' } });
      expect(await statuses(`${behindOne.url}/one`, 1, { [FORWARDED]: '192.0.2.1' })).to.deep.equal([200]);
      expect(await statuses(`${behindOne.url}/one`, 1, { [FORWARDED]: '192.0.2.2' })).to.deep.equal([200]);
      // What the client itself claims stands before what the proxy adds.
      const forged = { [FORWARDED]: '198.51.100.7, 192.0.2.2' };
      expect(await statuses(`${behindOne.url}/one`, 1, forged)).to.deep.equal([429]);
      expect(await statuses(`${behindOne.url}/one`, 2, { [FORWARDED]: 'nonsense' })).to.deep.equal([
        200, 429,
      ]);
    });

    it('read forwarded addresses with ports and in brackets, IPv4 in IPv6, and garbage as one client', async () => {
      const { server } = await start({ environment: { RATE_LIMIT_REQUESTS: '1', TRUST_PROXY: '1' } });
      const same = [
        ['192.0.2.1', '192.0.2.1:5678', '192.0.2.1:5679', '::ffff:192.0.2.1', '[::ffff:c000:201]:443'],
        ['2001:db8::1', '[2001:db8::1]', '[2001:db8::1]:443', '[2001:DB8:0:0::2]:444', '2001:db8::ffff'],
        [
          'nonsense',
          'unknown',
          '_hidden',
          '[::1',
          '192.0.2.1:',
          '192.0.2.999',
          '[192.0.2.1]x',
          '1.2.3.4:99:1',
        ],
      ];
      for (const forms of same) {
        const [first, ...others] = forms as [string, ...string[]];
        expect(await statuses(`${server.url}/one`, 1, { [FORWARDED]: first }), first).to.deep.equal([200]);
        for (const form of others)
          expect(await statuses(`${server.url}/one`, 1, { [FORWARDED]: form }), form).to.deep.equal([429]);
      }
    });

    it('trust proxies by address, though one adds its port', async () => {
      const { server } = await start({
        environment: { RATE_LIMIT_REQUESTS: '1', TRUST_PROXY: '127.0.0.0/8,10.0.0.0/8,2001:db8:ffff::/48' },
      });
      const through = (client: string) =>
        statuses(`${server.url}/one`, 1, { [FORWARDED]: `${client}, [2001:db8:ffff::1]:80, 10.0.0.5:1234` });
      expect(await through('192.0.2.1')).to.deep.equal([200]);
      expect(await through('192.0.2.2:99')).to.deep.equal([200]);
      expect(await through('192.0.2.1:7')).to.deep.equal([429]);
      // Nobody gets a counter of its own by naming a proxy that is not there.
      expect(await through('198.51.100.1, 192.0.2.2')).to.deep.equal([429]);
      const trust = trustedProxies(['10.0.0.0/8', '2001:db8::1']);
      expect(
        ['10.1.2.3:4', '::ffff:10.1.2.3', '[2001:db8::1]:5', '11.0.0.1', '2001:db8::2', 'x'].map((address) =>
          trust(address, 0),
        ),
      ).to.deep.equal([true, true, true, false, false, false]);
    });

    it('take an IPv6 /64 as one client, and its /48 as ten', async () => {
      const counters = (text: string) => {
        const { client, network } = clientCounters(text);
        return [client, network];
      };
      expect(counters('2001:db8:1:2:3:4:5:6')).to.deep.equal(['2001:db8:1:2::/64', '2001:db8:1::/48']);
      expect(counters('2001:db8::')).to.deep.equal(['2001:db8:0:0::/64', '2001:db8:0::/48']);
      expect(counters('::1')).to.deep.equal(['0:0:0:0::/64', '0:0:0::/48']);
      expect(counters('fe80::1%eth0')).to.deep.equal(['fe80:0:0:0::/64', 'fe80:0:0::/48']);
      expect(clientCounters(undefined)).to.deep.equal({ client: 'unknown' });
      expect(plainAddress('64:ff9b::192.0.2.33')).to.equal('64:ff9b:0:0:0:0:c000:221');

      const { server } = await start({ environment: { RATE_LIMIT_REQUESTS: '4', TRUST_PROXY: '1' } });
      const from = (address: string, count = 1) =>
        statuses(`${server.url}/one`, count, { [FORWARDED]: address });
      // A /64 over its limit takes nothing from its neighbours.
      expect(await from('2001:db8:1:1::1', 60)).to.deep.equal([
        ...Array.from({ length: 4 }, () => 200),
        ...Array.from({ length: 56 }, () => 429),
      ]);
      const answers: number[] = [];
      for (let subnet = 2; subnet <= 301; subnet += 1) {
        answers.push(...(await from(`2001:db8:1:${subnet.toString(16)}::1`)));
      }
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
      before(async () => {
        redis = await startRedis();
      });
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

      it('are shared of an IPv6 /48', async () => {
        const environment = { RATE_LIMIT_REQUESTS: '3', TRUST_PROXY: '1' };
        const [a, b] = await Promise.all([
          start({ environment, stores: shared() }),
          start({ environment, stores: shared() }),
        ]);
        const answers: number[] = [];
        for (let subnet = 0; subnet < 40; subnet += 1) {
          const { server } = subnet % 2 === 0 ? a : b;
          const headers = { [FORWARDED]: `2001:db8:7:${subnet.toString(16)}::1` };
          answers.push(...(await statuses(`${server.url}/one`, 1, headers)));
        }
        expect(answers).to.deep.equal([
          ...Array.from({ length: 30 }, () => 200),
          ...Array.from({ length: 10 }, () => 429),
        ]);
      });

      it('go on in memory while Redis is away, and in Redis when it is back', async () => {
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

  it('answers what is thrown without a word of its inside, and logs it', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.7:5432'), { code: 'ECONNREFUSED' });
    const unusable = new Error('Client has encountered a connection error and is not queryable');
    const { server, logged } = await start({
      routes: [
        routeOf('/one/unusable', () => Promise.reject(new Error('Failed query', { cause: unusable }))),
        routeOf('/one/several', () =>
          Promise.reject(new AggregateError([new Error('no'), refused], '', { cause: new Error('neither') })),
        ),
        routeOf('/one/bug', () => Promise.reject(new Error('password is swordfish'))),
        routeOf('/one/away', () => Promise.reject(new Error('query failed', { cause: refused }))),
        // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors -- anything can be thrown
        routeOf('/one/odd', () => Promise.reject('text')),
      ],
    });
    const bug = await fetch(`${server.url}/one/bug`);
    expect([bug.status, await bug.json()]).to.deep.equal([
      500,
      { status: 'error', code: 'INTERNAL_ERROR', message: 'The service failed; try again later' },
    ]);
    expect((await fetch(`${server.url}/one/odd`)).status).to.equal(500);
    for (const path of ['unusable', 'several'])
      expect((await fetch(`${server.url}/one/${path}`)).status, path).to.equal(503);
    const away = await fetch(`${server.url}/one/away`);
    expect([away.status, away.headers.get('retry-after')]).to.deep.equal([503, '5']);
    expect(await away.text())
      .to.include('SERVICE_UNAVAILABLE')
      .and.not.include('10.0.0.7');
    expect(logged()).to.include('swordfish');
  });

  it('gives each request an id, a proxy’s own if it is one, and logs neither credentials nor whole addresses', async () => {
    const { server, logged } = await start();
    const address = 'So11111111111111111111111111111111111111112';
    const secret = { 'X-Signature': 'sig-secret', 'X-Api-Key': 'key-secret', 'X-Request-Id': 'proxy-1' };
    const kept = await fetch(`${server.url}/one?token=query-secret`, { headers: secret });
    expect(kept.headers.get('x-request-id')).to.equal('proxy-1');
    const replaced = await fetch(`${server.url}/one/${address}`, { headers: { 'X-Request-Id': 'a b' } });
    expect(replaced.headers.get('x-request-id')).to.match(/^[\da-f-]{36}$/);
    await eventually(() => Promise.resolve(logged().includes('/one/So111111…')), 'the log');
    expect(logged())
      .to.include('proxy-1')
      .and.not.match(/secret|So11111111111/);
    expect(shortenSecrets('/one/short?x=y')).to.equal('/one/short');
  });

  it('sends the headers that protect browsers, and lets configured origins in only', async () => {
    const { server: closed } = await start();
    const answer = await fetch(`${closed.url}/one`, { headers: { Origin: 'https://app.example.com' } });
    expect(answer.headers.get('access-control-allow-origin')).to.equal(null);
    expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(answer.headers.get('content-security-policy')).to.include("default-src 'self'");
    expect(answer.headers.get('x-powered-by')).to.equal(null);

    const { server } = await start({ environment: { CORS_ORIGINS: 'https://app.example.com' } });
    const preflight = (origin: string) =>
      fetch(`${server.url}/one`, {
        method: 'OPTIONS',
        headers: { Origin: origin, 'Access-Control-Request-Method': 'POST' },
      });
    const allowed = await preflight('https://app.example.com');
    expect(allowed.headers.get('access-control-allow-origin')).to.equal('https://app.example.com');
    expect(allowed.headers.get('access-control-allow-headers')).to.include('X-Signature');
    expect((await preflight('https://evil.example.com')).headers.get('access-control-allow-origin')).to.equal(
      null,
    );
  });

  it('says how it is', async () => {
    let fault: string | undefined = undefined as string | undefined;
    let closing = false;
    const check: Check = {
      name: 'thing',
      keptMs: 1,
      run: () => (fault === undefined ? Promise.resolve() : Promise.reject(new Error(fault))),
    };
    const { server } = await start({ checks: [check], isClosing: () => closing });
    const ask = async (path: string) => {
      const answer = await fetch(server.url + path);
      return [answer.status, await answer.json()] as const;
    };
    expect(await ask('/health')).to.deep.equal([200, { status: 'ok', checks: { thing: 'ok' } }]);
    expect(await ask('/ready')).to.deep.equal([200, { status: 'ready', checks: { thing: 'ok' } }]);
    fault = 'is broken';
    await eventually(async () => (await ask('/ready'))[0] === 503, 'the check');
    expect(await ask('/ready')).to.deep.equal([503, { status: 'not ready', checks: { thing: 'is broken' } }]);
    expect(await ask('/health')).to.deep.equal([200, { status: 'ok', checks: { thing: 'is broken' } }]);
    closing = true;
    expect((await ask('/ready'))[1]).to.include({ status: 'closing' });
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).to.match(
      /curvekit_http_request_seconds_count\{method="GET",route="\/health",status="200"\} 2/,
    );
  });

  it('makes a check once for all who ask, and soon again if it could not be made', async () => {
    let runs = 0;
    let end: (error?: Error) => void = () => undefined;
    const check: Check = {
      name: 'thing',
      keptMs: 60_000,
      timeoutMs: 100,
      run: () => {
        runs += 1;
        return new Promise((resolve, reject) => {
          end = (error) => (error === undefined ? resolve() : reject(error));
        });
      },
    };
    const { server } = await start({ checks: [check] });
    const ask = () => Promise.all(['/health', '/ready'].map((path) => fetch(server.url + path)));
    const result = async () => {
      const { checks } = (await (await fetch(`${server.url}/health`)).json()) as {
        checks: { thing: string };
      };
      return checks.thing;
    };
    // It hangs: all are told so, and it is not begun a second time.
    for (let time = 0; time < 2; time += 1) {
      await Promise.all(Array.from({ length: 20 }, ask));
      expect(await result()).to.match(/did not answer in 100 ms/);
      await new Promise((resolve) => setTimeout(resolve, 1_100));
    }
    expect(runs).to.equal(1);
    const untilEndedWith = (error: Error | undefined, expected: string) =>
      eventually(async () => {
        const asked = result();
        setTimeout(() => end(error), 20);
        return (await asked) === expected;
      }, expected);
    await untilEndedWith(new NotCheckedError('does not answer'), 'does not answer');
    await untilEndedWith(undefined, 'ok');
    const made = runs;
    await Promise.all(Array.from({ length: 20 }, ask));
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await result()).to.equal('ok');
    expect(runs).to.equal(made);
  });

  it('stays ready with a warning, and says it', async () => {
    let found: Error | undefined = new CheckWarning('2 things are odd; run a command');
    const check: Check = {
      name: 'thing',
      keptMs: 1,
      run: () => (found === undefined ? Promise.resolve() : Promise.reject(found)),
    };
    const { server } = await start({ checks: [check] });
    const ready = async () => {
      const answer = await fetch(`${server.url}/ready`);
      return [answer.status, (await answer.json()) as unknown];
    };
    const warned = { thing: 'warning: 2 things are odd; run a command' };
    expect(await ready()).to.deep.equal([200, { status: 'ready', checks: warned }]);
    found = new Error('does not answer');
    const failed = { status: 'not ready', checks: { thing: 'does not answer' } };
    await eventually(async () => (await ready())[0] === 503, 'the failure');
    expect(await ready()).to.deep.equal([503, failed]);
  });

  it('finishes what is under way before it closes', async () => {
    let finish: () => void = () => undefined;
    const slow = new Promise<void>((resolve) => (finish = resolve));
    let began = false;
    const { server } = await start({
      routes: [
        routeOf('/one/slow', async () => {
          began = true;
          await slow;
          return { ok: true };
        }),
      ],
    });
    const answer = fetch(`${server.url}/one/slow`);
    await eventually(() => Promise.resolve(began), 'the request');
    let closed = false;
    const startedAt = Date.now();
    const closing = server.close(10_000).then(() => (closed = true));
    expect(await fetch(`${server.url}/one`).catch(() => 'refused')).to.equal('refused');
    expect(closed).to.equal(false);
    finish();
    expect([(await answer).status, await (await answer).json()]).to.deep.equal([200, { ok: true }]);
    await closing;
    expect(Date.now() - startedAt).to.be.lessThan(5_000);
  });

  it('gives up on what does not finish', async () => {
    const { server } = await start({ routes: [routeOf('/one/never', () => new Promise(() => undefined))] });
    const answer = fetch(`${server.url}/one/never`).catch(() => 'cut off');
    await new Promise((resolve) => setTimeout(resolve, 100));
    const startedAt = Date.now();
    await server.close(200);
    expect(await answer).to.equal('cut off');
    expect(Date.now() - startedAt).to.be.lessThan(5_000);
  });

  it('does not fall for malformed HTTP', async () => {
    const { server } = await start();
    const { port } = new URL(server.url);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const request = httpRequest({
        port,
        path: '/one',
        headers: { host: 'x', 'x-long': 'y'.repeat(20_000) },
      });
      request
        .on('response', (response) => resolve(response.statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).to.equal(431);
  });

  it('writes integers of any size exactly, and reads them back', () => {
    const value = {
      a: 2n ** 64n - 1n,
      b: [-(2n ** 70n), 1n, 0.5, 'x"\u0000', null, true],
      c: undefined,
      d: {},
    };
    const text = toJson(value);
    expect(text).to.equal(
      '{"a":18446744073709551615,"b":[-1180591620717411303424,1,0.5,"x\\"\\u0000",null,true],"d":{}}',
    );
    expect(parseJson(text)).to.deep.equal({
      a: value.a,
      d: {},
      b: [-(2n ** 70n), 1, 0.5, 'x"\u0000', null, true],
    });
  });
});
