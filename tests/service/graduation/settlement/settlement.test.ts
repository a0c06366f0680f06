// Settlements and migrations on a real cluster: a graduated curve is migrated, its contribution reaches the community storages, and the
// settlement pays it out exactly, also to creators, buyers and givers who cheat.
// threat: closed-for-rent, closed-before-payment, closed-between-settlers, momentary-holder, sell-after-sample, worthless-gifts
import { setTimeout as sleep } from 'node:timers/promises';
import { createBurnInstruction, createCloseAccountInstruction } from '@solana/spl-token';
import { SystemProgram, type Connection, type Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { associatedTokenAddress, sell } from '@curvekit/sdk';
import { statement } from '#app/db/database.js';
import { settleOne } from '#app/graduation/settlement/pass.js';
import { MEMO_PROGRAM_ADDRESS } from '#app/graduation/settlement/payment/memo.js';
import { divideByLargestRemainder } from '#app/graduation/settlement/payment/split.js';
import { momentOf, SAMPLES, seedHashOf } from '#app/graduation/settlement/periods/moments.js';
import { publicSettlements } from '#app/graduation/settlement/periods/view.js';
import { openSettlement } from '#app/graduation/settlement/repository.js';
import type { SettlementStep } from '#app/graduation/settlement/settle.js';
import { addUnfinalized, insertTrades } from '#app/index/trades/store.js';
import { walletBalances } from '#app/ledger/balances.js';
import { lamportsOf, rentOf } from '#tests/cluster/accounts.js';
import { NEVER_ABORTED, SOL } from '#tests/constants.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import {
  buyTokens,
  donateSol,
  launch,
  mintAccount,
  openTokenAccount,
  tokensOf,
  transferTokens,
  WHOLE_CURVE_LAMPORTS,
} from '#tests/program/tokens.js';
import { finalizeAll, indexCreation } from '#tests/service/service-context.js';
import { eventually } from '#tests/service/service.js';
import { ALL_TO_CREATOR, ALL_TO_HOLDERS, useSettlements } from '#tests/service/settlements.js';

const GIVEN_UNITS = 100_000_000_000n;

async function memosOf(connection: Connection, signature: string): Promise<string[]> {
  const landed = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 });
  const { staticAccountKeys, compiledInstructions } = landed!.transaction.message;
  return compiledInstructions
    .filter(({ programIdIndex }) => staticAccountKeys[programIdIndex]!.equals(MEMO_PROGRAM_ADDRESS))
    .map(({ data }) => Buffer.from(data).toString());
}

describe(`settlement (${DATABASE_KIND})`, function () {
  this.timeout(600_000);
  const { cluster, treasury, lp, database, ...scene } = useSettlements({ isKeyHeld: true });
  const { contextWith, given, held, settle, migrate, running, unclaimed, checkExact } = scene;

  it("pays a graduated token's contribution from its storages to its holders, exactly", async () => {
    const creator = await cluster().fundedWallet();
    const token = await launch(
      cluster(),
      {
        afterMigrationFee: 500,
        afterMigrationBurnBp: 1_111,
        afterMigrationHoldersBp: 3_333,
        afterMigrationLpBp: 2_222,
      },
      creator,
    );
    await indexCreation(database(), token);
    const { mint } = token;
    const traders = await cluster().fundedWallets(3);
    for (const [index, trader] of traders.entries())
      await buyTokens(cluster(), token, trader, 1_000_000_007n * BigInt(index + 1));
    const whale = await cluster().fundedWallet(100_000_000_000n);
    await buyTokens(cluster(), token, whale, WHOLE_CURVE_LAMPORTS);

    const migration = await migrate(mint);
    expect(migration.transactions).to.have.length(1);
    expect(migration.contributed).to.deep.equal({
      sol: (migration.moved.sol * 500n) / 10_000n,
      token: (migration.moved.token * 500n) / 10_000n,
    });
    const { connection } = cluster();
    expect(await tokensOf(connection, token.communityWsolStorage.address)).to.equal(
      migration.contributed.sol,
    );
    expect(await tokensOf(connection, token.communityTokenStorage.address)).to.equal(
      migration.contributed.token,
    );
    expect(migration.moved.token - migration.contributed.token).to.equal(
      await tokensOf(connection, associatedTokenAddress(cluster().feeReceiver.publicKey, mint).address),
    );

    const again = await migrate(mint);
    expect(again).to.deep.equal({ ...migration, transactions: [] });

    const supply = (await mintAccount(connection, mint)).supply;
    const lamports = async () => ({
      treasury: await lamportsOf(connection, treasury.publicKey),
      lp: await lamportsOf(connection, lp.publicKey),
      creator: await lamportsOf(connection, creator.publicKey),
    });
    const before = await lamports();
    const report = await settle(token);
    expect(report.problems).to.deep.equal([]);
    expect(report.outcome).to.equal('settled');
    const after = await lamports();

    const [burn = 0n, holders = 0n, liquidity = 0n, rest = 0n] = divideByLargestRemainder(
      migration.contributed.token,
      [1_111n, 3_333n, 2_222n, 3_334n],
    );
    const [solBurn = 0n, solHolders = 0n, solLp = 0n, solRest = 0n] = divideByLargestRemainder(
      migration.contributed.sol,
      [1_111n, 3_333n, 2_222n, 3_334n],
    );
    expect((await mintAccount(connection, mint)).supply).to.equal(supply - burn);
    const tokensAt = (wallet: Keypair) =>
      tokensOf(connection, associatedTokenAddress(wallet.publicKey, mint).address);
    expect(await tokensAt(treasury)).to.equal(holders);
    expect(await tokensAt(lp)).to.equal(liquidity);
    expect(await tokensAt(creator)).to.equal(rest);
    expect(after.treasury - before.treasury).to.equal(solHolders);
    expect(after.lp - before.lp).to.equal(solLp);
    expect(after.creator - before.creator).to.equal(solRest + solBurn);
    expect(await tokensOf(connection, token.communityWsolStorage.address)).to.equal(0n);
    expect(await tokensOf(connection, token.communityTokenStorage.address)).to.equal(0n);

    // The credits are in proportion to the balances, exact to one unit.
    const wallets = [...traders, whale].map(({ publicKey }) => publicKey.toBase58()).sort();
    const balances = await Promise.all(
      [...traders, whale].map(
        async (wallet) => [wallet.publicKey.toBase58(), await tokensAt(wallet)] as const,
      ),
    );
    const weights = wallets.map((wallet) => new Map(balances).get(wallet) ?? 0n);
    const expectedSol = divideByLargestRemainder(solHolders, weights);
    const expectedToken = divideByLargestRemainder(holders, weights);
    for (const [index, wallet] of wallets.entries())
      expect(await walletBalances(database().queries, wallet)).to.deep.equal([
        {
          mint: mint.toBase58(),
          unclaimedSol: expectedSol[index],
          unclaimedToken: expectedToken[index],
          allTimeSol: expectedSol[index],
          allTimeToken: expectedToken[index],
        },
      ]);
    await checkExact();

    expect((await settle(token)).outcome).to.equal('nothing');
    await checkExact();
  });

  it('settles payments of any wallet, wrapped or not, for a token that still trades', async () => {
    const { token, holder: first } = await given(1_000_001n, ALL_TO_HOLDERS, 5n * SOL);
    const second = await cluster().fundedWallet();
    await buyTokens(cluster(), token, second, SOL);
    // Lamports that the payer did not wrap.
    await cluster().fund(token.communityWsolStorage.address, 7n);
    await transferTokens(cluster(), token.mint, first, token.communityTokenStorage.address, 3_000_001n);

    const report = await settle(token);
    expect(report.outcome).to.equal('settled');
    const { id, signature, snapshotSlot } = report.settlement!;
    expect(snapshotSlot).to.equal(report.samples!.at(-1)!.slot);
    const memo = `curvekit settlement ${id} holders 1000008 3000001 creator 0 0`;
    expect(await memosOf(cluster().connection, signature!)).to.deep.equal([memo]);
    expect(report.settlement).to.include({
      sol: 1_000_008n,
      solHolders: 1_000_008n,
      token: 3_000_001n,
      holders: 2,
    });
    const [one, two] = [await unclaimed(first, token), await unclaimed(second, token)];
    expect([one.sol + two.sol, one.token + two.token]).to.deep.equal([1_000_008n, 3_000_001n]);
    await checkExact();
  });

  it("pays the holders' part to the creator while the token has no holders", async () => {
    const creator = await cluster().fundedWallet();
    const token = await launch(cluster(), ALL_TO_HOLDERS, creator);
    await indexCreation(database(), token);
    await donateSol(cluster(), token, 2_000_000n);
    const before = await lamportsOf(cluster().connection, creator.publicKey);
    expect((await settle(token)).outcome).to.equal('settled');
    expect(await lamportsOf(cluster().connection, creator.publicKey)).to.equal(before + 2_000_000n);
  });

  it('leaves gifts of a token that has fallen by 99 % in its pool below the minimum', async () => {
    const { token, holder, mint } = await given(0n);
    await transferTokens(cluster(), token.mint, holder, token.communityTokenStorage.address, GIVEN_UNITS);
    const curve = { virtualSol: 30_000_000_000n, virtualToken: 1_073_000_000_000_000n };
    const fallen = { ...curve, virtualSol: curve.virtualSol / 100n };
    let id = 1_000_000n;
    /** The newest finalized trade of the pool decides. */
    const trade = (reserves: typeof curve, finalized: boolean) =>
      database().transaction(async (tx) => {
        await insertTrades(tx, [
          {
            ...{ id: (id += 1n), signature: `pool trade ${id}`, outer: 0, inner: -1, slot: 1, mint },
            ...{ trader: 'trader', isBuy: false, solAmount: 1n, tokenAmount: 1n, fee: 0n, timestamp: 1 },
            ...({ ...reserves, finalized, venue: 'pool', graduated: false } as const),
          },
        ]);
        if (!finalized) await addUnfinalized(tx, { first: id, last: id }, 'pool');
      });
    await trade(fallen, true);
    await trade(curve, false);
    expect((await settle(token)).outcome).to.equal('nothing');
    await trade(curve, true);
    expect((await settle(token)).settlement?.token).to.equal(GIVEN_UNITS);
  });

  it('a creator who keeps closing its token account costs one rent, and makes no settlement fail', async () => {
    const { connection, dexOwner } = cluster();
    const { token, creator, holder: giver } = await given(0n, ALL_TO_CREATOR, 3n * SOL);
    const { mint } = token;
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
      // The only account that the operator pays for.
      { paid: true },
      { before: close, paid: false },
      // The creator closes the account after the settlement was planned, or after it was signed.
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
    await checkExact();

    // The same with SOL: above the minimum for a settlement, below rent exemption for a wallet that is emptied once it is signed.
    const small = await contextWith({ SETTLEMENT_MINIMUM_SOL: '1000' });
    await donateSol(cluster(), token, 500_000n);
    const emptied = at('signed', () => empty(creator));
    expect((await settle(token, emptied, small)).outcome).to.equal('settled');
    expect((await unclaimed(creator, token)).sol).to.equal(500_000n);
    await checkExact();
  });

  it('a buyer of half the token who holds it only briefly earns next to nothing, and the samples can be verified', async () => {
    const { token, holder, mint } = await given(20n * SOL, ALL_TO_HOLDERS, (40n * SOL) / 45n);
    const buyer = await cluster().fundedWallet(100n * SOL);
    let taken = 0;
    const report = await settle(token, async (step) => {
      if (step !== 'sampled' || (taken += 1) !== SAMPLES - 2) return;
      await buyTokens(cluster(), token, buyer, 40_000_000_000n);
      const account = associatedTokenAddress(buyer.publicKey, token.mint).address;
      const tokenToSpend = await tokensOf(cluster().connection, account);
      const { deployment } = cluster();
      const sale = {
        mint: token.mint,
        payer: buyer.publicKey,
        tokenToSpend,
        minSolToReceive: 0n,
        deployment,
      };
      await cluster().send(sell(sale), [buyer]);
      // A sample reads finalized balances, and a travel between the two transactions may have finalized the first only.
      await finalizeAll(cluster());
    });
    expect(report.outcome, report.problems.join()).to.equal('settled');
    const [ofHolder, ofBuyer] = [await unclaimed(holder, token), await unclaimed(buyer, token)];
    expect(ofHolder.sol + ofBuyer.sol).to.equal(20_000_000_000n);
    // The buyer would hold 20 times as many tokens, and even one of sixteen samples would pay much more.
    expect(Number(ofBuyer.sol)).to.be.at.most(1);

    const [published] = (await publicSettlements(database().queries, mint, { limit: 1 }))!;
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

  if (DATABASE_KIND === 'postgres')
    it('a job whose connection breaks, and the command that takes over, pay the creator once', async () => {
      const heldAt = (simulation: number) => held('simulateTransaction', 'answered', simulation);
      const [job, command] = [heldAt(1), heldAt(3)];
      const { token, creator } = await given(500_000n, ALL_TO_CREATOR);
      const by = await contextWith({ SETTLEMENT_INTERVAL_SECONDS: '60', SETTLEMENT_MINIMUM_SOL: '1000' });
      const balance = () => lamportsOf(cluster().connection, creator.publicKey);
      const open = () => openSettlement(database().queries, token.mint.toBase58());
      await running({ ...by, connection: job.connection }, async () => {
        await job.reached;
        // The job has simulated the payment. Now the creator empties its wallet, so that the command credits it.
        await empty(creator);
        await eventually(untilRenewed(), 'a renewal of the lease', 10_000);
        await statement(database().queries)`
          select pg_terminate_backend(session_pid) from leases where name = 'settling'`;
        // The pool notices the broken connection, and the command gets a new one.
        await sleep(200);
        const settling = settleOne({ ...by, connection: command.connection }, token.mint.toBase58(), {
          signal: NEVER_ABORTED,
          waitMs: 20_000,
        });
        await Promise.race([command.reached, settling]);
        expect((await open())?.solCreatorCredited).to.equal(500_000n);
        await cluster().fund(creator.publicKey, SOL);
        job.release();
        await sleep(1_000);
        command.release();
        expect((await settling).outcome).to.equal('settled');
      });
      expect((await balance()) - SOL).to.equal(0n);
      expect((await unclaimed(creator, token)).sol).to.equal(500_000n);
      await checkExact();
    });

  /** The creator sends everything that its wallet has to another one. */
  async function empty(wallet: Keypair): Promise<void> {
    const { connection, payer } = cluster();
    const lamports = await lamportsOf(connection, wallet.publicKey);
    const to = { fromPubkey: wallet.publicKey, toPubkey: payer.publicKey, lamports };
    await cluster().send([SystemProgram.transfer(to)], [payer, wallet]);
  }

  /** Whether the lease of settling was renewed since the first call. */
  function untilRenewed(): () => Promise<boolean> {
    let first: string | undefined;
    return async () => {
      const [row] = await statement<{ ends: string }>(database().queries)`
        select expires_at::text as ends from leases where name = 'settling'`;
      first ??= row!.ends;
      return row!.ends !== first;
    };
  }
});
