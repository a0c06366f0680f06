import { once } from 'node:events'; // threat: silent-node, health-checks, picture-type
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { NotCheckedError, type Check } from '#app/http/health.js';
import { shortenSecrets } from '#app/http/request-log.js';
import { eventually } from '#tests/service/service.js';
import { routeOf, useHttpCore } from '#tests/service/http-core.js';

describe('the HTTP core', () => {
  const start = useHttpCore();

  it('hides the details of a thrown error from the client, and logs them', async () => {
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
        // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- anything can be thrown
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

  it('gives each request an id, keeps a valid X-Request-Id, and logs neither credentials nor whole addresses', async () => {
    const { server, logged } = await start();
    const address = 'So11111111111111111111111111111111111111112';
    const secret = { 'X-Signature': 'sig-secret', 'X-Api-Key': 'key-secret', 'X-Request-Id': 'proxy-1' };
    const kept = await fetch(`${server.url}/one?token=query-secret`, { headers: secret });
    expect(kept.headers.get('x-request-id')).to.equal('proxy-1');
    const replaced = await fetch(`${server.url}/one/${address}`, { headers: { 'X-Request-Id': 'a b' } });
    expect(replaced.headers.get('x-request-id')).to.match(/^[\da-f-]{36}$/);
    await eventually(() => logged().includes('/one/So111111…'), 'the log');
    expect(logged())
      .to.include('proxy-1')
      .and.not.match(/secret|So11111111111/);
    expect(shortenSecrets('/one/short?x=y')).to.equal('/one/short');
  });

  it('sends security headers, and allows CORS only for configured origins', async () => {
    const { server: closed } = await start();
    const answer = await fetch(`${closed.url}/one`, { headers: { Origin: 'https://app.example.com' } });
    expect(answer.headers.get('access-control-allow-origin')).to.equal(null);
    expect(answer.headers.get('x-content-type-options')).to.equal('nosniff');
    expect(answer.headers.get('content-security-policy')).to.include("default-src 'self'");
    expect(answer.headers.get('x-powered-by')).to.equal(null);

    const { server } = await start({ environment: { CORS_ORIGINS: 'https://app.example.com' } });
    // web3.js and Kit send `solana-client`.
    const asked = 'content-type,solana-client,traceparent,x-signature';
    const preflight = (origin: string) =>
      fetch(`${server.url}/one`, {
        method: 'OPTIONS',
        headers: {
          Origin: origin,
          'Access-Control-Request-Method': 'POST',
          'Access-Control-Request-Headers': asked,
        },
      });
    const allowed = await preflight('https://app.example.com');
    expect(allowed.headers.get('access-control-allow-origin')).to.equal('https://app.example.com');
    expect(allowed.headers.get('access-control-allow-headers')).to.equal(asked);
    expect((await preflight('https://evil.example.com')).headers.get('access-control-allow-origin')).to.equal(
      null,
    );
  });

  it('runs a check once for concurrent requests, and again soon if it could not complete', async () => {
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
    // The check hangs: every request gets the timeout result, and the check does not start a second time.
    for (let time = 0; time < 2; time += 1) {
      await Promise.all(Array.from({ length: 20 }, ask));
      expect(await result()).to.match(/did not answer in 100 ms/);
      await sleep(1_100);
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
    await sleep(1_100);
    expect(await result()).to.equal('ok');
    expect(runs).to.equal(made);
  });

  it('gives up a check that hangs, and asks again', async () => {
    let runs = 0;
    const check: Check = {
      name: 'thing',
      timeoutMs: 100,
      givenUpMs: 500,
      run: () => {
        runs += 1;
        return runs === 1 ? new Promise(() => undefined) : Promise.resolve();
      },
    };
    const { server } = await start({ checks: [check] });
    const ready = async () => (await fetch(`${server.url}/ready`)).status;
    expect(await ready()).to.equal(503);
    await eventually(async () => (await ready()) === 200, 'another run', 5_000);
    expect(runs).to.equal(2);
  });

  it('finishes requests in progress before it closes', async () => {
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
    await eventually(() => began, 'the request');
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

  it('closes after its timeout even if a request does not finish', async () => {
    const { server } = await start({ routes: [routeOf('/one/never', () => new Promise(() => undefined))] });
    const answer = fetch(`${server.url}/one/never`).catch(() => 'cut off');
    await sleep(100);
    const startedAt = Date.now();
    await server.close(200);
    expect(await answer).to.equal('cut off');
    expect(Date.now() - startedAt).to.be.lessThan(5_000);
  });

  it('answers 431 to a request whose headers are too large', async () => {
    const { server } = await start();
    const { port } = new URL(server.url);
    const headers = { host: 'x', 'x-long': 'y'.repeat(20_000) };
    const request = httpRequest({ port, path: '/one', headers }).end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).to.equal(431);
  });
});
