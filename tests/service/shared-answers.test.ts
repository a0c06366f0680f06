// Answers that are everybody's: made once for requests that come together, and never old.
import { expect } from 'chai';
import express from 'express';
import type { AddressInfo } from 'node:net';
import { createServer, type Server } from 'node:http';
import { SharedAnswers } from '#app/http/shared-answers.js';
import { eventually } from '#tests/service/service.js';

describe('shared answers', () => {
  let server: Server;
  let url: string;
  let made = 0;
  let release: () => void = () => undefined;
  let gate: Promise<void> | undefined;

  before(async () => {
    const shared = new SharedAnswers();
    const app = express();
    app.get('/:path', (request, response) => {
      const make = async () => {
        made += 1;
        const number = made;
        await gate;
        if (request.params.path === 'refused') throw new Error('refused');
        return { number };
      };
      shared.send(request, response, 'public, max-age=1', make).catch(() => response.status(500).end());
    });
    server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => server.close());
  beforeEach(() => {
    made = 0;
    gate = undefined;
  });

  const number = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(url + path, init);
    return response.status === 200 ? ((await response.json()) as { number: number }).number : response.status;
  };

  it('are made once for requests that come together, for each path and query', async () => {
    gate = new Promise((resolve) => (release = resolve));
    const together = Promise.all([number('/a?x=1'), number('/a?x=1'), number('/a?x=2')]);
    await eventually(() => Promise.resolve(made === 2), 'both');
    release();
    const [first, second, other] = await together;
    expect(first).to.equal(second);
    expect(other).not.to.equal(first);
  });

  it('are made anew soon, and at once when the request asks for that', async () => {
    expect(await number('/b')).to.equal(1);
    expect(await number('/b')).to.equal(1);
    expect(await number('/b', { cache: 'reload' })).to.equal(2);
    expect(await number('/b')).to.equal(2);
    await eventually(async () => (await number('/b')) > 2, 'another answer', 1_000);
  });

  it('are not kept when they fail', async () => {
    expect(await number('/refused')).to.equal(500);
    expect(await number('/refused')).to.equal(500);
    expect(made).to.equal(2);
  });
});
