// Pictures in an S3 bucket: the same files under the same names, on a server that checks every signature. threat: bucket-fails
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { bucketStore } from '#app/tokens/pictures/s3-store.js';
import { openStore, type FileStore } from '#app/tokens/pictures/store.js';
import { readConfig } from '#app/config/config.js';
import { rejection } from '#tests/mocha/failures.js';
import { HttpProblem } from '#app/http/problem.js';
import { startS3Server, useKey, type S3Server } from '#tests/service/s3-server.js';

const NAME = `${'ab'.repeat(32)}.webp`;

describe('files in an S3 bucket', function () {
  this.timeout(60_000);
  let server: S3Server;
  let store: FileStore;

  before(async () => {
    server = await startS3Server('pictures');
    store = await openStore(readConfig(server.environment).uploads);
  });
  after(() => server.stop());

  const away = async (work: Promise<unknown>) => {
    const { status, message } = await rejection(work, HttpProblem);
    expect([status, message]).to.deep.equal([503, 'Pictures cannot be stored or read now; try again later']);
  };

  it('are read as written, and can be replaced', async () => {
    const bytes = Buffer.from([0, 255, 10, 13, ...Buffer.alloc(100_000, 7)]);
    await store.write(NAME, Buffer.from('before'));
    await store.write(NAME, bytes);
    expect((await store.read(NAME))?.equals(bytes)).to.equal(true);
    expect((await readdir(server.folder, { recursive: true })).join(' ')).to.contain(NAME);
    const [address] = [`${server.environment['UPLOADS_BUCKET_ENDPOINT']}/pictures/${NAME}`];
    const { headers } = await fetch(address);
    expect(headers.get('content-type')).to.equal('image/webp');
  });

  it('read as undefined if they do not exist', async () => {
    expect(await store.read(`${'00'.repeat(32)}.json`)).to.equal(undefined);
    await store.write(NAME, Buffer.from('x'));
    await store.remove(NAME);
    await store.remove(NAME);
    expect(await store.read(NAME)).to.equal(undefined);
  });

  it('cause 503 if the bucket, the server or the key is wrong', async () => {
    const { bucket } = readConfig(server.environment).uploads;
    await away(bucketStore({ ...bucket!, bucket: 'another' }).write(NAME, Buffer.from('x')));
    const nowhere = bucketStore({ ...bucket!, endpoint: 'http://127.0.0.1:9' });
    await away(nowhere.read(NAME));
    await away(nowhere.write(NAME, Buffer.from('x')));
    await away(nowhere.remove(NAME));
    try {
      useKey('STRANGER');
      await away(bucketStore(bucket!).read(NAME));
    } finally {
      useKey('S3RVER');
    }
  });

  it('cause 503 in time if the bucket never answers, or stops within an answer', async () => {
    const { bucket } = readConfig(server.environment).uploads;
    let asked = 0;
    const silent = createServer((request, response) => {
      asked += 1;
      if (request.method === 'GET') response.writeHead(200, { 'content-length': 9 }).write('x');
    });
    await once(silent.listen(0, '127.0.0.1'), 'listening');
    const endpoint = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const hanging = bucketStore({ ...bucket!, endpoint }, { limitMs: 1_000 });
    try {
      const began = performance.now();
      await away(hanging.write(NAME, Buffer.from('x')));
      await away(hanging.remove(NAME));
      await away(hanging.read(NAME));
      expect(asked).to.equal(3);
      expect(performance.now() - began).to.be.within(2_950, 10_000);
    } finally {
      silent.closeAllConnections();
      silent.close();
    }
  });
});
