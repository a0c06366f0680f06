// How local clusters send and sign: as web3.js and `fetch` would, in a fraction of the time.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Keypair, PublicKey, SystemProgram, TransactionMessage, VersionedTransaction } from '@solana/web3.js';
import { expect } from 'chai';
import { httpFetch } from '#testing/http-fetch.js';
import { nativeSignature } from '#testing/native-signature.js';

describe('requests to a local cluster', () => {
  let server: Server;
  let url: string;
  let requests: string[];
  let isDropping = false;
  let dropped: number;

  before('start a server', async () => {
    server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        requests.push(`${request.method} ${Buffer.concat(chunks).toString()}`);
        if (request.url === '/hangs') return;
        if (request.url === '/empty') response.writeHead(204).end();
        else response.writeHead(418, 'Teapot', { 'x-name': ['a', 'b'] }).end('{"short": "and stout ☕"}');
      });
    });
    // A server that closes a kept connection as its next request arrives.
    server.on('connection', (socket) => {
      let isFirst = true;
      socket.prependListener('data', () => {
        if (isDropping && !isFirst) {
          dropped += 1;
          socket.resetAndDestroy();
        }
        isFirst = false;
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(() => {
    requests = [];
    isDropping = false;
    dropped = 0;
  });

  it('bring the status, the headers and the text', async () => {
    const answer = await httpFetch(url, { method: 'POST', body: '{"a":1}' });
    expect([answer.status, answer.statusText, answer.ok]).to.deep.equal([418, 'Teapot', false]);
    expect(answer.headers.get('x-name')).to.equal('a, b');
    expect(await answer.json()).to.deep.equal({ short: 'and stout ☕' });
    expect(requests).to.deep.equal(['POST {"a":1}']);
  });

  it('have no text when the answer can have none', async () => {
    const answer = await httpFetch(`${url}/empty`);
    expect([answer.status, await answer.text()]).to.deep.equal([204, '']);
  });

  it('go again on a new connection when the kept one was just closed', async () => {
    await (await httpFetch(url)).text();
    isDropping = true;
    expect((await httpFetch(url, { method: 'POST', body: 'again' })).status).to.equal(418);
    expect([dropped, requests.at(-1)]).to.deep.equal([1, 'POST again']);
  });

  it('fail with the reason when nobody listens', async () => {
    const error = await httpFetch('http://127.0.0.1:9').catch((reason: unknown) => reason);
    expect(error).to.include({ code: 'ECONNREFUSED' });
  });

  it('end with their signal', async () => {
    const error = await httpFetch(`${url}/hangs`, { signal: AbortSignal.timeout(50) }).catch(
      (reason: unknown) => reason,
    );
    expect(error).to.have.property('name', 'TimeoutError');
  });
});

describe('signatures of a local cluster', () => {
  it("are web3.js's", () => {
    const signer = Keypair.generate();
    for (const lamports of [1, 2]) {
      const instructions = [
        SystemProgram.transfer({ fromPubkey: signer.publicKey, toPubkey: PublicKey.default, lamports }),
      ];
      const message = new TransactionMessage({
        payerKey: signer.publicKey,
        recentBlockhash: PublicKey.default.toBase58(),
        instructions,
      }).compileToV0Message();
      const transaction = new VersionedTransaction(message);
      transaction.sign([signer]);
      expect([...nativeSignature(message.serialize(), signer)]).to.deep.equal([
        ...transaction.signatures[0]!,
      ]);
    }
  });
});
