// Metadata as creators publish it: redirects, gateways, encodings, compression, links. threat: internal-uri, metadata-bomb
import { expect } from 'chai';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { FetchRefusedError, placesOf } from '#app/tokens/metadata/fetch.js';
import { pauseMs } from '#app/tokens/metadata/retry-pauses.js';
import { fetchAbout } from '#app/tokens/metadata/token-row.js';
import { aboutOf } from '#app/tokens/pictures/document.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { IMAGE, useInternet } from '#tests/service/image-server.js';

const CID = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';
const KEY = CID.replace('bafybei', 'bafzbei');
const SHORT_KEY = 'k51qzi5uqu5dgutdk6i1ynyzgkqngpha5xpgia3a5qqp4jsh0u4csozksxel2r';
const TRANSACTION = 'x'.repeat(43);
const DESCRIPTION = 'Wärme \u{1F525}';
const DOCUMENT = JSON.stringify({ image: IMAGE, description: DESCRIPTION });

async function refusalOf(attempt: Promise<unknown>): Promise<FetchRefusedError> {
  const problem: unknown = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(problem).to.be.instanceOf(FetchRefusedError);
  return problem as FetchRefusedError;
}

describe(`a token's metadata (${DATABASE_KIND})`, () => {
  const { internet, limits, url } = useInternet();
  const about = (uri: string) => fetchAbout(uri, limits());

  it('is fetched through redirects, each of them checked like the first URL', async () => {
    let to = '';
    internet.respond = (request, response) => {
      if (request.url !== '/first') response.end(DOCUMENT);
      else response.writeHead(302, { location: to }).end();
    };
    for (to of ['/second', url('second', 'ar.test')]) {
      expect((await about(url('first'))).image).to.equal(IMAGE);
    }
    internet.requests = 0;
    const inside = ['https://127.0.0.2/', url('', 'inside.test'), 'https://169.254.169.254/latest/meta-data'];
    const odd = ['http://host.test/', 'file:///etc/passwd', url().replace('//', '//user@'), 'https://['];
    for (to of [...inside, ...odd]) await refusalOf(about(url('first')));
    expect(internet.requests, 'only the first request of each').to.equal(7);
    to = '/first';
    expect((await refusalOf(about(url('first')))).message).to.match(/redirects more than 5 times/);
  });

  it('is fetched from gateways, from the next one when one does not have it', async () => {
    const asked: string[] = [];
    let status = 200;
    internet.respond = (request, response) => {
      const { host = '' } = request.headers;
      asked.push(`${host.split(':')[0]}${request.url}`);
      response.writeHead(/^(?:ipfs|ar)\.test/.test(host) ? status : 200).end(DOCUMENT);
    };
    const places = async (uri: string) => {
      asked.length = 0;
      expect((await about(uri)).image, uri).to.equal(IMAGE);
      return asked.join(' ');
    };
    expect(await places(`ipfs://${CID}/1.json`)).to.equal(`ipfs.test/ipfs/${CID}/1.json`);
    expect(await places(`ipfs://ipfs/${CID}`)).to.equal(`ipfs.test/ipfs/${CID}`);
    expect(await places(CID)).to.equal(`ipfs.test/ipfs/${CID}`);
    expect(await places(`ar://${TRANSACTION}/a`)).to.equal(`ar.test/${TRANSACTION}/a`);
    for (status of [404, 429, 504]) {
      expect(await places(`ipfs://${CID}`)).to.equal(`ipfs.test/ipfs/${CID} other-gateway.test/ipfs/${CID}`);
      // A gateway that the creator named is tried first, and the others have the same content.
      expect(await places(url(TRANSACTION, 'ar.test'))).to.equal(
        `ar.test/${TRANSACTION} other-gateway.test/${TRANSACTION}`,
      );
    }
    // The host of a gateway may begin with the CID, or with a name of IPNS: a key, or a domain.
    const gateways = { ipfs: ['https://ipfs.test'], arweave: [] };
    const hosts: readonly [host: string, path: string][] = [
      [`${CID}.ipfs.dweb.link`, `/ipfs/${CID}/a.png`],
      [`${KEY}.ipns.dweb.link`, `/ipns/${KEY}/a.png`],
      [`${SHORT_KEY}.ipns.inbrowser.link`, `/ipns/${SHORT_KEY}/a.png`],
      ['en-wikipedia--on--ipfs-org.ipns.dweb.link', '/ipns/en.wikipedia-on-ipfs.org/a.png'],
    ];
    for (const [host, path] of hosts) {
      const own = `https://${host}/a.png`;
      expect(placesOf(own, gateways).map((place) => place.url)).to.deep.equal([
        own,
        `https://ipfs.test${path}`,
      ]);
    }
    // Paths that only look like those of a gateway stay where they are.
    expect(await places(url(TRANSACTION))).to.equal(`host.test/${TRANSACTION}`);
  });

  it('is read in every encoding of JSON', async () => {
    const utf16 = Buffer.from(DOCUMENT, 'utf16le');
    const utf32 = Buffer.from(new Uint32Array([...DOCUMENT].map((letter) => letter.codePointAt(0)!)).buffer);
    const utf16be = Buffer.from(utf16).swap16();
    const utf32be = Buffer.from(utf32).swap32();
    const marked = (mark: readonly number[], bytes: Buffer) => Buffer.concat([Buffer.from(mark), bytes]);
    const forms = [
      marked([0xef, 0xbb, 0xbf], Buffer.from(DOCUMENT)),
      utf16,
      marked([0xff, 0xfe], utf16),
      utf16be,
      marked([0xfe, 0xff], utf16be),
      utf32,
      marked([0xff, 0xfe, 0, 0], utf32),
      utf32be,
      marked([0, 0, 0xfe, 0xff], utf32be),
    ];
    for (const [index, bytes] of forms.entries()) {
      internet.respond = (_request, response) => response.end(bytes);
      expect((await about(url())).description, `form ${index}`).to.equal(DESCRIPTION);
    }
    // Older encodings: the one that the server names, or the one that browsers assume.
    const inLatin = (charset: string) => {
      internet.respond = (_request, response) =>
        response
          .writeHead(200, { 'content-type': `application/json${charset}` })
          .end(Buffer.from(JSON.stringify({ image: IMAGE, description: 'Wärme' }), 'latin1'));
      return about(url());
    };
    expect((await inLatin('')).description).to.equal('Wärme');
    expect((await inLatin('; charset=koi8-r')).description).to.equal('WДrme');
  });

  it('is decompressed within the limit, from each compression', async () => {
    const json = Buffer.from(DOCUMENT);
    const long = Buffer.alloc(256 * 1024 + 1, 0x20);
    const send = (coding: string, bytes: Buffer) => {
      internet.respond = (_request, response) =>
        response.writeHead(200, { 'content-encoding': coding }).end(bytes);
      return about(url());
    };
    const forms: [string, Buffer][] = [
      ['identity', json],
      ['gzip', gzipSync(json)],
      ['x-gzip', gzipSync(json)],
      ['br', brotliCompressSync(json)],
      ['deflate', deflateSync(json)],
      ['deflate', deflateRawSync(json)],
      ['gzip, identity', gzipSync(json)],
      ['deflate, gzip', gzipSync(deflateSync(json))],
    ];
    for (const [coding, bytes] of forms) expect((await send(coding, bytes)).image, coding).to.equal(IMAGE);
    const bombs: [string, Buffer][] = [
      ['gzip', gzipSync(long)],
      ['br', brotliCompressSync(long)],
      ['deflate', deflateSync(long)],
      ['gzip, gzip', gzipSync(gzipSync(long))],
    ];
    for (const [coding, bytes] of bombs)
      expect((await refusalOf(send(coding, bytes))).message, coding).to.match(/longer than 262144 bytes/);
    expect((await refusalOf(send('gzip, gzip, gzip', json))).message).to.match(/too many times/);
    expect((await refusalOf(send('zz', json))).message).to.match(/unknown compression/);
    expect((await refusalOf(send('gzip', gzipSync(json).subarray(0, 30)))).temporary).to.equal(true);
  });

  it('tells temporary problems from permanent ones', async () => {
    const isTemporary = async (status: number, uri = url()) => {
      internet.respond = (_request, response) => response.writeHead(status).end(DOCUMENT);
      return (await refusalOf(about(uri))).temporary;
    };
    for (const status of [202, 408, 429, 500, 502, 503, 504])
      expect(await isTemporary(status), String(status)).to.equal(true);
    for (const status of [204, 400, 401, 403, 404, 410])
      expect(await isTemporary(status), String(status)).to.equal(false);
    expect(await isTemporary(404, `ipfs://${CID}`)).to.equal(true);
    internet.respond = (request) => request.socket.destroy();
    expect((await refusalOf(about(url()))).temporary).to.equal(true);
    expect((await refusalOf(about('no uri'))).temporary).to.equal(false);

    const seconds = (failures: number, temporary: boolean) => pauseMs(failures, { temporary }) / 1_000;
    expect([1, 2, 3, 40, 4_000].map((failures) => seconds(failures, true))).to.deep.equal([
      30, 60, 120, 86_400, 86_400,
    ]);
    expect([1, 2, 4_000].map((failures) => seconds(failures, false) / 86_400)).to.deep.equal([1, 2, 30]);
  });

  it('is asked for again when its server wants it, at most an hour later', async () => {
    const pause = async (header: string, uri = url(), status = 429) => {
      internet.respond = (request, response) =>
        response
          .writeHead(status, /^other/.test(request.headers.host!) ? {} : { 'retry-after': header })
          .end();
      return pauseMs(1, await refusalOf(about(uri))) / 1_000;
    };
    expect(await pause('90')).to.equal(90);
    expect(await pause('90', url(), 503)).to.equal(90);
    expect(await pause('90', `ipfs://${CID}`), 'the next gateway asked for nothing').to.equal(90);
    expect(await pause(new Date(Date.now() + 95_000).toUTCString())).to.be.within(90, 96);
    expect(await pause('1'), 'no sooner than otherwise').to.equal(30);
    for (const odd of ['-5', 'soon', '', 'Thu, 01 Jan 1970 00:00:00 GMT'])
      expect(await pause(odd), odd).to.equal(30);
    expect(await pause('999999999')).to.equal(3_600);
    expect(await pause('90', url(), 404), 'a permanent problem').to.equal(86_400);
  });

  it('is read from a data: URL, within the limits of what is fetched', async () => {
    const { image, description } = await about(`data:application/json,${encodeURIComponent(DOCUMENT)}`);
    expect([image, description]).to.deep.equal([IMAGE, DESCRIPTION]);
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    expect((await about(`data:;base64,${base64(DOCUMENT)}`)).description).to.equal(DESCRIPTION);
    expect((await about('data:application/json;utf8,{"description":"50% Wärme"}')).description).to.equal(
      '50% Wärme',
    );
    const long = ' '.repeat(256 * 1024 + 1);
    for (const [uri, reason] of [
      [`data:,${long}`, /longer than 262144 bytes/],
      [`data:;base64,${base64(long)}`, /longer than 262144 bytes/],
      ['data:application/json', /no comma/],
      ['data:,', /not JSON/],
    ] as const)
      expect((await refusalOf(about(uri))).message).to.match(reason);
    expect(internet.requests).to.equal(0);
  });

  it('has its image named in any of the usual ways', async () => {
    const image = async (document: object) => {
      internet.respond = (_request, response) => response.end(JSON.stringify(document));
      return (await about(url('folder/token.json'))).image;
    };
    expect(await image({ image: 'picture.png' })).to.equal(url('folder/picture.png'));
    expect(await image({ image: 'http://example.org/x' })).to.equal('https://example.org/x');
    expect(await image({ image: `ipfs://${CID}` })).to.equal(`ipfs://${CID}`);
    expect(await image({ image: CID })).to.equal(`ipfs://${CID}`);
    expect(await image({ image: { url: IMAGE } })).to.equal(IMAGE);
    const inside = `data:image/png;base64,${'A'.repeat(10_000)}`;
    expect(await image({ image: inside })).to.equal(inside);
    expect(await image({ image: 7, properties: { files: [{ uri: IMAGE }] } })).to.equal(IMAGE);
  });

  it('has its links completed, or as lines of the description', () => {
    const links = (document: object) => aboutOf(document).links;
    expect(links({ website: 'example.com/a', twitter: '@otter', telegram: 't.me/otter' })).to.deep.equal({
      website: 'https://example.com/a',
      x: 'https://x.com/otter',
      telegram: 'https://t.me/otter',
    });
    expect(links({ telegram: '@otters', extensions: { discord: '//discord.gg/a' } })).to.deep.equal({
      telegram: 'https://t.me/otters',
      discord: 'https://discord.gg/a',
    });
    expect(links({ twitter: 'http://x.com/a', discord: 'https://discord.gg@example.org/' })).to.deep.equal({
      x: 'https://x.com/a',
    });
    const words = { description: 'Warm', discord: 'otter#1234', twitter: 'javascript:alert(1)' };
    expect(aboutOf(words)).to.deep.equal({ description: 'Warm\nDiscord: otter#1234', links: null });
    const odd = { website: 'version 1.5', twitter: 7, telegram: 'a'.repeat(201) };
    expect(aboutOf(odd)).to.deep.equal({ description: 'Website: version 1.5', links: null });
  });
});
