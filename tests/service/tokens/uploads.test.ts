// Uploads of pictures: which are accepted, from whom, how many, how long they are kept, what belongs to them, and buckets.
// threat: endless-bodies, upload-parts, picture-type, picture-bomb, picture-location, false-upload, upload-disk, bucket-fails
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eq, sql } from 'drizzle-orm';
import sharp from 'sharp';
import { hiddenTokens, storedFiles, tokenMetadata } from '#app/db/schema/index.js';
import { readConfig } from '#app/config/config.js';
import { HttpProblem } from '#app/http/problem.js';
import { bucketStore } from '#app/tokens/pictures/s3-store.js';
import { Library } from '#app/tokens/pictures/library.js';
import { folderStore } from '#app/tokens/pictures/store.js';
import { type PictureUpload } from '#sdk/http/market/upload.js';
import { atEnd } from '#tests/mocha/at-end.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { launch } from '#tests/program/tokens.js';
import { useSockets } from '#tests/service/raw-get.js';
import { startS3Server, useKey, type S3Server } from '#tests/service/s3-server.js';
import { eventually } from '#tests/service/service.js';
import { bomb, photo, picture } from '#tests/service/pictures.js';
import { unverified } from '#tests/hostile/attacker.js';
import { FIELDS, useUploads, wallet } from '#tests/service/uploads.js';

const NAME = `${'ab'.repeat(32)}.webp`;

describe(`pictures of tokens (${DATABASE_KIND})`, () => {
  const { cluster, folder, database, service, start, upload, refusal } = useUploads();
  const { send } = useSockets();

  for (const format of ['png', 'jpeg', 'webp', 'gif'] as const)
    it(`are stored as WebP of 512 × 512, without the metadata of the ${format.toUpperCase()}`, async () => {
      const { image } = await upload(await picture(format));
      expect(image).to.match(/^\/v1\/market\/images\/[0-9a-f]{64}\.webp$/);
      const answer = await fetch(service().url + image);
      expect(answer.status).to.equal(200);
      expect(answer.headers.get('content-type')).to.equal('image/webp');
      expect(answer.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
      expect(answer.headers.get('cross-origin-resource-policy')).to.equal('cross-origin');
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect(await sharp(bytes).metadata()).to.include({ format: 'webp', width: 512, height: 512 });
      expect(bytes.includes('Secret Camera')).to.equal(false);
    });

  it('are refused by their content, not by their name', async () => {
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
    const png = await picture('png');
    const jpeg = await photo('jpeg');
    const REFUSED: readonly [what: string, image: Uint8Array, message: RegExp][] = [
      ['SVG', svg, /not a PNG, JPEG, WebP or GIF by its content/],
      ['a PDF', Buffer.from('%PDF-1.7'), /not a PNG, JPEG, WebP or GIF/],
      ['HTML', Buffer.from('<!doctype html><script>'), /not a PNG, JPEG, WebP or GIF/],
      ['nothing', new Uint8Array(), /not a PNG, JPEG, WebP or GIF/],
      ['SVG behind the first bytes of a PNG', Buffer.concat([png.subarray(0, 8), svg]), /cannot be decoded/],
      ['half a JPEG', jpeg.subarray(0, jpeg.length / 2), /cannot be decoded/],
      ['half a PNG', png.subarray(0, png.length / 2), /cannot be decoded/],
      ['a decompression bomb', bomb(40_000, 40_000), /pixels; at most 40000000/],
      ['too much', Buffer.concat([png, Buffer.alloc(4 * 1024 * 1024)]), /at most 4194304/],
    ];
    for (const [what, image, message] of REFUSED)
      expect(await refusal(image), what)
        .to.match(/^400 VALIDATION_ERROR .*image /)
        .and.to.match(message);
    const most = 4 * 1024 * 1024 + 16_384;
    expect(await refusal(Buffer.alloc(most))).to.match(new RegExp(`^413 .*more than ${most} bytes`));
  });

  it('cost nothing if the form has thousands of parts', async () => {
    const part = '--b\r\nContent-Disposition: form-data; name="x"; filename=""\r\n\r\n\r\n';
    const body = `${part.repeat(60_000)}--b--\r\n`;
    const before = process.cpuUsage();
    const answer = await fetch(`${service().url}/v1/market/uploads`, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=b', ...unverified() },
      body,
    });
    expect([answer.status, await answer.text()].join(' ')).to.match(/^400 .*body.*has more than \d+ parts/);
    // Parsing it took more than two seconds. CPU time grows less with the machine's load than the time until the answer.
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000, 'CPU time in ms').to.be.below(1_500);
  });

  it('are refused before the body arrives if no signature comes with them', async () => {
    const head = (signature: Record<string, string>) =>
      [
        'POST /v1/market/uploads HTTP/1.1',
        'Host: x',
        'Content-Type: multipart/form-data; boundary=b',
        'Content-Length: 4000000',
        ...Object.entries({ ...unverified(), ...signature }).map(([name, value]) => `${name}: ${value}`),
      ].join('\r\n') + '\r\n\r\n';
    const statusOf = async (signature: Record<string, string>) => {
      const { socket, answer } = await send(service().url, head(signature));
      await once(socket, 'data');
      return answer().slice(9, 12);
    };
    expect(await statusOf({ 'X-Signature': 'none' })).to.equal('401');
    expect(await statusOf({ 'X-Timestamp': String(Date.now() - 400_000) })).to.equal('401');
    expect(await statusOf({ 'X-Signature-Scheme': 'other' })).to.equal('400');
  });

  it('are verified before their form is parsed', async () => {
    const form = new FormData();
    form.set('creator', wallet().address);
    form.set('name', '');
    const answer = await fetch(`${service().url}/v1/market/uploads`, {
      method: 'POST',
      headers: unverified(),
      body: form,
    });
    expect(answer.status).to.equal(401);
  });

  it('are accepted once, from the wallet that signs exactly this upload', async () => {
    const by = wallet();
    const image = await picture('png');
    const INVALID = /^401 INVALID_SIGNATURE/;
    // A signature of another wallet, and one of other bytes.
    expect(await refusal(image, { by: { ...wallet(), address: by.address } })).to.match(INVALID);
    const changed = async (url: unknown, init?: RequestInit) => {
      const body = Buffer.from(init!.body as ArrayBuffer);
      body.set(Buffer.from('Cafo'), body.indexOf('CAFE'));
      return fetch(String(url), { ...init, body });
    };
    expect(await refusal(image, { by, fetch: changed })).to.match(INVALID);
    // The same upload a second time.
    const statuses: number[] = [];
    const twice = async (url: unknown, init?: RequestInit) => {
      statuses.push((await fetch(String(url), init)).status);
      return fetch(String(url), init);
    };
    expect(await refusal(image, { by, fetch: twice })).to.match(INVALID);
    expect(statuses).to.deep.equal([200]);
    // Without the scheme that binds the signature to one request.
    const loose = (url: unknown, init?: RequestInit) => {
      const headers = new Headers(init!.headers);
      headers.delete('X-Signature-Scheme');
      return fetch(String(url), { ...init, headers });
    };
    expect(await refusal(image, { by, fetch: loose })).to.match(/^400 .*x-signature-scheme/);
  });

  it('are limited per wallet and per address in 24 hours, and can be turned off', async () => {
    const by = wallet();
    const image = await picture('png');
    const ofWallet = await start({ UPLOADS_PER_DAY: '2', TRUST_PROXY: '1' });
    let sender = 0;
    const elsewhere = ((url: unknown, init?: RequestInit) => {
      const headers = new Headers(init!.headers);
      headers.set('X-Forwarded-For', `192.0.2.${(sender += 1)}`);
      return fetch(String(url), { ...init, headers });
    }) as typeof fetch;
    const LIMIT = /^429 RATE_LIMIT_EXCEEDED .*2 pictures in 24 hours/;
    for (let count = 0; count < 2; count += 1) await upload(image, { by, at: ofWallet, fetch: elsewhere });
    expect(await refusal(image, { by, at: ofWallet, fetch: elsewhere })).to.match(LIMIT);
    const ofAddress = await start({ UPLOADS_PER_DAY: '2' });
    for (let count = 0; count < 2; count += 1) await upload(image, { at: ofAddress, fetch });
    expect(await refusal(image, { at: ofAddress, fetch })).to.match(LIMIT);
    const off = await start({ UPLOADS_PER_DAY: '0' });
    expect(await refusal(image, { at: off, fetch })).to.match(/^404 /);
  });

  it('are removed after a day if no token uses them', async () => {
    const library = new Library(database(), folderStore(folder()));
    const { uri, image } = await upload(await picture('png'));
    const used = await upload(await picture('png'));
    const hash = image.slice(-69, -5);
    await database()
      .queries.insert(tokenMetadata)
      .values({
        mint: 'used',
        uri: used.uri,
        image: '',
        picture: used.image.slice(-69, -5),
        document: used.uri.slice(-69, -5),
      });
    expect(await library.sweep()).to.equal(0);
    await database()
      .queries.update(storedFiles)
      .set({ storedAt: sql`now() - interval '25 hours'` });
    // Stored again meanwhile, so its day begins again.
    const again = await library.keep('picture', Buffer.from('again'));
    await database()
      .queries.update(storedFiles)
      .set({ storedAt: sql`now() - interval '25 hours'` });
    await library.keep('picture', Buffer.from('again'));
    while ((await library.sweep()) > 0);
    expect((await fetch(service().url + image)).status).to.equal(404);
    expect((await fetch(uri)).status).to.equal(404);
    expect((await fetch(used.uri)).status).to.equal(200);
    expect((await fetch(service().url + used.image)).status).to.equal(200);
    expect((await library.read('picture', again))?.toString()).to.equal('again');
    const files = await readdir(folder(), { recursive: true });
    expect(files.filter((name) => name.includes(hash))).to.deep.equal([]);
  });

  it("come with metadata whose URL fits into the program's uri field", async () => {
    const { uri, image } = await upload(await picture('png'));
    expect(Buffer.byteLength(uri)).to.be.at.most(200);
    expect(uri).to.match(/^http:\/\/127\.0\.0\.1:\d+\/v1\/market\/metadata\/[0-9a-f]{64}\.json$/);
    expect(await (await fetch(uri)).json()).to.deep.equal({
      name: 'Café',
      symbol: 'CAFE',
      description: 'Warm.',
      image: service().url + image,
      external_url: 'https://cafe.example/',
      extensions: { website: 'https://cafe.example/' },
      properties: { category: 'image', files: [{ uri: service().url + image, type: 'image/webp' }] },
    });
  });

  it('need fields that fit the program, and valid https links', async () => {
    const image = await picture('png');
    const REFUSED: readonly [fields: Partial<PictureUpload>, message: RegExp][] = [
      [{ name: 'é'.repeat(17) }, /name must have from 1 to 32 bytes/],
      [{ name: '\u3164\u200b' }, /name must have a visible letter/],
      [{ symbol: 'MORE THAN 10' }, /symbol must have from 1 to 10 bytes/],
      [{ website: 'javascript:alert(1)' }, /website must be an https URL/],
      [{ telegram: 'http://t.me/x' }, /telegram must be an https URL/],
      [{ description: 'x'.repeat(1_001) }, /description must have/],
    ];
    for (const [fields, message] of REFUSED)
      expect(await refusal(image, { fields: { ...FIELDS, ...fields } })).to.match(message);
    const broken = await fetch(`${service().url}/v1/market/uploads`, {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data', ...unverified() },
      body: 'no form',
    });
    expect([broken.status, await broken.text()].join(' ')).to.match(/^400 .*body.*not a form/);
  });

  it('belong to a token once it is launched, and are hidden together with it', async () => {
    const { uri, image } = await upload(await picture('png'));
    const mint = (await launch(cluster(), { uri })).mint.toBase58();
    const row = () =>
      database().queries.query.tokenMetadata.findFirst({ where: eq(tokenMetadata.mint, mint) });
    await eventually(async () => (await row()) !== undefined, "the token's metadata");
    expect(await row()).to.deep.include({
      image: service().url + image,
      problem: null,
      picture: image.slice(-69, -5),
      document: uri.slice(-69, -5),
      description: 'Warm.',
      links: { website: 'https://cafe.example/' },
    });
    const statuses = () =>
      Promise.all([service().url + image, uri].map(async (url) => (await fetch(url)).status));
    const onBoard = async () =>
      (await json(`/v1/market/tokens?creator=${cluster().payer.publicKey.toBase58()}`)).items.length;
    const json = async (path: string) =>
      (await fetch(service().url + path)).json() as Promise<{ items: unknown[]; name?: string }>;
    const links = { website: 'https://cafe.example/', x: null, telegram: null, discord: null };
    expect(await json(`/v1/market/tokens/${mint}`)).to.deep.include({ image, description: 'Warm.', links });
    expect([await statuses(), await onBoard()]).to.deep.equal([[200, 200], 1]);
    await database().queries.insert(hiddenTokens).values({ mint, reason: 'test' });
    expect(await statuses()).to.deep.equal([404, 404]);
    // Public answers are cached for a moment.
    await eventually(async () => (await onBoard()) === 0, 'the board without it');
    await eventually(
      async () => (await json(`/v1/market/tokens/${mint}`)).name === 'Hidden token',
      'the token without its name',
    );
    expect(await json(`/v1/market/tokens/${mint}`)).to.deep.include({
      symbol: 'HIDDEN',
      image: null,
      description: null,
      links: { website: null, x: null, telegram: null, discord: null },
    });
    await sleep(2_100);
    expect(await (await fetch(`${service().url}/t/${mint}`)).text()).not.to.contain('Curvy');
    // Another token with the same picture keeps it visible.
    await database()
      .queries.insert(tokenMetadata)
      .values({ mint: 'other', uri, image: '', picture: image.slice(-69, -5) });
    expect(await statuses()).to.deep.equal([200, 404]);
  });

  describe('in an S3 bucket', () => {
    let server: S3Server;
    before(async () => (server = await startS3Server('pictures')));
    after(() => server.stop());

    const away = async (work: Promise<unknown>) => {
      const { status, message } = await rejection(work, HttpProblem);
      expect([status, message]).to.deep.equal([
        503,
        'Pictures cannot be stored or read now; try again later',
      ]);
    };

    it('answer 503 if the bucket, the server or the key is wrong', async () => {
      const { bucket } = readConfig(server.environment).uploads;
      await away(bucketStore({ ...bucket!, bucket: 'another' }).write(NAME, Buffer.from('x')));
      const nowhere = bucketStore({ ...bucket!, endpoint: 'http://127.0.0.1:9' });
      await away(nowhere.read(NAME));
      await away(nowhere.write(NAME, Buffer.from('x')));
      await away(nowhere.remove(NAME));
      atEnd(() => useKey('S3RVER'));
      useKey('STRANGER');
      await away(bucketStore(bucket!).read(NAME));
    });

    it('are stored and shown, and answer 503 while it is away', async () => {
      const at = await start({ UPLOADS_PER_DAY: '5', ...server.environment });
      const { uri, image } = await upload(await picture('png'), { at });
      expect((await fetch(uri)).status).to.equal(200);
      const shown = await fetch(at.url + image);
      expect([shown.status, shown.headers.get('content-type')]).to.deep.equal([200, 'image/webp']);
      expect((await readdir(folder(), { recursive: true })).join(' ')).not.to.contain(image.slice(-69, -5));
      await server.stop();
      expect((await fetch(at.url + image)).status).to.equal(503);
    });
  });
});
