// Settlements under those who would gain from timing, from the operator's rent, or from everyone else's waiting.
import { createBurnInstruction, createCloseAccountInstruction } from '@solana/spl-token';
import { Keypair, SystemProgram } from '@solana/web3.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { associatedTokenAddress, sell } from '@curvekit/sdk';
import { momentOf, SAMPLES, seedHashOf } from '#app/settlement/moments.js';
import { openSettlement } from '#app/settlement/repository.js';
import { createSettlementJob } from '#app/settlement/settlement-job.js';
import type { SettlementStep } from '#app/settlement/settle.js';
import { publicSettlements } from '#app/settlement/periods-view.js';
import type { Context } from '#app/context.js';
import { rowsOf, type Database } from '#app/db/database.js';
import { checkLedger } from '#app/ledger/check.js';
import { walletBalances } from '#app/ledger/balances.js';
import { lamportsOf, rentOf } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { openTestDatabase } from '#tests/database/database.js';
import { startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import {
  clusterEnvironment,
  contextFrom,
  indexCreation,
  keyVariable,
  whileFinalizing,
} from '#tests/service/service-context.js';
import { eventually } from '#tests/service/service.js';
import {
  buyTokens,
  donateSol,
  launch,
  openTokenAccount,
  tokensOf,
  transferTokens,
  type Token,
} from '#tests/program/tokens.js';
import { settleOne } from '#tests/service/paying.js';
import { NEVER_ABORTED } from '#tests/constants.js';

const ALL_TO_HOLDERS = { afterMigrationHoldersBp: 10_000, afterMigrationBurnBp: 0, afterMigrationLpBp: 0 };
const ALL_TO_CREATOR = { afterMigrationHoldersBp: 0, afterMigrationBurnBp: 0, afterMigrationLpBp: 0 };
const GIVEN_UNITS = 100_000_000_000n;

describe('settlements under attack', function () {
  this.timeout(300_000);
  const cluster = useCluster();
  const treasury = Keypair.generate();
  let database: Database;
  let proxy: RpcProxy;
  let context: Context;

  before(async () => {
    database = await openTestDatabase();
    proxy = await startRpcProxy(cluster().rpcUrl);
    context = await contextWith({});
    for (const { publicKey } of [treasury, cluster().dexOwner])
      await cluster().fund(publicKey, 10_000_000_000n);
  });
  after(async () => {
    await proxy?.stop();
    await database?.close();
  });

  const contextWith = (changes: Record<string, string>) =>
    contextFrom(
      {
        ...clusterEnvironment(cluster()),
        RPC_URL: proxy.url,
        TREASURY_KEYPAIR: keyVariable(treasury),
        SETTLEMENT_INTERVAL_SECONDS: '2',
        SETTLEMENT_MINIMUM_SOL: '1000000',
        SETTLEMENT_MINIMUM_TOKEN: '1000000',
        ...changes,
      },
      database,
    );
  const settle = (
    token: Token,
    afterStep?: (step: SettlementStep) => Promise<void> | void,
    by: Context = context,
  ) =>
    whileFinalizing(cluster(), () =>
      settleOne(by, token.mint.toBase58(), { signal: NEVER_ABORTED, afterStep }),
    );
  const unclaimed = async ({ publicKey }: Keypair, { mint }: Token) => {
    const [rewards] = await walletBalances(database.queries, publicKey.toBase58(), mint.toBase58());
    return { sol: rewards?.unclaimedSol ?? 0n, token: rewards?.unclaimedToken ?? 0n };
  };
  const sellAll = async (token: Token, trader: Keypair) => {
    const account = associatedTokenAddress(trader.publicKey, token.mint).address;
    const tokenToSpend = await tokensOf(cluster().connection, account);
    await cluster().send(
      sell({ mint: token.mint, payer: trader.publicKey, tokenToSpend, minSolToReceive: 0n }),
      [trader],
    );
  };
  const running = async <T>(by: Context, work: () => Promise<T>): Promise<T> => {
    const job = createSettlementJob(by);
    if (job === undefined) throw new Error('there is a key and an interval');
    job.start();
    try {
      return await whileFinalizing(cluster(), work);
    } finally {
      await job.stop();
    }
  };

  it('a buyer of half the token who holds it for moments earns next to nothing, and anyone can check why', async () => {
    const token = await launch(cluster(), ALL_TO_HOLDERS);
    await indexCreation(database, token);
    const holder = await cluster().fundedWallet();
    const buyer = await cluster().fundedWallet(100_000_000_000n);
    await buyTokens(cluster(), token, holder, 40_000_000_000n / 45n);
    await donateSol(cluster(), token, 20_000_000_000n);
    let taken = 0;
    const report = await settle(token, async (step) => {
      if (step !== 'sampled' || (taken += 1) !== SAMPLES - 2) return;
      await buyTokens(cluster(), token, buyer, 40_000_000_000n);
      await sellAll(token, buyer);
    });
    expect(report.outcome, report.problems.join()).to.equal('settled');
    const [ofHolder, ofBuyer] = [await unclaimed(holder, token), await unclaimed(buyer, token)];
    expect(ofHolder.sol + ofBuyer.sol).to.equal(20_000_000_000n);
    // It holds 20 times as many tokens; even one sample of sixteen would be met by luck alone.
    expect(Number(ofBuyer.sol)).to.be.at.most(1);

    const [published] = (await publicSettlements(database.queries, token.mint.toBase58(), { limit: 1 }))!;
    expect(published!.state).to.equal('done');
    expect(seedHashOf(published!.seed!)).to.equal(published!.seedHash);
    expect(published!.taken).to.have.length(SAMPLES);
    const startedAt = new Date(published!.startedAt).getTime();
    let slot = 0;
    for (const sample of published!.taken) {
      const { seed, periodMs } = published!;
      const moment = momentOf({ seed: seed!, startedAt, periodMs, samples: SAMPLES }, sample.index);
      expect(new Date(sample.moment).getTime()).to.equal(moment);
      expect(new Date(sample.takenAt).getTime()).to.be.at.least(moment);
      expect(sample.slot).to.be.at.least(slot);
      slot = sample.slot;
    }
  });

  it('a buyer who holds for half of the period earns about half of what holding throughout earns', async () => {
    const token = await launch(cluster(), ALL_TO_HOLDERS);
    await indexCreation(database, token);
    const [holder, buyer] = (await cluster().fundedWallets(2)) as [Keypair, Keypair];
    await buyTokens(cluster(), token, holder, 9_000_000_000n);
    await openTokenAccount(cluster(), buyer.publicKey, token.mint);
    await donateSol(cluster(), token, 1_000_000_000n);
    let taken = 0;
    const account = associatedTokenAddress(buyer.publicKey, token.mint).address;
    const half =
      (await tokensOf(cluster().connection, associatedTokenAddress(holder.publicKey, token.mint).address)) /
      2n;
    // A long period: a sample must not begin before the transfer of the one before is finalized.
    const slow = await contextWith({ SETTLEMENT_INTERVAL_SECONDS: '8' });
    const report = await settle(
      token,
      async (step) => {
        if (step !== 'sampled' || (taken += 1) !== SAMPLES / 2) return;
        await transferTokens(cluster(), token.mint, holder, account, half);
      },
      slow,
    );
    expect(report.outcome, report.problems.join()).to.equal('settled');
    const { sol: earned } = await unclaimed(buyer, token);
    expect(Number(earned)).to.be.within(0.15 * 1e9, 0.3 * 1e9);
    expect(await checkLedger(database.queries, { whole: true })).to.deep.equal([]);
  });

  it('the seed is nowhere to be seen before the period is over', async () => {
    const token = await launch(cluster(), ALL_TO_HOLDERS);
    await indexCreation(database, token);
    const mint = token.mint.toBase58();
    const holder = await cluster().fundedWallet();
    await buyTokens(cluster(), token, holder, 1_000_000_000n);
    await donateSol(cluster(), token, 2_000_000n);
    let checked = 0;
    await settle(token, async (step) => {
      if (step !== 'sampled') return;
      checked += 1;
      const open = await openSettlement(database.queries, mint);
      const [published] = (await publicSettlements(database.queries, mint, { limit: 1 }))!;
      const [secret] = await rowsOf<{ seed: string }>(
        database.queries,
        sql`select seed from settlement_seeds where settlement_id = ${open!.id}`,
      );
      expect(
        JSON.stringify([open, published], (_, value: unknown) => (typeof value === 'bigint' ? '' : value)),
      ).not.to.contain(secret!.seed);
      expect(published).to.include({ state: 'sampling', seed: null, seedHash: seedHashOf(secret!.seed) });
      // Nor which samples were taken: the rest of their strata would be free of any.
      expect(published!.taken).to.deep.equal([]);
    });
    expect(checked).to.equal(SAMPLES);
    const [left] = await rowsOf<{ seeds: string }>(
      database.queries,
      sql`select count(*)::text as seeds from settlement_seeds`,
    );
    expect(left?.seeds).to.equal('0');
  });

  it('samples that a node misses are made up for after the period', async () => {
    const token = await launch(cluster(), ALL_TO_HOLDERS);
    await indexCreation(database, token);
    const holder = await cluster().fundedWallet();
    await buyTokens(cluster(), token, holder, 1_000_000_000n);
    await donateSol(cluster(), token, 2_000_000n);
    let taken = 0;
    const report = await settle(token, (step) => {
      if (step !== 'sampled' || (taken += 1) !== 4) return;
      proxy.setDown(true);
      setTimeout(() => proxy.setDown(false), 1_500);
    });
    expect(report.outcome, report.problems.join()).to.equal('settled');
    const indexes = report.samples!.map(({ index }) => index);
    expect(indexes).to.have.length(SAMPLES);
    expect(Math.max(...indexes)).to.be.at.least(SAMPLES + 4);
    expect((await unclaimed(holder, token)).sol).to.equal(2_000_000n);
  });

  it('a period goes on where another settler left it, with the samples it had', async () => {
    const token = await launch(cluster(), ALL_TO_HOLDERS);
    await indexCreation(database, token);
    const mint = token.mint.toBase58();
    const holder = await cluster().fundedWallet();
    await buyTokens(cluster(), token, holder, 1_000_000_000n);
    await donateSol(cluster(), token, 30_000_000n);
    const count = async () => {
      const [row] = await rowsOf<{ id: string; samples: number }>(
        database.queries,
        sql`select s.id::text as id, (
            select count(*)::integer from settlement_samples where settlement_id = s.id and slot is not null
          ) as samples from settlements s where mint = ${mint} order by s.id desc limit 1`,
      );
      return row ?? { id: '', samples: 0 };
    };
    const first = await contextWith({});
    await running(first, () => eventually(async () => (await count()).samples >= 5, 'five samples'));
    const before = await count();
    expect(before.samples).to.be.below(SAMPLES);
    const [took] = (await publicSettlements(database.queries, mint, { limit: 1 }))!;
    const next = await contextWith({});
    await running(next, () =>
      eventually(async () => (await unclaimed(holder, token)).sol === 30_000_000n, 'the credit', 60_000),
    );
    const [done] = (await publicSettlements(database.queries, mint, { limit: 1 }))!;
    expect([String(done!.id), done!.seedHash]).to.deep.equal([before.id, took!.seedHash]);
    expect(done!.taken).to.have.length(SAMPLES);
    expect(await checkLedger(database.queries, { whole: true })).to.deep.equal([]);
  });

  it('a creator who opens and closes its account in turns costs one rent, and fails nothing', async () => {
    const { connection, dexOwner, payer } = cluster();
    const creator = await cluster().fundedWallet();
    const token = await launch(cluster(), ALL_TO_CREATOR, creator);
    await indexCreation(database, token);
    const { mint } = token;
    const giver = await cluster().fundedWallet();
    await buyTokens(cluster(), token, giver, 3_000_000_000n);
    await openTokenAccount(cluster(), treasury.publicKey, mint);
    const account = associatedTokenAddress(creator.publicKey, mint).address;
    const close = async () => {
      const held = await tokensOf(connection, account);
      await cluster().send(
        [
          ...(held > 0n ? [createBurnInstruction(account, mint, creator.publicKey, held)] : []),
          createCloseAccountInstruction(account, creator.publicKey, creator.publicKey),
        ],
        [creator],
      );
    };
    const open = () => openTokenAccount(cluster(), creator.publicKey, mint);
    const at = (wanted: SettlementStep, act: () => Promise<unknown>) => {
      let done = false;
      return async (step: SettlementStep) => {
        if (step !== wanted || done) return;
        done = true;
        await act();
      };
    };
    const rounds: {
      before?: () => Promise<unknown>;
      step?: (step: SettlementStep) => Promise<void>;
      paid: boolean;
    }[] = [
      // The one opening that the operator pays for.
      { paid: true },
      { before: close, paid: false },
      // It closes the account when the settlement is planned, and when it is signed.
      { before: open, step: at('planned', close), paid: false },
      { before: open, step: at('signed', close), paid: false },
      { before: open, paid: true },
      { step: at('signed', close), paid: false },
      { paid: false },
      { before: open, step: at('planned', close), paid: false },
    ];
    const start = await lamportsOf(connection, dexOwner.publicKey);
    let credited = 0n;
    for (const [index, { before, step, paid }] of rounds.entries()) {
      await before?.();
      await transferTokens(cluster(), mint, giver, token.communityTokenStorage.address, GIVEN_UNITS);
      const report = await settle(token, step);
      expect(report.outcome, `round ${index}: ${report.problems.join()}`).to.equal('settled');
      if (!paid) credited += GIVEN_UNITS;
      expect((await unclaimed(creator, token)).token, `round ${index}`).to.equal(credited);
      expect(await tokensOf(connection, token.communityTokenStorage.address)).to.equal(0n);
    }
    const spent = start - (await lamportsOf(connection, dexOwner.publicKey));
    const rent = BigInt(await rentOf(connection, 165));
    expect(Number(spent - rent)).to.be.within(0, rounds.length * 100_000);
    expect(await checkLedger(database.queries, { whole: true })).to.deep.equal([]);

    // The same with SOL: its wallet is emptied when it has been signed, and would stay below rent.
    const lamports = await lamportsOf(connection, creator.publicKey);
    await donateSol(cluster(), token, 1_000_000n);
    // Above the minimum of the pot, below rent exemption for a wallet.
    const small = await contextWith({ SETTLEMENT_MINIMUM_SOL: '1000' });
    await settle(token, undefined, small);
    await donateSol(cluster(), token, 500_000n);
    const report = await settle(
      token,
      at('signed', async () => {
        const all = await lamportsOf(connection, creator.publicKey);
        const transfer = SystemProgram.transfer({
          fromPubkey: creator.publicKey,
          toPubkey: payer.publicKey,
          lamports: all,
        });
        await cluster().send([transfer], [payer, creator]);
      }),
      small,
    );
    expect(lamports > 0n).to.equal(true);
    expect(report.outcome, report.problems.join()).to.equal('settled');
    expect((await unclaimed(creator, token)).sol).to.equal(500_000n);
    expect(await checkLedger(database.queries, { whole: true })).to.deep.equal([]);
  });

  it('credits are there within 60 s of a payment into the storages, of themselves', async () => {
    const token = await launch(cluster(), ALL_TO_HOLDERS);
    await indexCreation(database, token);
    const holder = await cluster().fundedWallet();
    await buyTokens(cluster(), token, holder, 1_000_000_000n);
    await running(context, async () => {
      const began = performance.now();
      await donateSol(cluster(), token, 50_000_000n);
      await eventually(
        async () => (await unclaimed(holder, token)).sol === 50_000_000n,
        'the credit',
        60_000,
      );
      expect(performance.now() - began).to.be.below(60_000);
    });
  });

  it('gauges tell the same on every instance, whichever settles', async () => {
    const token = await launch(cluster(), {
      ...ALL_TO_HOLDERS,
      afterMigrationHoldersBp: 0,
      afterMigrationLpBp: 10_000,
    });
    await indexCreation(database, token);
    await donateSol(cluster(), token, 50_000_000n);
    const value = async (of: Context, name: string) =>
      (await of.metrics.registry.getSingleMetric(name)!.get()).values[0]!.value;
    const [leader, other, keyless] = [
      await contextWith({}),
      await contextWith({}),
      await contextWith({ DEX_OWNER_KEYPAIR: '' }),
    ];
    createSettlementJob(other);
    expect(createSettlementJob(keyless)).to.equal(undefined);
    const waiting = (wanted: number) => async () =>
      (await Promise.all([other, keyless].map((of) => value(of, 'curvekit_settlements_waiting')))).every(
        (found) => found === wanted,
      );
    await running(leader, () => eventually(waiting(1), 'the gauge of the other instances'));
    expect(await value(other, 'curvekit_settlement_last_pass_timestamp_seconds')).to.be.closeTo(
      Date.now() / 1_000,
      60,
    );
    // The next leader knows where the liquidity share goes.
    const lp = Keypair.generate().publicKey;
    await cluster().fund(lp, 1_000_000_000n);
    const next = await contextWith({ LP_ADDRESS: lp.toBase58() });
    await running(next, () => eventually(waiting(0), 'the gauge of the other instances'));
    expect(await value(leader, 'curvekit_settlements_waiting')).to.equal(0);
  });

  it('200 tokens with gifts of 1,000 tokens delay a real one by no more than 60 s; below the floor they wait', async () => {
    const SPAM = 200;
    const { payer } = cluster();
    const spam: Token[] = [];
    for (let index = 0; index < SPAM; index += 1) {
      const token = await launch(cluster(), ALL_TO_HOLDERS);
      await indexCreation(database, token);
      await buyTokens(cluster(), token, payer, 1_000_000n);
      await transferTokens(cluster(), token.mint, payer, token.communityTokenStorage.address, 1_000_000_000n);
      spam.push(token);
    }
    const token = await launch(cluster(), ALL_TO_HOLDERS);
    await indexCreation(database, token);
    const holder = await cluster().fundedWallet();
    await buyTokens(cluster(), token, holder, 1_000_000_000n);
    const begun = async () => {
      const [row] = await rowsOf<{ begun: number }>(
        database.queries,
        sql`select count(*)::integer as begun from settlements where mint in (${sql.join(
          spam.map(({ mint }) => sql`${mint.toBase58()}`),
          sql`, `,
        )})`,
      );
      return row!.begun;
    };
    const takes = async (by: Context, lamports: bigint) =>
      running(by, async () => {
        const had = (await unclaimed(holder, token)).sol;
        const began = performance.now();
        await donateSol(cluster(), token, lamports);
        await eventually(
          async () => (await unclaimed(holder, token)).sol === had + lamports,
          'the credit',
          90_000,
        );
        return performance.now() - began;
      });
    const alone = await takes(await contextWith({}), 50_000_000n);
    expect(await begun()).to.equal(0);
    // An operator without a floor: all of them are settled, the real one first.
    const floorless = await contextWith({ SETTLEMENT_MINIMUM_SOL: '1', SETTLEMENT_MINIMUM_TOKEN: '1' });
    const amongSpam = await running(floorless, async () => {
      await eventually(async () => (await begun()) > SPAM / 2, 'the periods of the spam', 60_000);
      const began = performance.now();
      await donateSol(cluster(), token, 60_000_000n);
      await eventually(
        async () => (await unclaimed(holder, token)).sol === 110_000_000n,
        'the credit',
        90_000,
      );
      return performance.now() - began;
    });
    expect(amongSpam - alone, `alone ${alone} ms`).to.be.below(60_000);
  });
});
