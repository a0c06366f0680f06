// The indexer on RPC nodes that lack a part of the history, answer wrongly, or list what it cannot parse: it books nothing out of
// its place, says why it holds, and goes on by itself. threat: unreliable-node, detached-trades, newer-version-index
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { indexerCheck } from '#app/checks.js';
import { NO_HOOKS } from '#app/index/hooks.js';
import { createIndexer } from '#app/index/indexer.js';
import { reindex } from '#app/index/store/state.js';
import { ANCHOR_SLOTS, loadAnchors } from '#app/index/store/anchors.js';
import { UnreadableRetry } from '#app/index/unreadable-retry.js';
import { statement } from '#app/db/database.js';
import { createLogger } from '#app/base/logging/logging.js';
import { NEVER_ABORTED, SOL } from '#tests/constants.js';
import { TUNING, useIndexedChain } from '#tests/node/indexed-chain.js';
import type { PartialNode } from '#tests/node/partial-node.js';
import { RpcFailure, type RpcCall } from '#tests/node/fake-node.js';
import { eventually } from '#tests/service/service.js';

/** Number of blocks; more than the indexer follows without checking for gaps. */
const LONG = 60;
const FULL_HISTORY = '.*; set RPC_URL to a node with full history$';
const UNSUPPORTED = new RpcFailure(
  -32015,
  'Transaction version (2) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 2',
);

type Instead = PartialNode['instead'];

/** Which slots a node has if it lacks these. */
const lacks =
  (from: number, to = from) =>
  (slot: number) =>
    slot < from || slot > to;
const isFetch = ({ method, params }: RpcCall, signature: string) =>
  method === 'getTransaction' && params[0] === signature;
const cannotEncode =
  (signature: string): Instead =>
  (call) =>
    isFetch(call, signature) ? UNSUPPORTED : undefined;
const notFound = (signature: string) => new RpcFailure(-32020, `Transaction ${signature} not found`);

/** An RPC node that has forgotten some transactions, but has their blocks. */
function forgetting(served: PartialNode, ...signatures: readonly string[]): Instead {
  const gone = new Set(signatures);
  return ({ method, params }) => {
    if (method === 'getSignatureStatuses') {
      const slots = (params[0] as string[]).map((each) => (gone.has(each) ? null : served.slotOf(each)));
      return { result: { value: slots.map((slot) => slot && { slot }) } };
    }
    if (method !== 'getSignaturesForAddress') return undefined;
    const { before, until } = params[1] as { before?: string; until?: string };
    const unknown = [before, until].find((place) => place !== undefined && gone.has(place));
    return unknown === undefined ? undefined : notFound(unknown);
  };
}

/** A node that forgets, at these pages of a long listing, the transaction to list before. */
function breakingOff(isBroken: (page: number) => boolean): Instead {
  let pages = 0;
  return ({ method, params }) => {
    const { before } = (params[1] ?? {}) as { before?: string };
    if (method !== 'getSignaturesForAddress' || before === undefined) return undefined;
    return isBroken((pages += 1)) ? notFound(before) : undefined;
  };
}

/** Faults of a node that has just been asked for the first time, with a long history of the program. */
const AT_THE_BEGINNING: Record<string, [fault: Partial<PartialNode>, problem: string]> = {
  'whose history begins after the deployment': [
    { has: (slot) => slot > 5 },
    `history begins with slot 6, the program's with slot 1${FULL_HISTORY}`,
  ],
  'with a gap': [{ has: lacks(20, 40) }, `lacks blocks between slots 1 and${FULL_HISTORY}`],
  'without the block methods': [
    {
      instead: ({ method }) =>
        /Block/.test(method) ? new RpcFailure(-32601, 'Method not found') : undefined,
    },
    'does not know get\\w+, so that nothing tells whether its history has gaps',
  ],
};

/** Faults of the history after the last booked slot. */
const LATER: Record<
  string,
  [has: (slot: number) => (slot: number) => boolean, problem: string, every?: number]
> = {
  'with a gap that an outage has left': [
    (slot) => lacks(slot + 10, slot + 40),
    'lacks blocks between slots',
    1,
  ],
  'without the first new block': [(slot) => lacks(slot + 1), 'lacks blocks'],
  'without a block in between': [(slot) => lacks(slot + 21), 'lacks blocks'],
  'without the last block': [(slot) => lacks(slot + LONG), 'lacks blocks'],
};

describe('the indexer on a node', () => {
  const scene = useIndexedChain();
  const { at, sink, openEngine, execute, newest, bookAll, expectAll, state, linesOf } = scene;
  const { expectHold, expectGoesOn, failureOf, gauge } = scene;

  /** Books a history. @returns the newest slot */
  async function beginning(): Promise<number> {
    execute(LONG, 20, []);
    await bookAll();
    await expectAll();
    return at.chain.slot('finalized');
  }

  it('reads whole blocks where many transactions are of one slot, and one by one those that no block has', async () => {
    const trades = Array.from({ length: 16 }, () => [
      { kind: 'buy', token: 0, lamports: SOL / 100n } as const,
    ]);
    execute(2);
    await bookAll();
    const refusal = new RpcFailure(-32601, 'Method not found');
    for (const answer of [
      undefined,
      refusal,
      { result: null },
      { result: { transactions: [null, {}, { transaction: { signatures: [7] } }] } },
    ]) {
      at.chain.execute(trades);
      at.chain.execute(trades.slice(0, 2));
      at.chain.finalize(Infinity);
      const asked: Record<string, number> = {};
      at.served.instead = ({ method, params }) => {
        const isWhole =
          (params[1] as { transactionDetails?: string } | undefined)?.transactionDetails === 'full';
        if (isWhole || method === 'getTransaction') asked[method] = (asked[method] ?? 0) + 1;
        return isWhole ? answer : undefined;
      };
      await bookAll();
      await expectAll();
      expect(asked).to.deep.equal({ getBlock: 1, getTransaction: answer === undefined ? 2 : 18 });
    }
  });

  for (const [what, [fault, problem]] of Object.entries(AT_THE_BEGINNING))
    it(`${what} at the beginning holds, and goes on`, async () => {
      execute(LONG, 5, []);
      Object.assign(at.served, fault);
      await expectHold(new RegExp(problem));
      await expectGoesOn();
      expect(linesOf('warn')).to.deep.equal([]);
    });

  const laterFault = (has: (slot: number) => (slot: number) => boolean, problem: string, every = 20) =>
    async function (): Promise<void> {
      const slot = await beginning();
      execute(LONG, every, []);
      at.served.has = has(slot);
      await expectHold(new RegExp(problem + FULL_HISTORY));
      await openEngine();
      execute(5, 2, []);
      await expectHold(new RegExp(problem + FULL_HISTORY));
      await expectGoesOn();
    };
  for (const [what, fault] of Object.entries(LATER))
    it(`${what} holds, also after a restart, and goes on`, laterFault(...fault));

  for (const version of [3, 4])
    describe(`of Agave ${version}`, () => {
      beforeEach(() => (at.served.isStrict = version === 4));

      it(
        'whose history begins later holds, also after a restart, and goes on',
        laterFault((slot) => (each) => each > slot + 30, 'lacks blocks'),
      );

      it('without the last booked transaction holds, and goes on', async () => {
        await beginning();
        const { signature, slot } = at.chain.records().at(-1)!;
        execute(LONG, 20, []);
        at.served.has = lacks(slot);
        await expectHold(new RegExp(`does not know transaction ${signature} of slot ${slot}`));
        await expectGoesOn();
      });

      it('that has pruned only booked history is followed, also without its first block', async () => {
        const slot = await beginning();
        execute(LONG, 20, []);
        at.served.has = (each) => each > slot;
        const withoutBlocks = (...slots: number[]) => {
          at.served.instead = ({ method, params }) =>
            method === 'getBlock' && slots.includes(params[0] as number) ? { result: null } : undefined;
        };
        withoutBlocks(slot + 1, slot + 2);
        await expectHold(/lacks blocks/);
        withoutBlocks(slot + 1);
        await bookAll();
        await expectAll();
      });

      it('that prunes a part of the listing meanwhile gets nothing booked of it', async () => {
        const slot = await beginning();
        execute(LONG);
        let pages = 0;
        at.served.instead = ({ method }) => {
          if (method === 'getSignaturesForAddress' && (pages += 1) === 4)
            at.served.has = (each) => each > slot + 30;
          return undefined;
        };
        await expectHold(/lacks blocks|does not know transaction/);
        expect((await state()).scannedSlot).to.equal(slot);
        await expectGoesOn();
      });
    });

  it('of which nothing tells when the program was deployed is indexed, with a warning', async () => {
    execute(LONG, 5, []);
    at.served.deployedIn = undefined;
    at.served.has = (slot) => slot > 2;
    await bookAll();
    expect((await state()).records).to.equal(at.chain.records().length - 1);
    expect(linesOf('warn').map(({ msg }) => msg)).to.include(
      "nothing tells when the program's history begins; the node's begins with this slot, and what was before is not indexed. If the program is older, set RPC_URL to a node with its whole history, and run `curvekit reindex`",
    );
  });

  it('must have the whole history again after a reindex', async () => {
    execute(LONG, 5, []);
    await bookAll();
    const first = at.chain.records()[0]!.slot;
    at.served.deployedIn = undefined;
    const partial: Record<string, (slot: number) => boolean> = {
      [`begins with slot ${first + 1}, the program's with slot ${first}`]: (slot) => slot > first,
      'does not list the program': (slot) => slot < first || slot > first + 1,
      'lacks blocks': lacks(20, 40),
    };
    for (const [problem, has] of Object.entries(partial)) {
      await reindex(at.database);
      await openEngine();
      at.served.has = has;
      await expectHold(new RegExp(problem));
    }
    // Also one that comes while the indexer holds.
    await reindex(at.database);
    expect(await at.engine.book(NEVER_ABORTED).catch((error: Error) => error.name)).to.equal('DeposedError');
    await openEngine();
    await expectGoesOn();
  });

  it('is asked for no blocks while it is followed, and for those of a long pause with skipped slots', async () => {
    await beginning();
    const asked = () =>
      [...at.node.calls].filter(([method]) => /getBlock|getVersion|FirstAvailable/.test(method));
    const before = asked();
    for (let looks = 0; looks < 20; looks += 1) {
      execute(3, 2, []);
      await bookAll();
    }
    expect(asked()).to.deep.equal(before);
    at.chain.skip(7);
    execute(LONG, 20, []);
    at.chain.skip(100);
    execute(1);
    await bookAll();
    await expectAll();
    expect(asked()).to.not.deep.equal(before);
  });

  /** Slots without a transaction, so that the next one is another anchor. */
  function idle(): void {
    for (let slot = 0; slot < ANCHOR_SLOTS; slot += 1) at.chain.execute([]);
    at.chain.finalize(Infinity);
  }

  it('that is down, fails often and has no websocket: catches up, and /ready says what it waits for', async function () {
    this.timeout(60_000);
    execute(LONG, 2);
    let asked = 0;
    at.served.instead = () =>
      (asked += 1) < 40 && asked % 3 === 0 ? new RpcFailure(-32603, 'it failed') : undefined;
    at.node.setDown(true);
    const indexer = createIndexer(at.context, NO_HOOKS, TUNING);
    indexer.start();
    const ready = () => failureOf(indexerCheck(at.context));
    const isRead = async () => (await state()).scannedSlot === at.chain.slot('finalized');
    try {
      await eventually(
        async () => (await at.metrics.nodeErrors.get()).values[0]!.value > 1,
        'failed requests',
      );
      at.node.setDown(false);
      await eventually(isRead, 'the index to catch up');
      const slot = at.chain.slot('finalized');
      execute(LONG, 20, []);
      at.served.has = lacks(slot + 10, slot + 40);
      await eventually(async () => (await ready()).includes('waits: the node lacks blocks'), 'the check');
      at.served.has = () => true;
      await eventually(async () => (await ready()) === 'ok', 'the check to pass');
      await eventually(isRead, 'the index to go on');
    } finally {
      await indexer.stop();
    }
    await expectAll();
  });

  it('is asked again for a transaction that it lists but cannot return yet', async () => {
    execute(35);
    let refusals = 8;
    at.served.instead = ({ method }) =>
      method === 'getTransaction' && refusals-- > 0 ? { result: null } : undefined;
    await bookAll();
    await expectAll();
  });

  it('lists from an older anchor if the node lacks a transaction without records, and books nothing twice', async () => {
    for (let round = 0; round < 4; round += 1) {
      execute(20);
      await bookAll();
      idle();
    }
    execute(3);
    execute(2, 2);
    await bookAll();
    expect((await loadAnchors(at.database.queries)).length).to.be.within(2, 5);
    at.served.instead = forgetting(at.served, newest().signature);
    execute(3);
    await bookAll();
    await expectAll();
    at.served.instead = () => undefined;
    execute(12);
    await bookAll();
    await expectAll();
  });

  it('books nothing again whose trades are detached', async () => {
    const { queries } = at.database;
    const without: string[] = [];
    for (let round = 0; round < 4; round += 1) {
      execute(20);
      at.chain.execute([[{ kind: 'nothing' }]]);
      at.chain.finalize(Infinity);
      without.push(newest().signature);
      await bookAll();
      idle();
    }
    await queries.execute(sql`select setval('records_id_seq', trade_partitions_end() - 1)`);
    execute(2, 2);
    await bookAll();
    await queries.execute(sql`update market_state set minutes_from = 10000000000`);
    const [old] = await statement<{ detached: string }>(queries)`
      select trade_partition_detach(tableoid::regclass::text) as detached from trade_rows order by id limit 1`;
    await queries.execute(sql`update market_state set minutes_from = 0`);
    at.served.instead = forgetting(at.served, ...without.slice(1), newest().signature);
    execute(3);
    await bookAll();
    const rows = await statement<{ signature: string }>(queries)`select signature from (
        select id, signature from ${sql.identifier(old!.detached)} union select id, signature from records
      ) all_records order by id`;
    expect(rows.map(({ signature }) => signature)).to.deep.equal(
      at.chain.records().map(({ signature }) => signature),
    );
  });

  it('restarts the listing of a long gap if the node forgets the place where it was, and holds if it always does', async () => {
    execute(1);
    await bookAll();
    execute(45);
    at.served.instead = breakingOff((page) => page === 2);
    await bookAll();
    await expectAll();
    execute(45);
    at.served.instead = breakingOff(() => true);
    await expectHold(/listing the history was interrupted 3 times/);
    await expectGoesOn();
  });

  it('holds if the node lacks transactions whose records are booked', async () => {
    for (let round = 0; round < 3; round += 1) {
      execute(2);
      await bookAll();
      idle();
      await bookAll();
    }
    const { signature, slot } = newest();
    execute(2);
    at.served.instead = forgetting(at.served, signature);
    await expectHold(
      new RegExp(`does not know transaction ${signature} of slot ${slot}, .*; set RPC_URL to a node with`),
    );
    const anchors = (await loadAnchors(at.database.queries)).map((anchor) => anchor.signature);
    const booked = at.chain.records().map((record) => record.signature);
    at.served.instead = forgetting(at.served, ...anchors, ...booked.slice(0, -2));
    await openEngine();
    await expectHold(
      /does not know transaction \w+ of slot \d+, which was finalized, nor any of \d older ones/,
    );
    await expectGoesOn();
  });

  const withMeta = (found: object, meta: object) => ({
    ...found,
    meta: { ...(found as { meta: object }).meta, ...meta },
  });
  const lies: Record<string, [problem: RegExp, lie: (found: object, other: string) => unknown]> = {
    nothing: [/the node lists it but does not return it; set RPC_URL/, () => null],
    'another transaction': [
      /the node returns transaction \w+ instead; set RPC_URL/,
      (_found, other) => at.chain.transaction(other, 'confirmed'),
    ],
    'it with another slot': [
      /lists it in slot \d+, but returns it as of slot 1; set RPC_URL/,
      (found) => ({ ...found, slot: 1 }),
    ],
    'it without metadata': [/keeps no metadata of it; set RPC_URL/, (found) => ({ ...found, meta: null })],
    'it as failed': [
      /lists it as successful, but returns it as failed/,
      (found) => withMeta(found, { err: { Other: 1 } }),
    ],
    'it without inner instructions': [
      /keeps no inner instructions; ask one that does/,
      (found) => withMeta(found, { innerInstructions: null }),
    ],
  };
  for (const [what, [problem, lie]] of Object.entries(lies))
    it(`that lists a transaction but returns ${what}: holds, reports why, and goes on`, async () => {
      execute(2);
      await bookAll();
      const [other, held] = [newest().signature, (execute(1), newest().signature)];
      execute(what === 'nothing' ? 35 : 2);
      at.served.instead = (call) =>
        isFetch(call, held) ? { result: lie(at.chain.transaction(held, 'confirmed')!, other) } : undefined;
      await expectHold(problem);
      await expectGoesOn();
    });

  it('that refuses getTransaction for good: reports the error, and does not retry at once', async () => {
    execute(2);
    at.served.instead = ({ method }) =>
      method === 'getTransaction'
        ? new RpcFailure(-32011, 'Transaction history is not available from this node')
        : undefined;
    await expectHold(/error -32011: Transaction history is not available/);
    expect(at.node.calls.get('getTransaction')).to.be.lessThan(20);
    await expectGoesOn();
  });

  it('requests every version of a transaction, and reads version 1 like version 0', async () => {
    execute(3);
    const { signature } = newest();
    at.served.instead = (call) => {
      if (!isFetch(call, signature)) return undefined;
      const { maxSupportedTransactionVersion: most } = call.params[1] as Record<string, number>;
      if (!(most! >= 1)) return UNSUPPORTED;
      return { result: { ...at.chain.transaction(signature, 'finalized')!, version: 1 } };
    };
    await bookAll();
    await expectAll();
    expect(await failureOf(at.transactions)).to.equal('ok');
  });

  it('sets aside a transaction of a newer version, warns, and asks for a reindex once it is readable', async () => {
    const lookAgain = () => new UnreadableRetry(at.context, at.history).run(NEVER_ABORTED);
    execute(3);
    const { signature } = newest();
    at.served.instead = cannotEncode(signature);
    execute(3);
    await bookAll();
    await expectAll(signature);
    const warning = await failureOf(at.transactions);
    expect(warning).to.match(/^CheckWarning: unreadable transactions of the program: 1, /);
    expect(warning)
      .to.include(`${signature} of version 2;`)
      .and.to.match(/upgrade Curvekit, or set RPC_URL/);
    expect(await gauge('curvekit_indexer_unreadable_transactions')).to.equal(1);
    const lines = at.logged.filter(({ msg }) => msg.includes('set aside'));
    expect(lines).to.have.lengthOf(1);
    expect(lines[0]).to.include({ signature, version: 2 });

    // Still unreadable: the next attempt comes later.
    await lookAgain();
    const [row] = await statement<{ looks: number; later: boolean }>(at.database.queries)`
      select looks, look_again_at > now() as later from unreadable_transactions`;
    expect(row).to.deep.equal({ looks: 1, later: true });

    // Now readable, and it holds a trade: only a reindex can book it in its place.
    at.served.instead = () => undefined;
    await lookAgain();
    expect(await failureOf(at.transactions)).to.match(
      /CheckWarning: transactions with records that are not indexed: 1; .* run curvekit reindex$/,
    );
    await reindex(at.database);
    await openEngine();
    // One without a record is forgotten.
    execute(2, 2);
    at.served.instead = cannotEncode(newest().signature);
    await bookAll();
    expect(await failureOf(at.transactions)).to.match(/^CheckWarning/);
    at.served.instead = () => undefined;
    await lookAgain();
    expect(await failureOf(at.transactions)).to.equal('ok');
    await expectAll();
  });

  it('sets aside a transaction with an unknown structure, whether its version is known or not', async () => {
    // An index out of range, as if such a version stored its keys elsewhere.
    const outOfRange = { programIdIndex: 99, accounts: [98], data: '' };
    const answers = [
      (found: object) => ({ ...found, version: 7, transaction: { v7: 'other' } }),
      (found: object) => ({ ...found, transaction: 'AQAB' }),
      () => 'nonsense',
      (found: object) => ({
        ...found,
        version: 7,
        ...{ meta: { err: null, innerInstructions: [{ index: 0, instructions: [outOfRange] }] } },
      }),
    ];
    const broken = new Map<string, (found: object) => unknown>();
    for (const answer of answers) {
      execute(1);
      broken.set(newest().signature, answer);
    }
    execute(1);
    at.served.instead = ({ method, params }) => {
      const answer = method === 'getTransaction' ? broken.get(params[0] as string) : undefined;
      if (answer === undefined) return undefined;
      return { result: answer(at.chain.transaction(params[0] as string, 'confirmed')!) };
    };
    await bookAll();
    await expectAll(...broken.keys());
    expect(await failureOf(at.transactions)).to.match(
      /^CheckWarning: unreadable transactions of the program: 4,/,
    );
  });

  it('leaves out a confirmed transaction that is unreadable, and shows those after it', async () => {
    execute(1);
    await bookAll();
    const buy = () => at.chain.execute([[{ kind: 'buy', token: 0, lamports: SOL }]]);
    buy();
    const { signature } = at.chain.list('confirmed')[0]!;
    at.served.instead = cannotEncode(signature);
    for (let count = 0; count < 2; count += 1) {
      buy();
      await at.engine.preview(NEVER_ABORTED);
      await expectAll(signature);
    }
  });

  it("reports in every instance's /ready that the node is behind, or that the database indexes another program", async () => {
    execute(150);
    await bookAll();
    at.served.slot = () => 20;
    const { config } = at.context;
    const strict = { ...config, indexer: { ...config.indexer, lagLimitSlots: 100 } };
    expect(await failureOf(indexerCheck({ ...at.context, config: strict }))).to.match(
      /the RPC node is \d+ slots behind what is booked/,
    );
    await at.engine.book(NEVER_ABORTED);
    expect(await state()).to.include({ scannedSlot: at.chain.slot('finalized'), held: null });
    const other = 'Stake11111111111111111111111111111111111111';
    await at.database.queries.execute(sql`update indexer_state set program_id = ${other}`);
    expect(await failureOf(indexerCheck(at.context))).to.match(
      new RegExp(`the database indexes program ${other}, not \\w+; set PROGRAM_ID, or DATABASE_URL`),
    );
    const indexer = createIndexer({ ...at.context, logger: createLogger('trace', sink) }, NO_HOOKS, TUNING);
    indexer.start();
    const leading = () => at.logged.filter(({ msg }) => msg === 'leading').length;
    await eventually(() => leading() > 1, 'two attempts');
    await indexer.stop();
    expect([...linesOf('warn'), ...linesOf('error')]).to.have.lengthOf(1);
  });
});
