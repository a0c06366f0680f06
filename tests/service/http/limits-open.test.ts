// The limits of requests that are open at once: of an address, and of all addresses.
import { expect } from 'chai';
import { BOUNDS, type Kind } from '#app/http/bounds.js';
import { eventually } from '#tests/service/service.js';
import {
  bodyHeaders,
  boundsOf,
  GET,
  headOf,
  KINDS,
  POST,
  STREAMS_PER_ADDRESS,
  useLimitedServices,
} from '#tests/service/limits.js';

describe('the limits in docs/api.md', function () {
  this.timeout(120_000);
  const { service, usual, sockets, newAddress, send } = useLimitedServices();

  /** Opens requests of an address, and leaves them open. */
  async function hold(kind: Kind, address: string, count: number): Promise<void> {
    const [read, write] = [GET[kind], POST[kind]];
    const stream = headOf('GET', '/v1/market/stream?topic=board', address);
    // Answers wait behind a stream, which does not end.
    const PIPELINED = write === undefined ? 8 : 1;
    const held =
      read !== undefined
        ? stream + headOf('HEAD', read, address).repeat(PIPELINED)
        : write !== undefined
          ? headOf('POST', write, address, bodyHeaders(kind, 100))
          : stream.repeat(PIPELINED);
    const AT_ONCE = 64;
    for (let left = count / PIPELINED; left > 0; left -= AT_ONCE)
      await Promise.all(Array.from({ length: Math.min(left, AT_ONCE) }, () => send(held)));
  }

  const ask = (kind: Kind, address: string) => {
    const [read, write] = [GET[kind], POST[kind]];
    const isPost = write !== undefined;
    const path = read ?? write ?? '/v1/market/stream?topic=board';
    return fetch(service().url + path, {
      ...(isPost && { method: 'POST', body: '{}' }),
      headers: { ...(isPost && bodyHeaders(kind, 2)), 'X-Forwarded-For': address },
    });
  };

  for (const kind of KINDS.filter((each) => each !== 'stream'))
    it(`count open requests of an address: ${kind}`, async () => {
      const { perClient } = BOUNDS[kind].open;
      const address = newAddress();
      await hold(kind, address, perClient);
      let text = '';
      await eventually(
        async () => (text = await (await ask(kind, address)).text()).includes('open'),
        () => `a refusal, not ${text}`,
      );
      expect(text).to.include(`This address has ${perClient} requests of this kind open`);
      const other = await fetch(service().url + (GET[kind] ?? '/health'), {
        headers: { 'X-Forwarded-For': newAddress() },
      });
      expect(other.status).to.be.below(429);
      for (const socket of sockets.splice(0)) socket.destroy();
      await eventually(async () => (await ask(kind, address)).status !== 429, 'free places');
    });

  for (const kind of KINDS)
    it(`count open requests of all addresses: ${kind}`, async () => {
      const { open } = boundsOf(kind);
      const perClient = kind === 'stream' ? STREAMS_PER_ADDRESS : open.perClient;
      for (let held = 0; held < open.total; held += perClient)
        await hold(kind, newAddress(), Math.min(perClient, open.total - held));
      let [status, text] = [0, ''];
      await eventually(
        async () => {
          const answer = await ask(kind, newAddress());
          status = answer.status;
          if (status === 503) text = await answer.text();
          else await answer.body?.cancel();
          return status === 503;
        },
        () => `a refusal, not ${status}`,
      );
      expect(text).to.include(`The service has ${open.total} requests of this kind open`);
      const elsewhere = await ask(kind === 'other' ? 'page' : 'other', newAddress());
      expect(elsewhere.status).to.be.below(429);
      for (const socket of sockets.splice(0)) socket.destroy();
      await eventually(async () => {
        const answer = await ask(kind, newAddress());
        await answer.body?.cancel();
        return answer.status !== 503;
      }, 'free places');
    });

  it('count open streams of an address', async () => {
    const { perClient } = BOUNDS.stream.open;
    const open = async () => {
      const abort = new AbortController();
      const answer = await fetch(`${usual().url}/v1/market/stream?topic=board`, {
        headers: { 'X-Forwarded-For': '198.51.100.2' },
        signal: abort.signal,
      });
      return { status: answer.status, abort };
    };
    const streams = [];
    for (let count = 0; count <= perClient; count += 1) streams.push(await open());
    expect(streams.map(({ status }) => status)).to.deep.equal([...Array<number>(perClient).fill(200), 429]);
    for (const { abort } of streams) abort.abort();
  });
});
