import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { ApiError, ConnectionError, RewardsClient } from '@curvekit/sdk/rewards';
import { rejection } from '#tests/mocha/failures.js';

describe('RewardsClient with a service that misbehaves', function () {
  this.timeout(120_000);
  let server: Server;
  let url: string;
  let answers: { status: number; headers?: Record<string, string>; body: string }[] = [];
  let asked = 0;

  before(async () => {
    server = createServer((request, response) => {
      request.resume();
      asked += 1;
      const { status, headers = {}, body } = answers.length > 1 ? answers.shift()! : answers[0]!;
      response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(body);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => (asked = 0));

  const status = JSON.stringify({ status: 'success', data: { status: 'COMPLETED', message: '' } });
  const limited = { status: 429, body: JSON.stringify({ code: 'RATE_LIMIT_EXCEEDED', message: 'x' }) };
  const fails = (request: Promise<unknown>) => rejection(request, Error);

  it('retries after Retry-After, with limits on the time and the number of retries', async () => {
    const patient = new RewardsClient({ baseUrl: url });
    answers = [
      { ...limited, headers: { 'retry-after': '1' } },
      { status: 503, body: '' },
      { status: 200, body: status },
    ];
    const startedAt = Date.now();
    expect((await patient.status('x')).status).to.equal('COMPLETED');
    expect(asked).to.equal(3);
    expect(Date.now() - startedAt).to.be.at.least(1_400);

    asked = 0;
    answers = [{ ...limited, headers: { 'retry-after': '900' } }];
    const refused = await rejection(patient.status('x'), ApiError);
    expect([refused.code, refused.retryAfterMs, asked]).to.deep.equal(['RATE_LIMIT_EXCEEDED', 900_000, 1]);

    answers = [limited];
    expect(
      (await rejection(new RewardsClient({ baseUrl: url, retries: 1 }).status('x'), ApiError)).status,
    ).to.equal(429);
    expect(asked).to.equal(3);
  });

  it('stops waiting when its signal aborts', async () => {
    answers = [{ ...limited, headers: { 'retry-after': '20' } }];
    const stop = new AbortController();
    setTimeout(() => stop.abort(new Error('enough')), 100);
    expect((await fails(new RewardsClient({ baseUrl: url }).status('x', stop.signal))).message).to.equal(
      'enough',
    );
  });

  it("throws ConnectionError, or the code UNKNOWN, for answers that are not the API's", async () => {
    const hasty = new RewardsClient({ baseUrl: url, retries: 0 });
    for (const body of [
      '<html>',
      '',
      '[]',
      'null',
      '{"data":{"status":"NEW","message":""}}',
      '{"data":{}}',
    ]) {
      answers = [{ status: 200, body }];
      await rejection(hasty.status('x'), ConnectionError);
    }
    answers = [{ status: 404, body: '<html>' }];
    expect((await rejection(hasty.status('x'), ApiError)).code).to.equal('UNKNOWN');
    const nowhere = new RewardsClient({ baseUrl: 'http://127.0.0.1:1', retries: 0 });
    const { HTTPS_PROXY } = process.env;
    process.env['HTTPS_PROXY'] = 'http://proxy.example.com:8080';
    const { message } = await rejection(nowhere.status('x'), ConnectionError);
    delete process.env['HTTPS_PROXY'];
    if (HTTPS_PROXY !== undefined) process.env['HTTPS_PROXY'] = HTTPS_PROXY;
    expect(message).to.match(
      /^the service cannot be reached at http:\/\/127\.0\.0\.1:1\/rewards\/.*: bad port; HTTPS_PROXY is set, and Node.js uses it with NODE_USE_ENV_PROXY=1$/,
    );
    answers = [{ status: 302, headers: { location: 'https://api.example.com/?a=b' }, body: '' }];
    expect((await rejection(hasty.status('x'), ConnectionError)).message).to.match(
      /redirects to https:\/\/api\.example\.com\/: use the URL that it redirects to$/,
    );
    expect(() => new RewardsClient({ baseUrl: 'ftp://x' })).to.throw(/baseUrl/);
  });
});
