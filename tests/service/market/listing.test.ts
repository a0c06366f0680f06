// What aggregators read, by their published contracts: DEX Screener's adapter specification 1.1 and DEXTools' http-adapter 0.0.1. Every
// event is compared with the records of a chain with reorgs, by arithmetic of its own.
// threat: imitating-name
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { DEFAULT_DEPLOYMENT, type CurveRecord } from '@curvekit/sdk';
import { statement } from '#app/db/database.js';
import { createLogger } from '#app/base/logging/logging.js';
import { createMetrics } from '#app/base/metrics.js';
import { IndexWriter } from '#app/index/index-writer.js';
import { loadState, reindex } from '#app/index/store/state.js';
import type { Service } from '#app/service.js';
import { DATABASE_KIND, useDatabase } from '#tests/database/database.js';
import { ForkingChain, type Intent } from '#tests/node/forking-chain.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { buyTokens, launch, type Token } from '#tests/program/tokens.js';
import { ApiClient, type JsonFields } from '#tests/service/api-client.js';
import { eventually, finalize } from '#tests/service/service.js';
import { startTestService } from '#tests/service/test-service.js';

/** 100,000 take two minutes. */
const TRADES = Number(process.env['LISTING_TRADES'] ?? 25_000);
const ROUNDS = 20;
/** Seconds of a slot, so that the trades are of several days. */
const SLOT_SECONDS = 200;
const DAY = 86_400;
const SUPPLY = 1_000_000_000_000_000n;
const MOST = { blocks: 10_000, events: 5_000 };
/** Names that a token can have on chain. */
const NAMES = ['\0\0\0', ' \u202e\u0007', 'a\0b', '<script>', '💩'.repeat(8), '\uffff', '\u200b'];

const DECIMAL = '^\\d+\\.\\d+$';
const text = { type: 'string', minLength: 1 };
const decimal = { type: 'string', pattern: DECIMAL };
const int32 = { type: 'integer', minimum: 0, maximum: 2 ** 31 - 1 };
const whole = { type: 'integer', minimum: 0 };
const object = (properties: object, optional: readonly string[] = []) => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  additionalProperties: false,
});
const block = object({ blockNumber: whole, blockTimestamp: { ...whole, maximum: 99_999_999_999 } });
const ofEvent = { block, txnId: text, txnIndex: int32, eventIndex: int32, maker: text, pairId: text };
const reserves = object({ asset0: decimal, asset1: decimal });
// A price of 0 stops an aggregator.
const priced = { ...ofEvent, reserves, priceNative: { ...decimal, not: { pattern: '^[0.]+$' } } };
const EVENTS = [
  object({ ...priced, eventType: { const: 'swap' }, asset0In: decimal, asset1Out: decimal }),
  object({ ...priced, eventType: { const: 'swap' }, asset1In: decimal, asset0Out: decimal }),
  object({ ...ofEvent, reserves, eventType: { enum: ['join', 'exit'] }, amount0: decimal, amount1: decimal }),
];
const pair = {
  ...{ id: text, asset0Id: text, asset1Id: text, createdAtTxnId: text, createdAtBlockNumber: whole },
  ...{ createdAtBlockTimestamp: whole, creator: text, feeBps: whole },
};
const CONTRACTS = {
  block: object({ block }),
  asset: object({
    asset: object({
      id: text,
      name: text,
      symbol: text,
      decimals: int32,
      totalSupply: decimal,
      circulatingSupply: decimal,
    }),
  }),
  dexscreener: {
    pair: object({ pair: object({ ...pair, dexKey: text }) }),
    events: object({ events: { type: 'array', items: { oneOf: EVENTS } } }),
  },
  dextools: {
    pair: object({ pair: object({ ...pair, factoryAddress: text }) }),
    events: object({
      events: {
        type: 'array',
        items: { oneOf: [...EVENTS, object({ ...ofEvent, reserves, eventType: { const: 'creation' } })] },
      },
    }),
    holders: object({
      asset: object({
        ...{ id: text, totalHoldersCount: whole },
        holders: { type: 'array', items: object({ address: text, quantity: decimal }) },
      }),
    }),
    exchange: object({ exchange: object({ factoryAddress: text, name: text }) }),
    error: object(
      {
        ...{ code: text, message: text },
        issues: { type: 'array', items: object({ param: text, code: text, message: text }) },
      },
      ['issues'],
    ),
  },
} as const;
const ajv = new Ajv2020({ strict: false });
const checks = new Map<object, ReturnType<typeof ajv.compile>>();

function expectContract(contract: object, body: unknown): void {
  const check = checks.get(contract) ?? ajv.compile(contract);
  checks.set(contract, check);
  if (!check(body)) expect.fail(JSON.stringify(check.errors?.slice(0, 5)));
}

function units(decimals: number, amount: string): bigint {
  const [integer = '', fraction = ''] = amount.split('.');
  if (fraction.length < 1 || fraction.length > decimals)
    expect.fail(`${amount} has not 1 to ${decimals} decimals`);
  return BigInt(integer + fraction.padEnd(decimals, '0'));
}
const lamports = (amount: string) => units(9, amount);
const tokenUnits = (amount: string) => units(6, amount);

/** What these records did to the real reserves of their curves, summed from the creation on. */
function reservesAfter(records: readonly CurveRecord[]) {
  const curves = new Map<string, { sol: bigint; token: bigint; curve: string }>();
  return records.map((record) => {
    const { kind, data } = record;
    const mint = data.mint.toBase58();
    if (kind === 'create') curves.set(mint, { sol: 0n, token: SUPPLY, curve: data.tokenOwnerPda.toBase58() });
    const held = curves.get(mint)!;
    if (kind === 'trade') {
      held.sol += data.isBuy ? data.solAmount - data.fee : -data.solAmount - data.fee;
      held.token += data.isBuy ? -data.tokenAmount : data.tokenAmount;
    }
    if (kind === 'migrate') Object.assign(held, { sol: 0n, token: 0n });
    const { curve, ...reserves } = held;
    return { record, curve, reserves };
  });
}

/** As texts, because deep comparisons of so many events take minutes. */
function expectEvent(
  event: JsonFields,
  { record, curve, reserves }: ReturnType<typeof reservesAfter>[number],
) {
  const { kind, signature, slot, data } = record;
  const unitsOf = (token: string, sol: string) => [
    tokenUnits(event[token] as string),
    lamports(event[sol] as string),
  ];
  const { blockNumber, blockTimestamp } = event['block'] as Record<string, number>;
  const { asset0, asset1 } = event['reserves'] as Record<'asset0' | 'asset1', string>;
  const told = [
    blockNumber,
    blockTimestamp,
    event['txnId'],
    event['pairId'],
    tokenUnits(asset0),
    lamports(asset1),
  ];
  const expected = [slot, data.timestamp, signature, curve, reserves.token, reserves.sol];
  told.push(event['eventType'], event['maker']);
  if (kind === 'create') expected.push('creation', data.creator.toBase58());
  if (kind === 'migrate') {
    told.push(...unitsOf('amount0', 'amount1'));
    expected.push('exit', data.feeAccount.toBase58(), data.tokenAmount, data.solAmount);
  }
  if (kind === 'trade') {
    told.push(...(data.isBuy ? unitsOf('asset0Out', 'asset1In') : unitsOf('asset0In', 'asset1Out')));
    expected.push('swap', data.trader.toBase58(), data.tokenAmount, data.solAmount);
    // SOL of a token in 10^-24, rounded half up.
    const price = units(24, event['priceNative'] as string);
    const error = 2n * (price * data.virtualToken - data.virtualSol * 10n ** 21n);
    if (error <= -data.virtualToken || error > data.virtualToken)
      expect.fail(`${signature}: ${event['priceNative']}`);
  }
  if (told.join() !== expected.join()) expect(told.map(String)).to.deep.equal(expected.map(String));
}

describe(`what aggregators read (${DATABASE_KIND})`, function () {
  this.timeout(600_000);
  const cluster = useCluster();
  const database = useDatabase();
  const chain = new ForkingChain(SLOT_SECONDS);
  let service: Service;
  let api: ApiClient;
  let records: CurveRecord[];
  /** Answers while the chain was shorter. */
  const early = new Map<string, string>();
  let dropped = 0;

  const ask = async (path: string, contract?: object): Promise<JsonFields> => {
    const { status, body, text: answered } = await api.get(`/adapters${path}`);
    expect(status, `${path}: ${answered.slice(0, 300)}`).to.equal(200);
    if (contract !== undefined) expectContract(contract, body);
    return body;
  };
  const lastBlock = async () =>
    (await ask('/dexscreener/latest-block', CONTRACTS.block))['block'] as { blockNumber: number };
  const pathOf = (dex: string, from: number, to: number) => `/${dex}/events?fromBlock=${from}&toBlock=${to}`;

  /** As an aggregator that catches up, which halves a range that is refused. */
  async function eventsFrom(
    dex: 'dexscreener' | 'dextools',
    from: number,
    to: number,
  ): Promise<JsonFields[]> {
    const { status, body } = await api.get(`/adapters${pathOf(dex, from, to)}`);
    if (status === 400) {
      const middle = Math.floor((from + to) / 2);
      return [...(await eventsFrom(dex, from, middle)), ...(await eventsFrom(dex, middle + 1, to))];
    }
    expect(status).to.equal(200);
    expectContract(CONTRACTS[dex].events, body);
    expect(body['events']).to.have.lengthOf.at.most(MOST.events);
    early.set(pathOf(dex, from, to), JSON.stringify(body));
    return body['events'] as JsonFields[];
  }

  before('write a history with reorgs', async () => {
    const environment = { INDEXER: 'off', RATE_LIMIT_REQUESTS: '1000000' };
    service = await startTestService(cluster(), environment, { overrides: { database } });
    api = new ApiClient(service.url, service.document);
    const { queries } = database;
    const parts = {
      ...{ database, deployment: DEFAULT_DEPLOYMENT, hooks: [] },
      ...{ logger: createLogger('silent'), metrics: createMetrics({ ofProcess: false }) },
    };
    const writer = new IndexWriter(
      parts as never,
      await loadState(queries, DEFAULT_DEPLOYMENT.programId.toBase58()),
    );
    const firstPreview = async () => {
      const [row] = await statement<{ id: string | null }>(queries)`
        select min(id)::text as id from unfinalized`;
      return row!.id === null ? undefined : BigInt(row!.id);
    };
    let [seed, created, final] = [1, 0, 0];
    const random = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    const intent = (): Intent => {
      const token = Math.max(0, created - 1 - random(20));
      const kind = random(200);
      if (kind < 90) return { kind: 'sell', token, units: BigInt(1 + random(2_000_000_000)) * 100n };
      return {
        kind: 'buy',
        token,
        lamports: kind === 90 ? 40n * SOL : BigInt(1_000_000 + random(1_000_000_000)),
      };
    };
    let made = 0;
    const execute = (count: number) => {
      for (const end = made + count; made < end; made += 1) {
        const creates = made % 5 === 0;
        if (creates) created += 1;
        const name = NAMES[created % NAMES.length]!;
        chain.execute([
          ...(creates ? [[{ kind: 'create', name } as const]] : []),
          ...Array.from({ length: 40 }, () => Array.from({ length: 1 + random(2) }, intent)),
          [{ kind: 'migrate', token: random(created) }],
        ]);
      }
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      execute(Math.ceil(TRADES / ROUNDS / 33));
      chain.finalize(Infinity);
      const [fresh, scannedSlot] = [chain.records(final), chain.slot('finalized')];
      const batch = { agreedTo: undefined, unreadable: [], independent: true };
      await writer.writeBatch({ ...batch, dropFrom: await firstPreview(), fresh }, { scannedSlot });
      final = scannedSlot;
      if (round === ROUNDS / 2) {
        await eventsFrom('dextools', 0, Math.floor(final / 2));
        // The later trades are in another partition.
        await queries.execute(sql`select setval('records_id_seq', trade_partitions_end() - 5)`);
      }
      execute(4);
      await writer.writePreviews(chain.records(final), undefined);
      dropped += chain.records(final).length;
      chain.fork(1 + random(3), (index) => index % 2 === 0);
      dropped -= chain.records(final).length;
    }
    const last = (await lastBlock()).blockNumber;
    records = chain.records().filter(({ slot }) => slot <= last);
  });
  after(() => service?.stop());

  it('has trades, graduations and reorgs', () => {
    const count = (kind: CurveRecord['kind']) => records.filter((record) => record.kind === kind).length;
    expect(count('trade')).to.be.at.least(TRADES);
    expect(count('migrate')).to.be.above(2);
    expect(dropped).to.be.above(10);
  });

  for (const dex of ['dexscreener', 'dextools'] as const)
    it(`is every finalized record, exact and in order: ${dex}`, async () => {
      const expected = reservesAfter(records).filter(
        ({ record }) => dex === 'dextools' || record.kind !== 'create',
      );
      const before = new Map(early);
      const last = records.at(-1)!.slot;
      const events: JsonFields[] = [];
      for (let from = 0; from <= last; from += MOST.blocks + 1)
        events.push(...(await eventsFrom(dex, from, Math.min(last, from + MOST.blocks))));
      expect(events).to.have.lengthOf(expected.length);
      let place = [-1, -1, -1];
      for (const [index, event] of events.entries()) {
        expectEvent(event, expected[index]!);
        const next = [
          (event['block'] as { blockNumber: number }).blockNumber,
          event['txnIndex'],
          event['eventIndex'],
        ] as number[];
        const isSame = next[0] === place[0];
        if (!(next[0]! > place[0]! || (isSame && next[1]! >= place[1]! && next[2]! > place[2]!)))
          expect.fail(`${place.join()} before ${next.join()}`);
        if (isSame && (next[1] === place[1]) !== (event['txnId'] === events[index - 1]!['txnId']))
          expect.fail(`${next.join()}: txnIndex`);
        place = next;
      }
      for (const [path, answer] of before)
        expect(JSON.stringify(await ask(path)) === answer, `${path} has changed`).to.equal(true);
    });

  it('lets caches keep for ever an answer that never changes', async () => {
    const { headers } = await api.get(`/adapters${pathOf('dexscreener', 1, 2)}`);
    expect(headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
  });

  it('sums each day that is over', async () => {
    const events = reservesAfter(records);
    const last = Number(records.at(-1)!.data.timestamp);
    const nameOf = (start: number) => new Date(start * 1_000).toISOString().slice(0, 10);
    let days = 0;
    for (let start = 0; start + DAY <= chain.slot('finalized') * SLOT_SECONDS; start += DAY, days += 1) {
      const until = events.filter(({ record }) => Number(record.data.timestamp) < start + DAY);
      const ofDay = until.filter(({ record }) => Number(record.data.timestamp) >= start);
      const trades = ofDay.flatMap(({ record }) => (record.kind === 'trade' ? [record.data] : []));
      const held = new Map(until.map(({ curve, reserves }) => [curve, reserves.sol]));
      const sum = (amounts: readonly bigint[]) => String(amounts.reduce((total, each) => total + each, 0n));
      const { status, body } = await api.get(`/v1/market/totals?day=${nameOf(start)}`);
      if (status === 400) break;
      expect(body, nameOf(start)).to.deep.equal({
        volume: sum(trades.map(({ solAmount }) => solAmount)),
        ...{ fees: sum(trades.map(({ fee }) => fee)), revenue: sum(trades.map(({ fee }) => fee)) },
        tvl: sum([...held.values()]),
        trades: trades.length,
        tokensLaunched: ofDay.filter(({ record }) => record.kind === 'create').length,
        tokensGraduated: trades.filter(({ finalized }) => finalized).length,
      });
    }
    expect(days).to.equal(Math.floor(last / DAY));
    for (const day of [nameOf(last), '2026-02-30', '2026-1-1', 'x'])
      expect((await api.get(`/v1/market/totals?day=${day}`)).status, day).to.equal(400);
  });

  it('lists a curve once its creation is finalized, and finds blocks', async () => {
    const create = records.find(({ kind }) => kind === 'create')! as Extract<CurveRecord, { kind: 'create' }>;
    const id = create.data.tokenOwnerPda.toBase58();
    const fields = {
      ...{
        id,
        asset0Id: create.data.mint.toBase58(),
        asset1Id: 'So11111111111111111111111111111111111111112',
      },
      ...{ createdAtBlockNumber: create.slot, createdAtBlockTimestamp: Number(create.data.timestamp) },
      ...{ createdAtTxnId: create.signature, creator: create.data.creator.toBase58(), feeBps: 100 },
    };
    const ofScreener = await ask(`/dexscreener/pair?id=${id}`, CONTRACTS.dexscreener.pair);
    expect(ofScreener['pair']).to.deep.equal({ ...fields, dexKey: 'curvekit' });
    const ofTools = await ask(`/dextools/pair?id=${id}`, CONTRACTS.dextools.pair);
    expect(ofTools['pair']).to.deep.equal({ ...fields, factoryAddress: cluster().programId.toBase58() });
    const preview = chain.records(chain.slot('finalized')).find(({ kind }) => kind === 'create');
    if (preview?.kind === 'create')
      expect(
        (await api.get(`/adapters/dexscreener/pair?id=${preview.data.tokenOwnerPda.toBase58()}`)).status,
      ).to.equal(404);
    const trade = records.filter(({ kind }) => kind === 'trade').at(-1)!;
    const found = { block: { blockNumber: trade.slot, blockTimestamp: trade.slot * SLOT_SECONDS } };
    expect(await ask(`/dextools/block?number=${trade.slot}`, CONTRACTS.block)).to.deep.equal(found);
    const at = trade.slot * SLOT_SECONDS + SLOT_SECONDS - 1;
    expect(await ask(`/dextools/block?timestamp=${at}`, CONTRACTS.block)).to.deep.equal(found);
  });

  it('refuses by name', async () => {
    const last = chain.slot('finalized');
    for (const [path, status, names] of [
      [pathOf('dexscreener', 0, MOST.blocks + 1), 400, 'at most 10000'],
      [pathOf('dexscreener', 9, 8), 400, 'must not be before fromBlock, 9'],
      [pathOf('dexscreener', last, last + 1), 400, 'no block after that of latest-block'],
      ['/dexscreener/events?fromBlock=1', 400, 'toBlock'],
      ['/dexscreener/events?fromBlock=-1&toBlock=1e3', 400, 'must be a whole number'],
      ['/dexscreener/asset?id=x', 400, '32 bytes in base58'],
      [`/dexscreener/asset?id=${cluster().programId.toBase58()}`, 404, 'TOKEN_NOT_FOUND'],
      [`/dexscreener/pair?id=${cluster().programId.toBase58()}`, 404, 'PAIR_NOT_FOUND'],
      [pathOf('dextools', 0, MOST.blocks + 1), 400, 'at most 10000'],
      ['/dextools/block?number=1&timestamp=1', 400, 'not both'],
      [`/dextools/block?number=${last + 1}`, 404, 'no such finalized block'],
      ['/dextools/block?timestamp=0', 404, 'no such finalized block'],
      [`/dextools/exchange?id=${DEFAULT_DEPLOYMENT.admin.toBase58()}`, 404, 'another address'],
      [`/dextools/asset/holders?id=${DEFAULT_DEPLOYMENT.admin.toBase58()}&pageSize=51`, 400, 'from 10 to 50'],
    ] as const) {
      const answer = await api.get(`/adapters${path}`);
      expect(answer.status, path).to.equal(status);
      expect(answer.text, path).to.include(names);
      if (path.startsWith('/dextools')) expectContract(CONTRACTS.dextools.error, answer.body);
    }
  });

  it('refuses blocks whose trades an operator has detached, and answers later ones as before', async () => {
    const last = records.at(-1)!.slot;
    const late = pathOf('dextools', last - 20, last);
    const before = await ask(late);
    await database.queries.execute(sql`update market_state set minutes_from = 100000000000`);
    await database.queries.execute(sql`select trade_partition_detach('trade_rows_0')`);
    const early = await api.get(`/adapters${pathOf('dexscreener', 3, last)}`);
    expect([early.status, early.body['code']]).to.deep.equal([404, 'EVENTS_ARCHIVED']);
    const fresh = { headers: { 'cache-control': 'no-cache' } };
    expect((await api.get(`/adapters${late}`, fresh)).body).to.deep.equal(before);
  });

  it('says that it has nothing while the index is rebuilt', async () => {
    await reindex(database);
    const fresh = { headers: { 'cache-control': 'no-cache' } };
    expect((await api.get('/adapters/dexscreener/latest-block', fresh)).status).to.equal(503);
    expect((await api.get(`/adapters${pathOf('dexscreener', 1, 3)}`)).status).to.equal(400);
  });
});

interface Holders {
  readonly totalHoldersCount: number;
  readonly holders: readonly { readonly quantity: string }[];
}

describe('what aggregators read of a cluster', () => {
  const cluster = useCluster();
  let api: ApiClient;
  let service: Service;
  const tokens: Token[] = [];

  before(async () => {
    service = await startTestService(cluster(), { RATE_LIMIT_REQUESTS: '1000000' });
    api = new ApiClient(service.url, service.document);
    for (const name of ['\u202eA\u0007b', 'Otter'])
      tokens.push(await launch(cluster(), { name, symbol: 'OT\0' }));
    await buyTokens(cluster(), tokens[1]!, await cluster().fundedWallet(5n * SOL), SOL);
    await finalize(cluster());
    await eventually(async () => {
      const ids = tokens.map(({ curve }) => `/adapters/dextools/pair?id=${curve.address.toBase58()}`);
      return (await Promise.all(ids.map((path) => api.get(path)))).every(({ status }) => status === 200);
    }, 'the curves');
  });
  after(() => service?.stop());

  const ask = async (path: string, contract: object): Promise<JsonFields> => {
    const { status, body, text: answered } = await api.get(`/adapters${path}`);
    expect(status, `${path}: ${answered}`).to.equal(200);
    expectContract(contract, body);
    return body;
  };

  it('gives tokens plain names, and the supply of the chain', async () => {
    const supplies = { totalSupply: '1000000000.0', circulatingSupply: '1000000000.0' };
    for (const [index, name] of ['A b', 'Otter'].entries())
      for (const dex of ['dexscreener', 'dextools']) {
        const id = tokens[index]!.mint.toBase58();
        const { asset } = await ask(`/${dex}/asset?id=${id}`, CONTRACTS.asset);
        expect(asset).to.deep.equal({ id, name, symbol: 'OT', decimals: 6, ...supplies });
      }
    const { asset } = await ask(
      '/dexscreener/asset?id=So11111111111111111111111111111111111111112',
      CONTRACTS.asset,
    );
    expect(asset).to.include({ name: 'Wrapped SOL', symbol: 'SOL', decimals: 9 });
  });

  it('has the launchpad, the holders without the curve, and the newest block', async () => {
    const factoryAddress = cluster().programId.toBase58();
    const { exchange } = await ask(`/dextools/exchange?id=${factoryAddress}`, CONTRACTS.dextools.exchange);
    expect(exchange).to.deep.equal({ factoryAddress, name: 'Curvekit' });
    const path = `/dextools/asset/holders?id=${tokens[1]!.mint.toBase58()}`;
    const { asset } = (await ask(path, CONTRACTS.dextools.holders)) as { asset: Holders };
    expect([asset.totalHoldersCount, asset.holders.length]).to.deep.equal([1, 1]);
    const next = await ask(`${path}&page=1&pageSize=10`, CONTRACTS.dextools.holders);
    expect((next as { asset: Holders }).asset.holders).to.deep.equal([]);
    const { block: newest } = await ask('/dextools/latest-block', CONTRACTS.block);
    const { blockNumber: to } = newest as { blockNumber: number };
    const range = `/dextools/events?fromBlock=${Math.max(0, to - MOST.blocks)}&toBlock=${to}`;
    const events = (await ask(range, CONTRACTS.dextools.events))['events'] as JsonFields[];
    expect(events.map((event) => event['eventType'] as string)).to.deep.equal([
      'creation',
      'creation',
      'swap',
    ]);
    const { asset0 } = events[2]!['reserves'] as { asset0: string };
    expect(tokenUnits(asset0)).to.equal(SUPPLY - tokenUnits(asset.holders[0]!.quantity));
  });
});
