import { expect } from 'chai';
import fc from 'fast-check';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { fetchJson, FetchRefusedError, type FetchLimits } from '#app/metadata/fetch.js';
import { fetchAbout } from '#app/metadata/token-document.js';
import { createMetadataFetcher } from '#app/metadata/metadata-job.js';
import { isPublicAddress } from '#app/metadata/public-address.js';
import { encodePicture } from '#app/pictures/encode.js';
import { Library } from '#app/pictures/library.js';
import { folderStore } from '#app/pictures/store.js';
import type { Database } from '#app/db/database.js';
import { tokenMetadata } from '#app/db/schema/index.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { startHttpsServer, type HttpsServer } from '#tests/network/https-server.js';
import { storeToken } from '#tests/database/index-rows.js';
import { startNameServer, type NameServer } from '#tests/network/name-server.js';
import { bomb, picture } from '#tests/service/pictures.js';
import { eventually } from '#tests/service/service.js';

const IMAGE = 'https://example.org/image.png';
/** The server's name, and those of places where nobody from outside may be sent. */
const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'host.test': ['127.0.0.1'],
  'inside.test': ['127.0.0.2'],
  'both.test': ['127.0.0.1', '127.0.0.2'],
  'metadata.test': ['169.254.169.254'],
  localhost: ['127.0.0.1'],
};

const fetchImage = async (uri: string, limits: FetchLimits) => (await fetchAbout(uri, limits)).image;

async function refusal(attempt: Promise<unknown>): Promise<string> {
  const problem: unknown = await attempt.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(problem).to.be.instanceOf(FetchRefusedError);
  return (problem as Error).message;
}

describe(`the image of a token (${DATABASE_KIND})`, () => {
  let server: HttpsServer;
  let names: NameServer;
  let addressesOf: (name: string) => readonly string[] | undefined;
  let respond: (request: IncomingMessage, response: ServerResponse) => void;
  let requests = 0;
  /** The test's own machine is the public internet here, except for its address 127.0.0.2. */
  let limits: Required<Omit<FetchLimits, 'maxBytes'>>;
  const url = (path = '', host = 'host.test') => `https://${host}:${server.port}/${path}`;

  before(async () => {
    server = await startHttpsServer(Object.keys(ADDRESSES), (request, response) => {
      requests += 1;
      respond(request, response);
    });
    names = await startNameServer((name) => addressesOf(name));
    limits = {
      ca: server.ca,
      nameServers: [names.address],
      isAllowed: (ip) => ip === '127.0.0.1',
      timeoutMs: 3_000,
    };
  });
  after(async () => {
    await server?.stop();
    await names?.stop();
  });
  beforeEach(() => {
    requests = 0;
    addressesOf = (name) => ADDRESSES[name] ?? [];
    respond = (_request, response) => response.end(JSON.stringify({ name: 'x', image: IMAGE }));
  });

  it('is what the JSON at the uri names', async () => {
    expect(await fetchImage(url('token.json'), limits)).to.equal(IMAGE);
  });

  it('is fetched from public addresses only, under any host name', async () => {
    const asInProduction = { ...limits, isAllowed: isPublicAddress };
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
    for (const host of hosts) {
      expect(await refusal(fetchJson(url('', host), asInProduction)), host).to.match(/public/);
    }
    for (const host of ['inside.test', 'both.test', '127.0.0.2']) {
      expect(await refusal(fetchJson(url('', host), limits)), host).to.match(/public/);
    }
    expect(requests).to.equal(0);
  });

  it('is connected to where the name led when it was checked, not where it leads a moment later', async () => {
    const before = names.asked.length;
    let reached: string | undefined;
    respond = (request, response) => {
      reached = request.socket.localAddress;
      response.end(JSON.stringify({ image: IMAGE }));
    };
    addressesOf = (name) => (names.asked.length === before + 1 ? ADDRESSES[name] : ['127.0.0.2']);
    expect(await fetchImage(url(), limits)).to.equal(IMAGE);
    expect(reached).to.equal('127.0.0.1');
    expect(names.asked.slice(before)).to.deep.equal(['host.test']);
    // The next fetch looks again, and does not go where the name leads now.
    expect(await refusal(fetchJson(url(), limits))).to.match(/public/);
    expect(requests).to.equal(1);
  });

  it('is given up when its name is none, or nobody tells where it leads', async () => {
    expect(await refusal(fetchJson(url('', 'none.test'), limits))).to.match(/ENOTFOUND none\.test/);
    addressesOf = () => undefined;
    expect(await refusal(fetchJson(url(), { ...limits, timeoutMs: 200 }))).to.match(/within 200 ms/);
  });

  it('is fetched by https only, without a password', async () => {
    for (const uri of ['http://example.org/', 'ipfs://x', 'file:///etc/passwd', 'no uri', '']) {
      expect(await refusal(fetchJson(uri, limits))).to.match(/only https/);
    }
    expect(await refusal(fetchJson('https://user:pw@example.org/', limits))).to.match(/user or password/);
  });

  it('is not looked for through redirects', async () => {
    respond = (_request, response) => response.writeHead(302, { location: url('elsewhere') }).end();
    expect(await refusal(fetchJson(url(), limits))).to.match(/HTTP 302/);
    expect(requests).to.equal(1);
  });

  it('is given up after the time, whether nothing comes or too little', async () => {
    const soon = { ...limits, timeoutMs: 500 };
    respond = () => undefined;
    expect(await refusal(fetchJson(url(), soon))).to.match(/within 500 ms/);
    respond = (_request, response) => {
      const drip = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(drip));
    };
    expect(await refusal(fetchJson(url(), soon))).to.match(/within 500 ms/);
  });

  it('is given up when the document is too long, even if it lies about its length', async () => {
    const exact = JSON.stringify({ image: IMAGE }).padEnd(256 * 1024, ' ');
    respond = (_request, response) => response.end(exact);
    expect(await fetchImage(url(), limits)).to.equal(IMAGE);
    respond = (_request, response) => response.end(`${exact} `);
    expect(await refusal(fetchJson(url(), limits))).to.match(/longer than 262144 bytes/);
    // Without an end, it is not read to one.
    respond = (_request, response) => {
      const more = () => response.write(Buffer.alloc(65_536, 0x20));
      response.on('drain', more);
      more();
    };
    expect(await refusal(fetchJson(url(), limits))).to.match(/longer than 262144 bytes/);
  });

  it('is given up when the answer is an error, compressed, no JSON, or broken off', async () => {
    respond = (_request, response) => response.writeHead(500).end(JSON.stringify({ image: IMAGE }));
    expect(await refusal(fetchJson(url(), limits))).to.match(/HTTP 500/);
    respond = (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('x');
    expect(await refusal(fetchJson(url(), limits))).to.match(/compressed/);
    respond = (_request, response) => response.end('<html>');
    expect(await refusal(fetchJson(url(), limits))).to.match(/could not be fetched/);
    respond = (_request, response) => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('{"image":');
      setTimeout(() => response.destroy(), 50);
    };
    expect(await refusal(fetchJson(url(), limits))).to.match(/could not be fetched/);
  });

  it('needs a certificate that is trusted', async () => {
    const { isAllowed, nameServers, timeoutMs } = limits;
    expect(await refusal(fetchJson(url(), { isAllowed, nameServers, timeoutMs }))).to.match(/certificate/);
    addressesOf = () => ['127.0.0.1'];
    expect(await refusal(fetchJson(url('', 'other.test'), limits))).to.match(/altnames/);
  });

  it('must be an https URL of sensible length', async () => {
    for (const image of [
      undefined,
      7,
      '',
      'http://example.org/x',
      'javascript:alert(1)',
      `https://e.org/${'x'.repeat(2_048)}`,
    ]) {
      respond = (_request, response) => response.end(JSON.stringify({ image }));
      expect(await refusal(fetchImage(url(), limits)), String(image)).to.match(/image/);
    }
  });

  it('never comes from an address that is not globally reachable', () => {
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
      '::',
      '::1',
      'fe80::1',
      'fc00::1',
      'ff02::1',
      '2001:db8::1',
      '2002:7f00:1::',
      'x',
      '',
    ]) {
      expect(isPublicAddress(ip), ip).to.equal(false);
    }
    for (const ip of ['1.1.1.1', '93.184.216.34', '172.15.0.1', '172.32.0.1', '2606:4700::1111']) {
      expect(isPublicAddress(ip), ip).to.equal(true);
    }
  });

  describe('of the tokens in the index', () => {
    let database: Database;
    let folder: string;
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'curvekit-metadata-'));
      database = await openTestDatabase();
    });
    after(async () => {
      await database?.close();
      await rm(folder, { recursive: true, force: true });
    });

    const addToken = (mint: string, uri: string) => storeToken(database.queries, { mint, uri });
    const metadata = async () =>
      new Map((await database.queries.select().from(tokenMetadata)).map((row) => [row.mint, row]));

    /** Does the work while a fetcher runs. */
    const withFetcher = async (work: () => Promise<void>) => {
      const fetcher = createMetadataFetcher(
        {
          database,
          library: new Library(database, folderStore(folder)),
          publicUrl: undefined,
          onKept: () => Promise.resolve(),
          logger: pino({ level: 'silent' }),
        },
        limits,
      );
      fetcher.start();
      try {
        await work();
      } finally {
        await fetcher.stop();
      }
    };

    it('is fetched once for each, and not again after a restart', async () => {
      const counts = new Map<string, number>();
      respond = (request, response) => {
        const path = request.url ?? '';
        counts.set(path, (counts.get(path) ?? 0) + 1);
        if (path === '/missing') response.writeHead(404);
        response.end(JSON.stringify({ image: IMAGE }));
      };
      // More than are fetched at once.
      for (let index = 0; index < 20; index += 1) await addToken(`good ${index}`, url(`good-${index}`));
      await addToken('missing', url('missing'));
      await addToken('odd', 'no uri');
      const run = (expected: number) =>
        withFetcher(() => eventually(async () => (await metadata()).size === expected, 'the metadata'));
      await run(22);
      await addToken('late', url('late'));
      await run(23);

      const found = await metadata();
      for (let index = 0; index < 20; index += 1) {
        expect(found.get(`good ${index}`)).to.include({ image: IMAGE, problem: null });
      }
      expect(found.get('late')).to.include({ image: IMAGE, problem: null });
      expect(found.get('missing')).to.include({ image: '', problem: 'the server answers HTTP 404' });
      expect(found.get('odd')).to.include({ image: '', problem: 'only https URLs are fetched' });
      expect([...counts.values()]).to.deep.equal(Array.from({ length: 22 }, () => 1));
    });

    it("is kept as the service's own copy, with the words about the token that a page can show", async () => {
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
      respond = (request, response) => {
        const path = request.url ?? '';
        response.end(images[path] ?? JSON.stringify({ image: url(`${path.slice(1)}.png`), ...ABOUT }));
      };
      const names = Object.keys(images).map((path) => path.slice(1, -4));
      const before = (await metadata()).size;
      for (const name of names) await addToken(name, url(name));
      await withFetcher(() =>
        eventually(async () => (await metadata()).size >= before + names.length, 'the metadata'),
      );
      const found = await metadata();
      expect(found.get('good')).to.deep.include({
        problem: null,
        pictureProblem: null,
        description: 'Warm.\uFFFD',
        links: { website: 'https://example.org/a%20b', telegram: 'https://t.example/a' },
      });
      const library = new Library(database, folderStore(folder));
      expect(await library.readShown('picture', found.get('good')!.picture!)).to.deep.equal(
        await encodePicture(image),
      );
      const PROBLEMS = { svg: /no PNG/, bomb: /pixels/, long: /longer than 4194304 bytes/ };
      for (const [name, problem] of Object.entries(PROBLEMS)) {
        expect(found.get(name)).to.deep.include({ image: url(`${name}.png`), problem: null, picture: null });
        expect(found.get(name)!.pictureProblem, name).to.match(problem);
      }
    });

    it('is fetched for the other tokens when one server answers nonsense', async () => {
      const answers: Record<string, string> = {
        // Quoted in the parser's message.
        '/nul': '\0abc',
        '/long': 'x'.repeat(100_000),
        '/unpaired': '"\\ud800"',
        '/nul-image': JSON.stringify({ image: 'https://example.org/\0image.png' }),
        '/surrogate-image': JSON.stringify({ image: 'https://example.org/\ud800' }),
        '/good': JSON.stringify({ image: IMAGE }),
      };
      respond = (request, response) => response.end(answers[request.url ?? '']);
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
        .to.match(/could not be fetched/)
        .and.to.contain('\uFFFDabc');
      for (const path of names) {
        expect(found.get(path)!.image).not.to.contain('\0');
        expect((found.get(path)!.problem ?? '').length).to.be.at.most(500);
      }
    });

    it('is fetched for the others when that of one cannot be kept, which is tried again less and less often', async () => {
      const counts = new Map<string, number>();
      respond = (request, response) => {
        const path = request.url ?? '';
        counts.set(path, (counts.get(path) ?? 0) + 1);
        response.end(JSON.stringify({ image: IMAGE }));
      };
      await database.queries.execute(
        sql`alter table token_metadata add constraint refused check (mint <> 'refused')`,
      );
      await addToken('refused', url('refused'));
      await addToken('beside', url('beside'));
      const started = Date.now();
      await withFetcher(async () => {
        await eventually(async () => (await metadata()).has('beside'), 'the one beside it');
        await eventually(() => Promise.resolve((counts.get('/refused') ?? 0) >= 2), 'a second attempt');
        await addToken('after', url('after'));
        await eventually(async () => (await metadata()).has('after'), 'a later one');
        await eventually(() => Promise.resolve((counts.get('/refused') ?? 0) >= 3), 'a third attempt');
        // After one second, then after two.
        expect(Date.now() - started).to.be.at.least(3_000);
        await database.queries.execute(sql`alter table token_metadata drop constraint refused`);
        await eventually(async () => (await metadata()).has('refused'), 'the one that was refused');
      });
      expect([counts.get('/beside'), counts.get('/after')]).to.deep.equal([1, 1]);
    });
  });
});
