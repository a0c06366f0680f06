// What belongs to a picture: fields, the metadata document, the token, the bucket.
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import bs58 from 'bs58';
import { expect } from 'chai';
import { eq } from 'drizzle-orm';
import { hiddenTokens, tokenMetadata } from '#app/db/schema/index.js';
import type { PictureUpload } from '#sdk/http/market/upload.js';
import { signatureBy } from '#app/keys/ed25519.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { launch } from '#tests/program/tokens.js';
import { picture } from '#tests/service/pictures.js';
import { startS3Server } from '#tests/service/s3-server.js';
import { eventually } from '#tests/service/service.js';
import { FIELDS, unverified, useUploads, wallet } from '#tests/service/uploads.js';

describe(`pictures of tokens (${DATABASE_KIND})`, () => {
  const { cluster, folder, database, service, start, upload, refusal } = useUploads();

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

  it('need only fields that are known', async () => {
    const { key, address } = wallet();
    const form = new FormData();
    const fields = { creator: address, name: 'A', symbol: 'A', more: 'fields' };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set('image', new Blob([new Uint8Array(await picture('png'))]));
    const made = new Response(form);
    const body = Buffer.from(await made.arrayBuffer());
    const time = String(Date.now());
    const hash = createHash('sha256').update(body).digest('hex');
    const signature = signatureBy(key, Buffer.from(`${time}\nPOST\n/v1/market/uploads\n${hash}`));
    const answer = await fetch(`${service().url}/v1/market/uploads`, {
      method: 'POST',
      headers: {
        'Content-Type': made.headers.get('content-type')!,
        'X-Signature-Scheme': 'bound',
        'X-Timestamp': time,
        'X-Signature': bs58.encode(signature),
      },
      body,
    });
    expect([answer.status, await answer.text()].join(' ')).to.match(/^400 .*more.*is not known/);
  });

  it('belong to a token once it is launched, and are hidden together with it', async function () {
    this.timeout(60_000);
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

  it('are stored in a bucket if one is configured', async () => {
    const server = await startS3Server('pictures');
    try {
      const at = await start({ UPLOADS_PER_DAY: '5', ...server.environment });
      const { uri, image } = await upload(await picture('png'), { at });
      expect((await fetch(uri)).status).to.equal(200);
      const shown = await fetch(at.url + image);
      expect([shown.status, shown.headers.get('content-type')]).to.deep.equal([200, 'image/webp']);
      expect((await readdir(folder(), { recursive: true })).join(' ')).not.to.contain(image.slice(-69, -5));
      await server.stop();
      expect((await fetch(at.url + image)).status).to.equal(503);
    } finally {
      await server.stop();
    }
  });

  it('are found only by the hash of their content', async () => {
    for (const name of ['..%2f..%2fpackage', 'x', '0'.repeat(64)])
      expect((await fetch(`${service().url}/v1/market/images/${name}.webp`)).status, name).to.equal(404);
  });
});
