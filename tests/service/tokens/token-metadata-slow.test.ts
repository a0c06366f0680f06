// Servers that answer late or never, while others have new tokens. threat: silent-server, slow-hosts, unanswered-tokens
import { expect } from 'chai';
import type { ServerResponse } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { createMetadataFetcher, fetching } from '#app/tokens/metadata/metadata-job.js';
import { Library } from '#app/tokens/pictures/library.js';
import { folderStore } from '#app/tokens/pictures/store.js';
import type { Database } from '#app/db/database.js';
import { tasks, tokenMetadata } from '#app/db/schema/index.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { storeToken } from '#tests/database/index-rows.js';
import { keepSilent } from '#tests/network/silent-peer.js';
import { eventually } from '#tests/service/service.js';
import { IMAGE, useInternet } from '#tests/service/image-server.js';

/** As many as the fetcher fetches at once, of new tokens and of retries. */
const AT_ONCE = 8;
const FIRST_LIMIT_MS = 3_000;
/** Longer than a new token's server has, and shorter than at a retry. */
const LATE_MS = FIRST_LIMIT_MS + 2_000;

describe(`slow servers of tokens' metadata (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const { internet, limits, url } = useInternet();
  let database: Database;
  let folder: string;
  /** Answers that wait, by path. */
  let waiting: Map<string, ServerResponse>;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'curvekit-metadata-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));
  beforeEach(async () => {
    database = await openTestDatabase();
    waiting = new Map();
    internet.respond = (request, response) => {
      if (request.url === '/fast') response.end(JSON.stringify({ image: IMAGE }));
      else waiting.set(request.url!, response);
    };
  });
  afterEach(async () => {
    for (const response of waiting.values()) response.destroy();
    await database.close();
  });

  async function withFetcher(work: () => Promise<void>): Promise<void> {
    const { ca, nameServers, isAllowed } = limits();
    const fetcher = createMetadataFetcher(
      {
        database,
        library: new Library(database, folderStore(folder)),
        publicUrl: undefined,
        pollMs: 20,
        onKept: () => Promise.resolve(),
        logger: pino({ level: 'silent' }),
      },
      // With the usual time limits.
      { ca, nameServers, isAllowed },
    );
    fetcher.start();
    try {
      await work();
    } finally {
      for (const response of waiting.values()) response.destroy();
      await fetcher.stop();
    }
  }
  const slow = Array.from({ length: AT_ONCE }, (_, index) => `slow-${index}`);
  const addSlow = async () => {
    for (const mint of slow) await storeToken(database.queries, { mint, uri: url(mint) });
  };
  const untilAsked = () =>
    eventually(() => Promise.resolve(waiting.size === AT_ONCE), 'a request for each slow token');
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
    await withFetcher(async () => {
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

  it('servers that switch to another protocol delay nobody', async () => {
    await addSlow();
    await storeToken(database.queries, { mint: 'behind', uri: url('fast') });
    const answer = internet.respond;
    internet.respond = (request, response) => {
      if (request.url === '/fast') answer(request, response);
      else keepSilent(request.socket, 'switches');
    };
    await withFetcher(async () => {
      await eventually(
        async () => (await row('behind')) !== undefined,
        'the token behind them',
        FIRST_LIMIT_MS,
      );
      for (const mint of slow) expect(await row(mint)).to.include({ problem: 'the server answers HTTP 101' });
    });
  });

  it('servers that never answer delay those behind them once, by the time limit of a new token', async () => {
    await addSlow();
    await storeToken(database.queries, { mint: 'behind', uri: url('fast') });
    await withFetcher(async () => {
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
