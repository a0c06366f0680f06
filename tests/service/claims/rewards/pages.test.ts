// A wallet with 5,000 tokens: it reads them page by page, and does not delay other wallets. threat: many-rewards, redirected-sdk
import { expect } from 'chai';
import { Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { keypairWallet } from '@curvekit/sdk';
import { ConnectionError, RewardsClient } from '@curvekit/sdk/rewards';
import { sql } from 'drizzle-orm';
import { post } from '#app/ledger/post.js';
import { prepareRewardQueries } from '#app/claims/rewards/reward-queries.js';
import { sumRewards, encodeCursor } from '#app/claims/rewards/rewards-repository.js';
import { atEnd } from '#tests/mocha/at-end.js';
import { fieldsOf, type ApiAnswer } from '#tests/service/api-client.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { randomStream } from '../../../../scripts/random.js';
import { rejection } from '#tests/mocha/failures.js';
import { serveHttp } from '#tests/node/serve.js';
import { reward, signed, startRewardsScene, type RewardsScene } from '#tests/service/rewards.js';

const TOKENS = 5_000;
const TOKENS_PER_POSTING = 2_500;
const LARGEST_PAGE = 1_000;
/** Medians, for busy machines. A page takes about 20 ms on an idle core; all tokens in one answer took seconds. */
const MOST_PAGE_MS = 3_000;

/** Token addresses in ascending order. */
function addresses(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const bytes = new Uint8Array(32).fill(7);
    new DataView(bytes.buffer).setUint32(4, index);
    return bs58.encode(bytes);
  }).sort();
}

describe(`pages of rewards (${DATABASE_KIND})`, function () {
  this.timeout(240_000);
  const cluster = useCluster();
  const large = Keypair.generate();
  const small = Keypair.generate();
  const mints = addresses(TOKENS);
  let scene: RewardsScene;

  before('give a wallet rewards of 5,000 tokens', async () => {
    scene = await startRewardsScene(cluster(), { environment: { CORS_ORIGINS: '*' } });
    const owner = large.publicKey.toBase58();
    for (let from = 0; from < TOKENS; from += TOKENS_PER_POSTING) {
      const entries = mints.slice(from, from + TOKENS_PER_POSTING).flatMap(
        (mint) =>
          [
            { kind: 'settlement', owner: null, mint, asset: 'SOL', origin: 'settlement', amount: -5n },
            { kind: 'claimable', owner, mint, asset: 'SOL', origin: 'settlement', amount: 5n },
          ] as const,
      );
      await scene.database.transaction((tx) => post(tx, { key: `test:${from}`, entries }));
    }
    await reward(scene.database, small.publicKey, scene.mint, 'TOKEN', 3n);
  });
  after(() => scene?.stop());

  const get = (query: string, wallet = large, headers: Record<string, string> = {}) =>
    scene.api.get(`/rewards/${wallet.publicKey.toBase58()}${query}`, {
      headers: { ...signed(wallet), ...headers },
    });
  const mintsOf = ({ body }: ApiAnswer) =>
    (body['data'] as { tokenInfo: { address: string } }[]).map(({ tokenInfo }) => tokenInfo.address);
  /** The query of the next page, resolved as a browser would. */
  const nextOf = ({ headers }: ApiAnswer): string | undefined => {
    const [, target] = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '') ?? [];
    if (target === undefined) return undefined;
    const path = `/rewards/${large.publicKey.toBase58()}`;
    const next = new URL(target, scene.service.url + path);
    expect([next.origin, next.pathname]).to.deep.equal([scene.service.url, path]);
    return next.search;
  };

  it('are ordered by token address, contain each token once, hold at most 1,000 tokens, and arrive quickly', async () => {
    const found: string[] = [];
    const taken: number[] = [];
    let query: string | undefined = '';
    while (query !== undefined) {
      const startedAt = performance.now();
      const answer: ApiAnswer = await get(query);
      taken.push(performance.now() - startedAt);
      expect(answer.status, answer.text).to.equal(200);
      const page = mintsOf(answer);
      expect(page.length).to.equal(LARGEST_PAGE);
      found.push(...page);
      query = nextOf(answer);
    }
    expect(found).to.deep.equal(mints);
    taken.sort((a, b) => a - b);
    const median = taken[Math.floor(taken.length / 2)]!;
    expect(median).to.be.lessThan(MOST_PAGE_MS);
    console.log(
      `        ${taken.length} pages took ${median.toFixed(0)} ms each, at most ${taken.at(-1)!.toFixed(0)}`,
    );
  });

  it('have the requested number of tokens, and so does the next page', async () => {
    const first = await get('?limit=3');
    expect(mintsOf(first)).to.deep.equal(mints.slice(0, 3));
    const next = nextOf(first)!;
    expect(new URLSearchParams(next).get('limit')).to.equal('3');
    const second = await get(next);
    expect(mintsOf(second)).to.deep.equal(mints.slice(3, 6));
    expect(mintsOf(await get(nextOf(second)!))).to.deep.equal(mints.slice(6, 9));
    const last = await get(`?limit=7&cursor=${encodeCursor(mints.at(-8)!)}`);
    expect([mintsOf(last), last.headers.get('link')]).to.deep.equal([mints.slice(-7), null]);
    const none = await get(`?cursor=${encodeCursor(mints.at(-1)!)}`);
    expect([mintsOf(none), none.headers.get('link')]).to.deep.equal([[], null]);
  });

  it('have links that other origins can read, based on PUBLIC_URL if it is set', async () => {
    const answer = await get('?limit=1', large, { Origin: 'https://app.example.com' });
    expect(answer.headers.get('access-control-expose-headers')).to.match(/(^|,)Link(,|$)/);
    const other = await startRewardsScene(cluster(), {
      environment: { PUBLIC_URL: 'https://api.example.com/v2/' },
    });
    atEnd(() => other.stop());
    for (const mint of mints.slice(0, 2)) await reward(other.database, small.publicKey, mint, 'SOL', 1n);
    const path = `/rewards/${small.publicKey.toBase58()}`;
    const { headers } = await other.api.get(`${path}?limit=1`, { headers: signed(small) });
    expect(headers.get('link')).to.equal(
      `<https://api.example.com/v2${path}?limit=1&cursor=${encodeCursor(mints[0]!)}>; rel="next"`,
    );
  });

  it('refuse a limit that is not 1 to 1,000, and a cursor that is not from a link', async () => {
    const limits = ['0', '1001', '-1', '1.5', '', '1&limit=2'].map((value) => `limit=${value}`);
    const texts = ['So1111111111111111111111111111111111111111', "' or 1=1 --".padEnd(44)];
    const cursors = ['', 'x', 'a&cursor=b', `${encodeCursor(mints[0]!)}=`]
      .concat(texts.map((text) => Buffer.from(text).toString('base64url')))
      .map((value) => `cursor=${value}`);
    for (const query of [...limits, ...cursors]) {
      const answer = await get(`?${query}`);
      expect([answer.status, answer.body['code'], fieldsOf(answer)], query).to.deep.equal([
        ...[400, 'VALIDATION_ERROR', [query.split('=')[0]]],
      ]);
    }
  });

  describe('in RewardsClient', () => {
    it('are joined to one list, or read one by one', async () => {
      const client = new RewardsClient({ baseUrl: scene.service.url, fetch: scene.api.answers.fetch });
      const all = await client.rewards(keypairWallet(large));
      expect(all.map(({ tokenInfo }) => tokenInfo.address)).to.deep.equal(mints);
      const sizes: number[] = [];
      for await (const page of client.rewardPages(keypairWallet(large), { limit: 20 })) {
        sizes.push(page.length);
        if (sizes.length === 3) break;
      }
      expect(sizes).to.deep.equal([20, 20, 20]);
    });

    it('are not followed elsewhere, end after 1,000 or at an empty one, and are found among other links', async () => {
      let link: (path: string, asked: number) => string = () => '';
      let [asked, isEmpty] = [0, false];
      const ENTRY = { sol: 1, solUi: '0', token: 1, tokenUi: '0' };
      const TOKEN = { address: 'x', symbol: '', name: '', image: '', price: 0 };
      const server = await serveHttp((request, response) => {
        asked += 1;
        const header = link(request.url!.split('?')[0]!, asked);
        response.writeHead(200, { 'content-type': 'application/json', Link: header });
        const entry = { unclaimedRewards: ENTRY, allTimeRewards: ENTRY, tokenInfo: TOKEN };
        response.end(JSON.stringify({ status: 'success', data: isEmpty ? [] : [entry] }));
      });
      const { url } = server;
      const read = (by: typeof link) => {
        [link, asked] = [by, 0];
        return new RewardsClient({ baseUrl: url, retries: 0 }).rewards(keypairWallet(small));
      };
      atEnd(() => server.stop());
      const hostile: readonly ((path: string) => string)[] = [
        (path) => `<https://evil.example.com${path}?cursor=a>; rel="next"`,
        (path) => `<http://127.0.0.1:1${path}?cursor=a>; rel="next"`,
        (path) => `<//evil.example.com${path}>; rel=next`,
        () => '</rewards/other?cursor=a>; rel="next"',
        (path) => `<${path}/../x?cursor=a>; rel="next"`,
        (path) => `<http://user@${new URL(url).host}${path}?cursor=a>; rel="next"`,
        () => '<javascript:alert(1)>; rel="next"',
        () => '<http://[>; rel="next"',
        (path) => `<${path}?cursor=${'a'.repeat(9_000)}>; rel="next"`,
      ];
      for (const header of hostile) {
        await rejection(read(header), ConnectionError);
        expect(asked, header('')).to.equal(1);
      }
      const again = () => '<?cursor=again>; rel="next"';
      expect((await rejection(read(again), ConnectionError)).message).to.include('1000 pages');
      expect(asked).to.equal(1_000);
      const among = (path: string, count: number) =>
        count > 1
          ? '<?cursor=x>; rel=prev'
          : `<https://other.example.com>; rel="help"; title="a, b; rel=next", <${path}?cursor=b>; title=x; rel="prev Next"`;
      expect(await read(among)).to.have.length(2);
      isEmpty = true;
      await rejection(read(again), ConnectionError);
      expect(asked).to.equal(1);
    });
  });

  describe('are read with queries', () => {
    it('that return null for a token that is not indexed, whatever its position', async () => {
      await scene.database.transaction(async (tx) => {
        await tx.execute(sql`set local session_replication_role = replica`);
        await tx.execute(sql`insert into token_metadata (mint, uri, image) values ('b', '', 'image of b')`);
      });
      const rows = await prepareRewardQueries(scene.database.queries).tokens(['c', 'a', 'b']);
      expect(rows.map(({ mint, image }) => [mint, image])).to.have.deep.members([
        ['a', null],
        ['b', 'image of b'],
        ['c', null],
      ]);
    });

    it('that return the same sums, computed by the service or by PostgreSQL', async () => {
      const random = randomStream(1, 0);
      const wallets = ['wallet 1', 'wallet 2', 'wallet 3'];
      // Two of the largest exceed 64 bits together.
      const amounts = [0n, 1n, 7_000_000n, 2n ** 64n - 1n];
      const rows = wallets.flatMap((owner) =>
        ['claimable', 'reserved', 'claimed', 'pending'].flatMap((kind) =>
          ['SOL', 'TOKEN'].flatMap((asset) =>
            ['settlement', 'referral'].flatMap((origin) =>
              [1, 2, 3, 4, 5].map((mint) => ({ owner, kind, asset, origin, mint: `mint ${mint}` })),
            ),
          ),
        ),
      );
      const chosen = rows
        .filter(() => random.chance(40))
        .map((row, n) => ({ ...row, n, amount: amounts[random.below(4)]! }));
      await scene.database.transaction(async (tx) => {
        await tx.execute(sql`set local session_replication_role = replica`);
        for (const { owner, mint, asset, kind, origin, amount, n } of chosen)
          await tx.execute(
            kind === 'pending'
              ? sql`insert into pending_rewards (record_id, wallet, mint, asset, amount)
                  values (${1_000_000 + n}, ${owner}, ${mint}, ${asset}, ${String(amount)}::numeric)`
              : sql`insert into ledger_accounts (kind, owner, mint, asset, origin, balance)
                  values (${kind}, ${owner}, ${mint}, ${asset}, ${origin}, ${String(amount)}::numeric)`,
          );
      });
      const { ofWallets, ofWallet } = prepareRewardQueries(scene.database.queries);
      const together = await ofWallets(wallets);
      expect(together).to.have.length(chosen.length);
      for (const wallet of wallets) {
        const sums = sumRewards(together.filter(({ owner }) => owner === wallet));
        expect(sums).to.deep.equal(await ofWallet(wallet, '', 10));
        const total = chosen
          .filter(({ owner, asset }) => owner === wallet && asset === 'SOL')
          .reduce((sum, { amount }) => sum + amount, 0n);
        expect(sums.reduce((sum, { allSol }) => sum + BigInt(allSol), 0n)).to.equal(total);
      }
    });
  });
});
