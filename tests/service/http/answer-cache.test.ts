// Public answers: conditional requests get 304, and clients that accept gzip get gzip. threat: parameter-cache
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { JsonText } from '#app/http/json.js';
import { routeOf, useHttpCore } from '#tests/service/http-core.js';
import { rawGet } from '#tests/service/raw-get.js';

describe('public answers', () => {
  const PUBLIC = 'public, max-age=1';
  const start = useHttpCore();

  /** A server whose answer has `length` characters and takes a while. */
  async function serverOf(length: number, takesMs = 0) {
    const text = JSON.stringify({ ok: 'x'.repeat(length - '{"ok":""}'.length) });
    let made = 0;
    const route = routeOf(
      '/one/public',
      async () => {
        made += 1;
        await sleep(takesMs);
        return new JsonText(text);
      },
      { cacheControl: PUBLIC },
    );
    const { server } = await start({ routes: [route] });
    const get = (headers: Record<string, string> = {}) => rawGet(`${server.url}/one/public`, headers);
    return { server, get, text, made: () => made };
  }

  it('answer 304 to a client that has them', async () => {
    const { get } = await serverOf(100);
    const { headers } = await get();
    const tag = headers.etag!;
    expect(headers['cache-control']).to.equal(PUBLIC);
    for (const sent of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await get({ 'If-None-Match': sent });
      expect([again.status, again.bytes.length, again.headers.etag], sent).to.deep.equal([304, 0, tag]);
    }
    expect((await get({ 'If-None-Match': '"other"' })).status).to.equal(200);
  });

  it('are computed once for concurrent requests', async () => {
    const { get, made } = await serverOf(5_000, 500);
    const answers = await Promise.all(Array.from({ length: 20 }, () => get()));
    expect(answers.map(({ status }) => status)).to.deep.equal(Array.from({ length: 20 }, () => 200));
    expect(made()).to.equal(1);
    await get({ 'Cache-Control': 'no-cache' });
    expect(made()).to.equal(2);
  });

  it('are one for all queries that differ in what the route ignores', async () => {
    const { server, made } = await serverOf(5_000);
    for (let count = 0; count < 50; count += 1)
      expect((await rawGet(`${server.url}/one/public?x=${count}`, {})).status).to.equal(200);
    // More than one only because an answer is reused for a quarter of a second.
    expect(made()).to.be.below(10);
  });

  it('are reused while their version is unchanged', async () => {
    const state = { version: '1' as string | undefined, made: 0, asked: 0 };
    const make = () => Promise.resolve(new JsonText(String((state.made += 1))));
    const version = () => {
      state.asked += 1;
      return Promise.resolve(state.version);
    };
    const { server } = await start({
      routes: [routeOf('/one/versioned', make, { cacheControl: PUBLIC, version })],
    });
    const get = async () => {
      const before = state.asked;
      const { bytes } = await rawGet(`${server.url}/one/versioned`, { 'Cache-Control': 'no-cache' });
      expect(state.asked).to.equal(before + 1);
      return bytes.toString();
    };
    expect([await get(), await get()]).to.deep.equal(['1', '1']);
    state.version = '2';
    expect([await get(), await get()]).to.deep.equal(['2', '2']);
    state.version = undefined;
    expect([await get(), await get()]).to.deep.equal(['3', '4']);
  });

  it('are gzipped for clients that accept gzip, with an ETag of their own', async () => {
    const { get, text } = await serverOf(5_000);
    const plain = await get({ 'Accept-Encoding': 'identity' });
    const compressed = await get({ 'Accept-Encoding': 'gzip, deflate, br' });
    expect(gunzipSync(compressed.bytes).toString()).to.equal(text);
    expect(plain.bytes.toString()).to.equal(text);
    expect([plain, compressed].map(({ headers }) => headers['content-encoding'])).to.deep.equal([
      undefined,
      'gzip',
    ]);
    for (const { headers, bytes } of [plain, compressed]) {
      expect(headers.vary).to.include('Accept-Encoding');
      expect(Number(headers['content-length'])).to.equal(bytes.length);
    }
    const tags = [plain, compressed].map(({ headers }) => headers.etag!);
    expect(tags[0]).not.to.equal(tags[1]);
    for (const tag of tags) expect((await get({ 'If-None-Match': tag })).status, tag).to.equal(304);
    const again = await get({ 'If-None-Match': tags[1]!, 'Accept-Encoding': 'gzip' });
    expect([again.status, again.headers.etag, again.bytes.length]).to.deep.equal([304, tags[1], 0]);
  });
});
