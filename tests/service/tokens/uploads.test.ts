// Uploads of pictures: which are accepted, from whom, how many, and how long they are kept.
// threat: endless-bodies, upload-parts, picture-type, picture-bomb, picture-location, false-upload, upload-disk
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import sharp from 'sharp';
import { encodePicture } from '#app/tokens/pictures/encode.js';
import { storedFiles, tokenMetadata } from '#app/db/schema/index.js';
import { Library } from '#app/tokens/pictures/library.js';
import { folderStore } from '#app/tokens/pictures/store.js';
import { ApiError } from '#sdk/http/errors.js';
import { uploadPicture } from '#sdk/http/market/upload.js';
import { signatureBy } from '#app/keys/ed25519.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { envelopeOf } from '#tests/service/envelopes.js';
import { bomb, photo, picture } from '#tests/service/pictures.js';
import { FIELDS, unverified, useUploads, wallet } from '#tests/service/uploads.js';

describe(`pictures of tokens (${DATABASE_KIND})`, () => {
  const { folder, database, service, documented, start, upload, refusal } = useUploads();

  for (const format of ['png', 'jpeg', 'webp', 'gif'] as const) {
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
  }

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

  it('may lack the marker at their end', async () => {
    for (const [format, most] of [
      ['jpeg', 2],
      ['gif', 1],
    ] as const) {
      const whole = await photo(format);
      const expected = await encodePicture(whole);
      for (let cut = 1; cut <= most; cut += 1)
        expect(await encodePicture(whole.subarray(0, -cut)), `${format} without ${cut}`).to.deep.equal(
          expected,
        );
    }
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
    const { hostname, port } = new URL(service().url);
    const statusOf = async (signature: Record<string, string>) => {
      const socket = connect(Number(port), hostname);
      socket.write(head(signature));
      const [answer] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return answer.toString('latin1').slice(9, 12);
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

  it('hold at most 12 MiB of an address that does not finish them', async () => {
    const { hostname, port } = new URL(service().url);
    const sockets = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const socket = connect(Number(port), hostname);
        socket.on('error', () => undefined);
        await once(socket, 'connect');
        socket.write(
          [
            'POST /v1/market/uploads HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 192.0.2.1',
            'Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 4200000',
            ...Object.entries(unverified()).map(([name, value]) => `${name}: ${value}`),
          ].join('\r\n') + '\r\n\r\n',
        );
        socket.write(Buffer.alloc(4_199_000, 'x'));
        return socket;
      }),
    );
    const answers = sockets.map((socket) => once(socket, 'data').then(([data]) => String(data)));
    expect(await Promise.race(answers)).to.match(/^HTTP\/1\.1 429 .*holds 12582912 bytes of bodies/s);
    const other = ((url: unknown, init?: RequestInit) => {
      const headers = new Headers(init!.headers);
      headers.set('X-Forwarded-For', '192.0.2.2');
      return fetch(String(url), { ...init, headers });
    }) as typeof fetch;
    await upload(await picture('png'), { fetch: other });
    for (const socket of sockets) socket.destroy();
  });

  it('are accepted once, from the wallet that signs exactly this upload', async () => {
    const by = wallet();
    const image = await picture('png');
    const INVALID = /^401 INVALID_SIGNATURE/;
    // A signature of another wallet, and one of other bytes.
    expect(await refusal(image, { by: { ...by, signMessage: wallet().signMessage } })).to.match(INVALID);
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

  it('are signed with the time of the service, and in the envelope of a hardware wallet', async () => {
    const key = Keypair.generate();
    const { publicKey } = key;
    const image = new Blob([Buffer.from(await picture('png'))]);
    let signed = 0;
    const signMessage = (message: Uint8Array) => {
      signed += 1;
      const domain = Buffer.alloc(32, 3);
      const text = Buffer.from(message).toString();
      const signedMessage = envelopeOf({ text, format: 1, signers: [publicKey], domain });
      return Promise.resolve({ signature: signatureBy(key, signedMessage), signedMessage });
    };
    const by = { address: publicKey.toBase58(), signMessage };
    const options = { baseUrl: service().url, fetch: documented() };
    const now = () => Date.now() + 120_000;
    const { uri } = await uploadPicture(by, { ...FIELDS, image }, { ...options, now });
    expect(uri).to.match(/\.json$/);
    expect(signed).to.equal(2);
    const never = { ...by, signMessage: () => Promise.resolve(new Uint8Array(64)) };
    const refused = await rejection(uploadPicture(never, { ...FIELDS, image }, options), ApiError);
    expect(refused.code).to.equal('INVALID_SIGNATURE');
  });

  it('are limited per wallet and per address in 24 hours, and can be turned off', async function () {
    this.timeout(60_000);
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
});
