// What a stranger can do without a signature, inside the service's own limits or beside them.
import { setTimeout as sleep } from 'node:timers/promises';
import { LONG_ACCOUNT } from './long-answers.js';
import { headOf, unverifiedUpload, type Attacker } from './attacker.js';

const SECONDS = 5;
const FORM_BYTES = 4_200_000;
/** What an address may send in a quarter of an hour. */
const UPLOADS = 100;
const JSON_BODY = { 'Content-Type': 'application/json' };

export interface Target {
  readonly mint: string;
  readonly wallet: string;
  /** Path of a large picture. */
  readonly picture: string;
}

export type Attack = (attacker: Attacker, target: Target) => Promise<void>;

const call = (method: string, params: unknown[]) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
const random = () =>
  Array.from({ length: 43 }, () => 'abcdefghijkmnopqrstuvwxyz'[Math.floor(Math.random() * 25)]).join('');
const many = (index: number) => `198.51.100.${(index % 200) + 1}`;

export const ATTACKS: Readonly<Record<string, Attack>> = {
  'upload forms of 60,000 parts, sixteen at once from one address': async (attacker) => {
    const part = '--b\r\nContent-Disposition: form-data; name="x"; filename=""\r\n\r\n\r\n';
    const body = Buffer.from(`${part.repeat(60_000)}--b--\r\n`);
    await attacker.flood(
      SECONDS,
      16,
      () => attacker.ask('POST', '/v1/market/uploads', '192.0.2.1', { headers: unverifiedUpload(), body }),
      UPLOADS,
    );
  },
  'forms with a creator and an invalid signature, sixteen at once from ten addresses': async (attacker) => {
    const creator = 'So11111111111111111111111111111111111111112';
    const head = `--b\r\nContent-Disposition: form-data; name="creator"\r\n\r\n${creator}\r\n--b\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\n`;
    const body = Buffer.concat([
      Buffer.from(head),
      Buffer.alloc(4_000_000, 'x'),
      Buffer.from('\r\n--b--\r\n'),
    ]);
    await attacker.flood(
      SECONDS,
      16,
      (index) => {
        const headers = unverifiedUpload();
        return attacker.ask('POST', '/v1/market/uploads', `192.0.2.${10 + (index % 10)}`, { headers, body });
      },
      2 * UPLOADS,
    );
  },
  'uploads that never end, 99 from each of five addresses': async (attacker) => {
    const part = Buffer.alloc(1_000_000, 'x');
    for (let sent = 0; sent < 495; sent += 1) {
      const headers = { ...unverifiedUpload(), 'Content-Length': String(FORM_BYTES) };
      attacker
        .send(headOf('POST', '/v1/market/uploads', `192.0.2.${20 + (sent % 5)}`, headers), { reads: true })
        .write(part);
      await sleep(5);
    }
    await sleep(SECONDS * 500);
  },
  'a body in single bytes': async (attacker) => {
    const headers = { ...unverifiedUpload(), 'Transfer-Encoding': 'chunked' };
    const bytes = Buffer.from('1\r\nx\r\n'.repeat(400_000));
    for (let sent = 0; sent < 4; sent += 1)
      attacker
        .send(headOf('POST', '/v1/market/uploads', '192.0.2.30', headers), { reads: true })
        .write(bytes);
    await sleep(SECONDS * 1_000);
  },
  'long answers of /rpc that nobody reads, 290 from one address': async (attacker) => {
    // The node answers it with 5 MiB.
    const body = call('getAccountInfo', [LONG_ACCOUNT]);
    const headers = { ...JSON_BODY, 'Content-Length': String(body.length) };
    for (let sent = 0; sent < 290; sent += 1) {
      attacker.send(headOf('POST', '/rpc', '192.0.2.40', headers) + body);
      await sleep(10);
    }
    await sleep(2_000);
  },
  'pictures that nobody reads': async (attacker, { picture }) => {
    for (let sent = 0; sent < 300; sent += 1) {
      attacker.send(headOf('GET', picture, `192.0.2.${50 + (sent % 3)}`).repeat(40));
      await sleep(10);
    }
    await sleep(1_000);
  },
  'URLs with parameters that mean nothing': (attacker) =>
    attacker.flood(SECONDS, 20, (index) =>
      attacker.ask('GET', `/v1/market/config?x=${index}${'y'.repeat(200)}`, many(index)),
    ),
  'streams that are pipelined, dropped, or resumed from the oldest event': async (attacker) => {
    const stream = '/v1/market/stream?topic=board';
    for (let sent = 0; sent < 100; sent += 1) {
      const socket = attacker.send(headOf('GET', stream, '192.0.2.60').repeat(5));
      if (sent % 2 === 0) setTimeout(() => socket.destroy(), 5);
      await sleep(5);
    }
    await attacker.flood(SECONDS, 4, async (index) => {
      const socket = attacker.send(headOf('GET', `${stream}&lastEventId=1`, many(index)), { reads: true });
      await sleep(20);
      socket.destroy();
    });
  },
  'random tokens of the page, share pictures and actions': (attacker, { mint }) =>
    attacker.flood(SECONDS, 20, (index) => {
      const paths = [
        `/t/${random()}`,
        `/w/${random()}`,
        `/${random()}`,
        `/og/${mint}.png`,
        `/actions/t/${mint}`,
      ];
      return attacker.ask('GET', paths[index % paths.length]!, `192.0.2.${70 + (index % 5)}`, {
        headers: { Accept: 'text/html' },
      });
    }),
  'transactions and airdrops of a node that has to work for them': (attacker, { mint, wallet }) =>
    attacker.flood(SECONDS, 10, (index) =>
      index % 2 === 0
        ? attacker.ask('POST', `/actions/t/${mint}?amount=1`, '192.0.2.80', {
            headers: JSON_BODY,
            body: JSON.stringify({ account: wallet }),
          })
        : attacker.ask('POST', '/v1/market/faucet', '192.0.2.80', {
            headers: JSON_BODY,
            body: JSON.stringify({ address: wallet }),
          }),
    ),
  'the metrics, the reference and the checks, as fast as possible': (attacker) =>
    attacker.flood(SECONDS, 20, (index) => {
      const paths = [
        '/metrics',
        '/openapi.json',
        '/ready',
        '/health',
        '/docs/swagger-ui-bundle.js',
        '/docs/%00',
      ];
      return attacker.ask('GET', paths[index % paths.length]!, '192.0.2.90');
    }),
};
