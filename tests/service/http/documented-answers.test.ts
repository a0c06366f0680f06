// Tests DocumentedAnswers, the check of every API answer against the OpenAPI document.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { RewardsClient } from '@curvekit/sdk/rewards';
import { DocumentedAnswers, takeFaults, type Answered } from '#tests/service/documented-answers.js';
import { rejection } from '#tests/mocha/failures.js';

const ANSWER = {
  headers: { 'RateLimit-Limit': { schema: { type: 'string' } } },
  content: {
    'application/json': {
      schema: { type: 'object', required: ['status'], properties: { status: { enum: ['success'] } } },
    },
  },
};
const DOCUMENT = {
  openapi: '3.1.0',
  paths: {
    '/rewards/{signature}/status': {
      get: { responses: { 200: ANSWER, 404: { $ref: '#/components/responses/NotFound' } } },
    },
  },
  components: {
    responses: {
      NotFound: {
        content: { 'application/json': { schema: { type: 'object', required: ['code'] } } },
      },
    },
  },
};

describe('DocumentedAnswers', () => {
  const answers = new DocumentedAnswers(DOCUMENT);
  const answer = (changes: Partial<{ status: number; headers: object; text: string }> = {}): Answered => {
    const { status = 200, text = '{"status":"success"}', headers } = changes;
    const own = headers ?? { 'content-type': 'application/json; charset=utf-8', 'ratelimit-limit': '100' };
    return { status, text, headers: new Headers(own as Record<string, string>) };
  };
  const PATH = '/rewards/x/status';
  const checking = (changes?: Parameters<typeof answer>[0], path = PATH, undocumented?: boolean) => {
    return () => answers.check('GET', path, answer(changes), undocumented);
  };

  it('accepts documented answers, and every answer outside the APIs', () => {
    expect(checking()).not.to.throw();
    expect(checking({ status: 404, text: '{"code":"CLAIM_NOT_FOUND"}' })).not.to.throw();
    expect(checking({ text: 'ok' }, '/health')).not.to.throw();
    expect(() => answers.check('HEAD', PATH, answer({ text: '' }))).not.to.throw();
  });

  it('checks status, content type, body and headers', () => {
    expect(checking({ status: 201 })).to.throw('201 is not in the document');
    expect(checking({ headers: { 'ratelimit-limit': '1' } })).to.throw('is not JSON');
    expect(checking({ text: '{"status":"error"}' })).to.throw('is not as documented');
    expect(checking({ status: 404, text: '{}' })).to.throw('is not as documented');
    expect(checking({ headers: { 'content-type': 'application/json' } })).to.throw(
      'has no header RateLimit-Limit',
    );
  });

  it('requires every path and method to be documented, unless the test says that it is not', () => {
    const refused = { status: 404, text: '{}' };
    expect(checking(refused, '/rewards/x/other')).to.throw('/rewards/x/other is not in the document');
    expect(() => answers.check('POST', PATH, answer())).to.throw(`POST ${PATH} is not in the document`);
    expect(checking(refused, '/rewards/x/other', true)).not.to.throw();
    expect(checking({}, '/rewards/x/other', true)).to.throw('answered with 200, not refused');
    expect(checking({ status: 404, text: '{"code":"x"}' }, PATH, true)).to.throw(
      `${PATH} is in the document`,
    );
  });

  describe('with its fetch for clients', () => {
    let server: Server;
    let url: string;
    let text = '';

    before(async () => {
      server = createServer((_request, response) => {
        const headers = { 'content-type': 'application/json', 'ratelimit-limit': '100' };
        response.writeHead(200, headers).end(text);
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    });
    after(() => new Promise((resolve) => server.close(resolve)));

    it('leaves a valid answer readable', async () => {
      text = '{"status":"success","data":{"status":"COMPLETED","message":""}}';
      const client = new RewardsClient({ baseUrl: url, fetch: answers.fetch });
      expect((await client.status('x')).status).to.equal('COMPLETED');
      expect(takeFaults()).to.deep.equal([]);
    });

    it('records a violation even if the client throws its own error', async () => {
      text = '{"status":"ok","data":{"status":"COMPLETED","message":""}}';
      const client = new RewardsClient({ baseUrl: url, fetch: answers.fetch, retries: 0 });
      await rejection(client.status('x'), Error);
      const faults = takeFaults().map(({ message }) => message);
      expect(faults)
        .to.have.length(1)
        .and.match(/GET \/rewards\/\{signature\}\/status 200 is not as documented/);
    });
  });
});
