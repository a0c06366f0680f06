// The images of indexed tokens: fetched once, stored, and retried. threat: tracking-picture, slow-hosts
import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { and, eq, sql } from 'drizzle-orm';
import { pino } from 'pino';
import { createMetadataFetcher } from '#app/tokens/metadata/metadata-job.js';
import { encodePicture } from '#app/tokens/pictures/encode.js';
import { Library } from '#app/tokens/pictures/library.js';
import { folderStore } from '#app/tokens/pictures/store.js';
import { refetchToken } from '#app/operator/commands/token.js';
import type { Database } from '#app/db/database.js';
import { tasks, tokenMetadata } from '#app/db/schema/index.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { storeToken } from '#tests/database/index-rows.js';
import { bomb, picture } from '#tests/service/pictures.js';
import { eventually } from '#tests/service/service.js';
import { IMAGE, useInternet } from '#tests/service/image-server.js';

const PUBLIC_URL = 'https://curvekit.example';

describe(`the images of indexed tokens (${DATABASE_KIND})`, () => {
  const { internet, limits, url } = useInternet();
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
        publicUrl: PUBLIC_URL,
        pollMs: 20,
        onKept: () => Promise.resolve(),
        logger: pino({ level: 'silent' }),
      },
      limits(),
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
      links: {
        website: 'https://example.org/a%20b',
        x: 'https://x.example/',
        telegram: 'https://t.example/a',
      },
    });
    const library = new Library(database, folderStore(folder));
    expect(await library.readShown('picture', found.get('good')!.picture!)).to.deep.equal(
      await encodePicture(image),
    );
    const PROBLEMS = { svg: /not a PNG/, bomb: /pixels/, long: /longer than 4194304 bytes/ };
    for (const [name, problem] of Object.entries(PROBLEMS)) {
      expect(found.get(name)).to.deep.include({ image: url(`${name}.png`), problem: null, picture: null });
      expect(found.get(name)!.pictureProblem, name).to.match(problem);
    }
  });

  it("are copied from the document itself, and have the copy's URL", async () => {
    const image = await picture('png');
    internet.respond = (_request, response) =>
      response.end(JSON.stringify({ image: `data:image/png;base64,${image.toString('base64')}` }));
    const before = (await metadata()).size;
    await addToken('inside', url('inside.json'));
    await addToken('drawn', `data:,${encodeURIComponent('{"image":"data:image/svg+xml,<svg/>"}')}`);
    await withFetcher(() => eventually(async () => (await metadata()).size === before + 2, 'the metadata'));
    const found = await metadata();
    const { picture: hash } = found.get('inside')!;
    expect(found.get('inside')!.image).to.equal(`${PUBLIC_URL}/v1/market/images/${hash}.webp`);
    expect(await new Library(database, folderStore(folder)).readShown('picture', hash!)).to.deep.equal(
      await encodePicture(image),
    );
    expect(found.get('drawn')).to.deep.include({ image: '', problem: null, picture: null });
    expect(found.get('drawn')!.pictureProblem).to.match(/not a PNG/);
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

  it('are fetched for other tokens even if one cannot be stored; the service retries that one with backoff', async () => {
    const counts = new Map<string, number>();
    internet.respond = (request, response) => {
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
      // One second, then two.
      expect(Date.now() - started).to.be.at.least(3_000);
      await database.queries.execute(sql`alter table token_metadata drop constraint refused`);
      await eventually(async () => (await metadata()).has('refused'), 'the one that was refused');
    });
    expect([counts.get('/beside'), counts.get('/after')]).to.deep.equal([1, 1]);
  });
});
