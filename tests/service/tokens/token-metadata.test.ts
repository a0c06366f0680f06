// Metadata as creators publish it: from where it is fetched, in which forms, what is refused, what is stored and tried again, and that slow
// servers delay nobody. threat: internal-uri, slow-dns, metadata-bomb, tracking-picture, slow-hosts, silent-server, unanswered-tokens
import { expect } from 'chai';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { and, eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { pino } from 'pino';
import { createMetrics } from '#app/base/metrics.js';
import { tasks, tokenMetadata } from '#app/db/schema/index.js';
import { resultOf } from '#app/http/health.js';
import { refetchToken } from '#app/operator/commands/token.js';
import { FetchRefusedError, placesOf, type FetchLimits } from '#app/tokens/metadata/fetch.js';
import { createMetadataFetcher, fetching } from '#app/tokens/metadata/metadata-job.js';
import { metadataCheck } from '#app/tokens/metadata/oldest.js';
import { isPublicAddress } from '#app/tokens/metadata/public-address.js';
import { fetchAbout, pauseMs } from '#app/tokens/metadata/token-row.js';
import { aboutOf } from '#app/tokens/pictures/document.js';
import { encodePicture } from '#app/tokens/pictures/encode.js';
import { Library } from '#app/tokens/pictures/library.js';
import { folderStore } from '#app/tokens/pictures/store.js';
import { DATABASE_KIND, useDatabase } from '#tests/database/database.js';
import { storeToken } from '#tests/database/index-rows.js';
import { ADDRESSES, IMAGE, useInternet } from '#tests/service/image-server.js';
import { bomb, picture } from '#tests/service/pictures.js';
import { eventually } from '#tests/service/service.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

const CID = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi';
const KEY = CID.replace('bafybei', 'bafzbei');
const SHORT_KEY = 'k51qzi5uqu5dgutdk6i1ynyzgkqngpha5xpgia3a5qqp4jsh0u4csozksxel2r';
const TRANSACTION = 'x'.repeat(43);
const DESCRIPTION = 'Wärme \u{1F525}';
const DOCUMENT = JSON.stringify({ image: IMAGE, description: DESCRIPTION });
const PUBLIC_URL = 'https://curvekit.example';
const UNFETCHED_MS = 1_000;
/** As many as the fetcher fetches at once, of new tokens and of retries. */
const AT_ONCE = 8;
const FIRST_LIMIT_MS = 3_000;
/** Longer than a new token's server has, and shorter than at a retry. */
const LATE_MS = FIRST_LIMIT_MS + 2_000;

async function refusalOf(attempt: Promise<unknown>): Promise<FetchRefusedError> {
  const problem: unknown = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(problem).to.be.instanceOf(FetchRefusedError);
  return problem as FetchRefusedError;
}
const refusalMessage = async (attempt: Promise<unknown>) => (await refusalOf(attempt)).message;

describe("a token's metadata", () => {
  const { internet, limits, url, ...scene } = useInternet();
  const about = (uri: string) => fetchAbout(uri, limits());
  const imageAt = async () => (await about(url())).image;

  it('is fetched only from public addresses, whatever the host name', async () => {
    const asInProduction = { ...limits(), isAllowed: isPublicAddress };
    const hosts = [
      'localhost',
      'host.test',
      'metadata.test',
      '127.0.0.1',
      '[::1]',
      '0x7f.1',
      '2130706433',
      '[::ffff:127.0.0.1]',
      '169.254.169.254',
    ];
    for (const host of hosts)
      expect(await refusalMessage(fetchAbout(url('', host), asInProduction)), host).to.match(/public/);
    for (const host of ['inside.test', 'both.test', '127.0.0.2'])
      expect(await refusalMessage(fetchAbout(url('', host), limits())), host).to.match(/public/);
    expect(internet.requests).to.equal(0);
  });

  it('is fetched from the address that was checked, even if the name resolves to another one later', async () => {
    const before = scene.names().asked.length;
    let reached: string | undefined;
    internet.respond = (request, response) => {
      reached = request.socket.localAddress;
      response.end(JSON.stringify({ image: IMAGE }));
    };
    internet.addressesOf = (name) =>
      scene.names().asked.length === before + 1 ? ADDRESSES[name] : ['127.0.0.2'];
    expect(await imageAt()).to.equal(IMAGE);
    expect(reached).to.equal('127.0.0.1');
    expect(scene.names().asked.slice(before)).to.deep.equal(['host.test']);
    // The next fetch resolves the name again, and refuses its new address.
    expect(await refusalMessage(fetchAbout(url(), limits()))).to.match(/public/);
    expect(internet.requests).to.equal(1);
  });

  it('fails for the same reason if the name is unknown or of the inside', async () => {
    const [unknown, inside] = ['none.test', 'inside.test'].map(async (host) =>
      (await refusalMessage(fetchAbout(url('', host), limits()))).replaceAll(host, 'HOST'),
    );
    expect(await unknown).to.equal(await inside);
  });

  it('needs a trusted certificate', async () => {
    const { isAllowed, nameServers, timeoutMs } = limits();
    expect(await refusalMessage(fetchAbout(url(), { isAllowed, nameServers, timeoutMs }))).to.match(
      /SELF_SIGNED/,
    );
    internet.addressesOf = () => ['127.0.0.1'];
    expect(await refusalMessage(fetchAbout(url('', 'other.test'), limits()))).to.match(/ALTNAME/);
  });

  it('must be a URL of limited length; a document without one keeps its words', async () => {
    for (const image of [undefined, 7, '', 'javascript:alert(1)', `https://e.org/${'x'.repeat(2_048)}`]) {
      internet.respond = (_request, response) => response.end(JSON.stringify({ image, description: 'Warm' }));
      const found = await fetchAbout(url(), limits());
      expect(found.image, String(image)).to.equal(undefined);
      expect(found.problem, String(image)).to.match(/image/);
      // The words do not go with the image.
      expect(found.description).to.equal('Warm');
    }
  });

  it('is refused from every address that is not globally reachable', () => {
    const privateIpv4 = fc.oneof(
      fc.tuple(fc.constantFrom(0, 10, 127), fc.nat(255), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(169), fc.constant(254), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), fc.nat(255), fc.nat(255)),
      fc.tuple(fc.integer({ min: 224, max: 255 }), fc.nat(255), fc.nat(255), fc.nat(255)),
    );
    fc.assert(
      fc.property(privateIpv4, (bytes) => {
        const ip = bytes.join('.');
        return !isPublicAddress(ip) && !isPublicAddress(`::ffff:${ip}`) && !isPublicAddress(`64:ff9b::${ip}`);
      }),
    );
    for (const ip of [
      '168.63.129.16',
      '::',
      '::1',
      'fe80::1',
      'fc00::1',
      'ff02::1',
      '2001:db8::1',
      '2002:7f00:1::',
      'x',
      '',
    ])
      expect(isPublicAddress(ip), ip).to.equal(false);
    for (const ip of ['1.1.1.1', '93.184.216.34', '172.15.0.1', '172.32.0.1', '2606:4700::1111'])
      expect(isPublicAddress(ip), ip).to.equal(true);
  });

  const BIG = JSON.stringify({ image: IMAGE }).padEnd(256 * 1024, ' ');
  const send =
    (status: number, body: string, headers = {}): typeof internet.respond =>
    (_request, response) =>
      void response.writeHead(status, headers).end(body);
  const drip: typeof internet.respond = (_request, response) => {
    const timer = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(timer));
  };
  const endless: typeof internet.respond = (_request, response) => {
    const more = () => response.write(Buffer.alloc(65_536, 0x20));
    response.on('drain', more);
    more();
  };
  const truncated: typeof internet.respond = (_request, response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('{"image":');
    setTimeout(() => response.destroy(), 50);
  };
  const REFUSED: readonly (readonly [what: string, answer: typeof internet.respond, message: RegExp])[] = [
    ['a server that sends nothing', () => undefined, /within 500 ms/],
    ['a server that sends too little', drip, /within 500 ms/],
    ['a document that is too long', send(200, `${BIG} `), /longer than 262144 bytes/],
    ['a document without an end', endless, /longer than 262144 bytes/],
    ['an error', send(500, '{}'), /HTTP 500/],
    ['a damaged compression', send(200, 'x', { 'content-encoding': 'gzip' }), /compressed answer is damaged/],
    ['a web page', send(200, '<html>'), /it is not JSON/],
    ['an answer that breaks off', truncated, /could not be fetched from host\.test/],
  ];
  for (const [what, answer, message] of REFUSED)
    it(`is not read from ${what}`, async () => {
      internet.respond = answer;
      expect(await refusalMessage(fetchAbout(url(), { ...limits(), timeoutMs: 500 }))).to.match(message);
    });

  it('is read up to its limit, over https without credentials, from a name server that answers', async () => {
    internet.respond = send(200, BIG);
    expect(await imageAt()).to.equal(IMAGE);
    for (const uri of ['ftp://example.org/', 'file:///etc/passwd', 'no uri', ''])
      expect(await refusalMessage(fetchAbout(uri, limits()))).to.match(/only https/);
    const credentials = fetchAbout('https://user:pw@example.org/', limits());
    expect(await refusalMessage(credentials)).to.match(/user or password/);
    internet.addressesOf = () => undefined;
    const unnamed = fetchAbout(url(), { ...limits(), timeoutMs: 200 });
    expect(await refusalMessage(unnamed)).to.match(/within 200 ms/);
  });

  it('is fetched through redirects, each of them checked like the first URL', async () => {
    let to = '';
    internet.respond = (request, response) => {
      if (request.url !== '/first') response.end(DOCUMENT);
      else response.writeHead(302, { location: to }).end();
    };
    for (to of ['/second', url('second', 'ar.test')])
      expect((await about(url('first'))).image).to.equal(IMAGE);
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

describe(`the metadata of indexed tokens (${DATABASE_KIND})`, () => {
  const { internet, limits, url } = useInternet();
  const database = useDatabase({ each: true });
  const folder = temporaryFolder('metadata');

  const addToken = (mint: string, uri: string) => storeToken(database.queries, { mint, uri });
  const metadata = async () =>
    new Map((await database.queries.select().from(tokenMetadata)).map((row) => [row.mint, row]));
  const untilHas = (count: number) =>
    eventually(async () => (await metadata()).size === count, 'the metadata');
  const library = () => new Library(database, folderStore(folder));

  /** Does the work while a fetcher runs. */
  const withFetcher = async (work: () => Promise<void>, by: FetchLimits = limits()) => {
    const fetcher = createMetadataFetcher(
      {
        ...{ database, library: library(), publicUrl: PUBLIC_URL, pollMs: 20 },
        ...{ onKept: () => Promise.resolve(), logger: pino({ level: 'silent' }) },
      },
      by,
    );
    fetcher.start();
    try {
      await work();
    } finally {
      await fetcher.stop();
    }
  };

  it('are fetched once per token, and not again after a restart', async () => {
    const counts = new Map<string, number>();
    internet.respond = (request, response) => {
      const path = request.url ?? '';
      counts.set(path, (counts.get(path) ?? 0) + 1);
      if (path === '/missing') response.writeHead(404);
      response.end(JSON.stringify({ image: IMAGE }));
    };
    // More tokens than the fetcher fetches at once.
    for (let index = 0; index < 20; index += 1) await addToken(`good ${index}`, url(`good-${index}`));
    await addToken('missing', url('missing'));
    await addToken('odd', 'no uri');
    const run = (expected: number) => withFetcher(() => untilHas(expected));
    await run(22);
    await addToken('late', url('late'));
    await run(23);

    const found = await metadata();
    for (let index = 0; index < 20; index += 1)
      expect(found.get(`good ${index}`)).to.include({ image: IMAGE, problem: null });
    expect(found.get('late')).to.include({ image: IMAGE, problem: null });
    expect(found.get('missing')).to.include({ image: '', problem: 'the server answers HTTP 404' });
    expect(found.get('odd')).to.include({
      image: '',
      problem: 'only https URLs, ipfs:// and ar:// are fetched',
    });
    expect([...counts.values()]).to.deep.equal(Array.from({ length: 22 }, () => 1));
  });

  it('are fetched again after a problem, and what was read before is kept', async () => {
    let document: object | undefined;
    let status = 503;
    const image = await picture('png');
    internet.respond = (request, response) => {
      if (request.url === '/late.png') response.writeHead(status).end(image);
      else response.writeHead(document === undefined ? 504 : 200).end(JSON.stringify(document));
    };
    const mint = 'again';
    const row = async () => (await metadata()).get(mint);
    const task = async () =>
      (
        await database.queries
          .select()
          .from(tasks)
          .where(and(eq(tasks.kind, 'metadata'), eq(tasks.subject, mint)))
      )[0];
    /** Waits for the attempt, and says in how many seconds the next one comes. */
    const attempted = async (failures: number) => {
      await eventually(async () => ((await task())?.attempts ?? 0) === failures, `attempt ${failures}`);
      const { dueAt } = (await task()) ?? {};
      return dueAt === undefined ? null : (dueAt.getTime() - (await row())!.fetchedAt.getTime()) / 1_000;
    };
    const due = () => database.queries.execute(sql`update tasks set due_at = now() where subject = ${mint}`);
    await addToken(mint, url('again.json'));
    await withFetcher(async () => {
      expect(await attempted(1)).to.equal(30);
      expect(await row()).to.include({ problem: 'the server answers HTTP 504', description: null });
      document = { description: 'Warm', image: url('late.png') };
      await due();
      expect(await attempted(2)).to.equal(60);
      expect(await row()).to.include({ problem: null, description: 'Warm', picture: null });
      document = undefined;
      await due();
      expect(await attempted(3)).to.equal(120);
      expect(await row()).to.include({ problem: 'the server answers HTTP 504', description: 'Warm' });
      document = { description: 'Warmer', image: url('late.png') };
      status = 404;
      await due();
      expect(await attempted(4), 'permanent, for the fourth time').to.equal(4 * 86_400);
      // What `curvekit token refetch` does.
      status = 200;
      expect(await refetchToken(database, mint)).to.equal('due');
      await eventually(async () => (await row())!.picture !== null, 'the picture');
      expect(await attempted(0)).to.equal(null);
      expect(await row()).to.include({ problem: null, pictureProblem: null, description: 'Warmer' });
    });
    expect(await refetchToken(database, 'nobody')).to.equal('unknown');
  });

  it("are stored as the service's own copy, with the description and the valid links", async () => {
    const image = await picture('png');
    const link = 'https://example.org/a b';
    const ABOUT = {
      description: ' Warm.\0 ',
      external_url: link,
      twitter: 'http://x.example',
      extensions: { telegram: 'https://t.example/a', discord: 7 },
    };
    const images: Record<string, Buffer> = {
      '/good.png': image,
      '/svg.png': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      '/bomb.png': bomb(40_000, 40_000),
      '/long.png': Buffer.alloc(4 * 1024 * 1024 + 1),
    };
    internet.respond = (request, response) => {
      const path = request.url ?? '';
      response.end(images[path] ?? JSON.stringify({ image: url(`${path.slice(1)}.png`), ...ABOUT }));
    };
    const names = Object.keys(images).map((path) => path.slice(1, -4));
    for (const name of names) await addToken(name, url(name));
    const inside = `{"image":"data:image/png;base64,${image.toString('base64')}"}`;
    await addToken('inside', `data:;base64,${Buffer.from(inside).toString('base64')}`);
    await addToken('drawn', `data:,${encodeURIComponent('{"image":"data:image/svg+xml,<svg/>"}')}`);
    await withFetcher(() => untilHas(names.length + 2));
    const found = await metadata();
    expect(found.get('good')).to.deep.include({
      problem: null,
      pictureProblem: null,
      description: 'Warm.\uFFFD',
      links: {
        website: 'https://example.org/a%20b',
        x: 'https://x.example/',
        telegram: 'https://t.example/a',
      },
    });
    for (const name of ['good', 'inside'])
      expect(await library().readShown('picture', found.get(name)!.picture!)).to.deep.equal(
        await encodePicture(image),
      );
    const { picture: copy, image: shown } = found.get('inside')!;
    expect(shown).to.equal(`${PUBLIC_URL}/v1/market/images/${copy}.webp`);
    expect(found.get('drawn')).to.deep.include({ image: '', problem: null, picture: null });
    expect(found.get('drawn')!.pictureProblem).to.match(/not a PNG/);
    const PROBLEMS = { svg: /not a PNG/, bomb: /pixels/, long: /longer than 4194304 bytes/ };
    for (const [name, problem] of Object.entries(PROBLEMS)) {
      expect(found.get(name)).to.deep.include({ image: url(`${name}.png`), problem: null, picture: null });
      expect(found.get(name)!.pictureProblem, name).to.match(problem);
    }
  });

  it('are fetched for other tokens even if one server returns invalid data', async () => {
    const answers: Record<string, string> = {
      // The parser's message quotes this character.
      '/nul': '\0abc',
      '/long': 'x'.repeat(100_000),
      '/unpaired': '"\\ud800"',
      '/nul-image': JSON.stringify({ image: 'https://example.org/\0image.png' }),
      '/surrogate-image': JSON.stringify({ image: 'https://example.org/\ud800' }),
      '/good': JSON.stringify({ image: IMAGE }),
    };
    internet.respond = (request, response) => response.end(answers[request.url ?? '']);
    const names = Object.keys(answers);
    for (const path of names) await addToken(path, url(path.slice(1)));
    await withFetcher(async () => {
      await eventually(async () => {
        const found = await metadata();
        return names.every((path) => found.has(path));
      }, 'the metadata of all');
    });
    const found = await metadata();
    expect(found.get('/good')).to.include({ image: IMAGE, problem: null });
    expect(found.get('/nul')!.image).to.equal('');
    expect(found.get('/nul')!.problem)
      .to.match(/it is not JSON/)
      .and.to.contain('\uFFFDabc');
    for (const path of names) {
      expect(found.get(path)!.image).not.to.contain('\0');
      expect((found.get(path)!.problem ?? '').length).to.be.at.most(500);
    }
  });

  describe('of slow servers', () => {
    /** Answers that wait, by path. */
    let waiting: Map<string, ServerResponse>;
    beforeEach(() => {
      waiting = new Map();
      internet.respond = (request, response) => {
        if (request.url === '/fast') response.end(JSON.stringify({ image: IMAGE }));
        else waiting.set(request.url!, response);
      };
    });
    /** With the usual time limits. */
    const withUsualLimits = (work: () => Promise<void>) => {
      const { ca, nameServers, isAllowed } = limits();
      const ended = async () => {
        try {
          await work();
        } finally {
          for (const response of waiting.values()) response.destroy();
        }
      };
      return withFetcher(ended, { ca, nameServers, isAllowed });
    };
    const slow = Array.from({ length: AT_ONCE }, (_, index) => `slow-${index}`);
    const addSlow = async () => {
      for (const mint of slow) await addToken(mint, url(mint));
    };
    const untilAsked = () => eventually(() => waiting.size === AT_ONCE, 'a request for each slow token');
    const row = async (mint: string) =>
      (await database.queries.select().from(tokenMetadata).where(eq(tokenMetadata.mint, mint)))[0];

    it('do not delay new tokens at a retry, when they have more time to answer', async () => {
      await addSlow();
      const due = slow.map((subject) => ({
        kind: fetching.kind,
        subject,
        attempts: 1,
        dueAt: new Date(),
        problem: 'no answer',
      }));
      await database.queries.insert(tasks).values(due);
      await withUsualLimits(async () => {
        await untilAsked();
        const asked = performance.now();
        await storeToken(database.queries, { mint: 'new', uri: url('fast') });
        await eventually(async () => (await row('new')) !== undefined, 'the new token');
        expect(performance.now() - asked).to.be.below(FIRST_LIMIT_MS);
        for (const mint of slow) expect(await row(mint)).to.equal(undefined);
        await sleep(LATE_MS - (performance.now() - asked));
        for (const response of waiting.values()) response.end(JSON.stringify({ description: 'Late' }));
        const isRead = async (mint: string) => (await row(mint))?.description === 'Late';
        await eventually(async () => (await Promise.all(slow.map(isRead))).every(Boolean), 'the slow ones');
      });
    });

    it('servers that never answer delay those behind them once, by the time limit of a new token', async () => {
      await addSlow();
      await storeToken(database.queries, { mint: 'behind', uri: url('fast') });
      await withUsualLimits(async () => {
        await untilAsked();
        const asked = performance.now();
        await eventually(async () => (await row('behind')) !== undefined, 'the token behind them');
        expect(performance.now() - asked).to.be.below(LATE_MS);
        for (const mint of slow)
          expect(await row(mint)).to.include({ problem: `no whole answer within ${FIRST_LIMIT_MS} ms` });
        // They wait for their retry, so nobody waits for them again.
        waiting.clear();
        await storeToken(database.queries, { mint: 'later', uri: url('fast') });
        await eventually(async () => (await row('later')) !== undefined, 'a later token', FIRST_LIMIT_MS);
        expect([...waiting.keys()]).to.deep.equal([]);
      });
    });
  });

  it('is named in /ready and in a metric while it is the oldest that was never fetched, and forgotten once it was fetched', async () => {
    const metrics = createMetrics({ ofProcess: false });
    const check = { ...metadataCheck({ database, metrics }, UNFETCHED_MS), keptMs: 0 };
    const look = async () => {
      await sleep(20); // until the last result is no longer reused
      return (await resultOf(check)).says;
    };
    const fetched = (mint: string) =>
      database.queries.insert(tokenMetadata).values({ mint, uri: '', image: '', fetchedAt: new Date() });
    await storeToken(database.queries, { mint: 'first', uri: 'https://example.com' });
    await storeToken(database.queries, { mint: 'second', uri: 'https://example.com' });
    expect(await look()).to.equal('ok');
    await sleep(UNFETCHED_MS);
    expect(await look()).to.match(/^warning: the metadata of first and of later tokens is not fetched/);
    const name = 'curvekit_metadata_oldest_unfetched_seconds';
    const text = await metrics.registry.getSingleMetricAsString(name);
    expect(Number(/ ([\d.]+)$/.exec(text)?.[1])).to.be.at.least(UNFETCHED_MS / 1_000);
    await fetched('first');
    expect(await look()).to.equal('ok');
    await fetched('second');
    await sleep(UNFETCHED_MS);
    expect(await look()).to.equal('ok');
  });
});
