// Settlements under attack by a creator who wants the operator's rent, and by spam that delays others.
// threat: closed-for-rent, closed-before-payment, small-gifts
import {
  createBurnInstruction,
  createCloseAccountInstruction,
  createTransferInstruction,
} from '@solana/spl-token';
import { Keypair, SystemProgram } from '@solana/web3.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { associatedTokenAddress, buy } from '@curvekit/sdk';
import { createSettlementJob } from '#app/graduation/settlement/settlement-job.js';
import type { SettlementStep } from '#app/graduation/settlement/settle.js';
import type { Context } from '#app/context.js';
import { rowsOf } from '#app/db/database.js';
import { checkLedger } from '#app/ledger/check.js';
import { lamportsOf, rentOf } from '#tests/cluster/accounts.js';
import { indexCreation } from '#tests/service/service-context.js';
import { eventually } from '#tests/service/service.js';
import { ALL_TO_HOLDERS, useSettlements } from '#tests/service/settlements.js';
import {
  buyTokens,
  donateSol,
  launch,
  openTokenAccount,
  tokensOf,
  transferTokens,
  type Token,
} from '#tests/program/tokens.js';

const ALL_TO_CREATOR = { afterMigrationHoldersBp: 0, afterMigrationBurnBp: 0, afterMigrationLpBp: 0 };
const GIVEN_UNITS = 100_000_000_000n;

describe('settlements under attack', function () {
  this.timeout(600_000);
  const { cluster, treasury, database, context, contextWith, settle, unclaimed, running } = useSettlements();

  it('a creator who keeps closing its token account costs one rent, and makes no settlement fail', async () => {
    const { connection, dexOwner, payer } = cluster();
    const creator = await cluster().fundedWallet();
    const token = await launch(cluster(), ALL_TO_CREATOR, creator);
    await indexCreation(database(), token);
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
    expect(await checkLedger(database().queries, { whole: true })).to.deep.equal([]);

    // The same with SOL: the creator empties its wallet after the settlement was signed, so the share would leave it
    // below rent.
    const lamports = await lamportsOf(connection, creator.publicKey);
    await donateSol(cluster(), token, 1_000_000n);
    // Above the minimum for a settlement, below rent exemption for a wallet.
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
    expect(await checkLedger(database().queries, { whole: true })).to.deep.equal([]);
  });

  it('a payment into the storages is credited within 60 s without a command', async () => {
    const token = await launch(cluster(), ALL_TO_HOLDERS);
    await indexCreation(database(), token);
    const holder = await cluster().fundedWallet();
    await buyTokens(cluster(), token, holder, 1_000_000_000n);
    await running(context(), async () => {
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

  it('the gauges are the same on every instance, whichever instance settles', async () => {
    const token = await launch(cluster(), {
      ...ALL_TO_HOLDERS,
      afterMigrationHoldersBp: 0,
      afterMigrationLpBp: 10_000,
    });
    await indexCreation(database(), token);
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
    // The next leader has LP_ADDRESS, so nothing waits any more.
    const lp = Keypair.generate().publicKey;
    await cluster().fund(lp, 1_000_000_000n);
    const next = await contextWith({ LP_ADDRESS: lp.toBase58() });
    await running(next, () => eventually(waiting(0), 'the gauge of the other instances'));
    expect(await value(leader, 'curvekit_settlements_waiting')).to.equal(0);
  });

  it('200 spam tokens delay a real settlement by less than 60 s, and wait while they are below the minimum', async () => {
    const SPAM = 200;
    const { payer, deployment } = cluster();
    const buyer = payer.publicKey;
    const spam: Token[] = [];
    for (let index = 0; index < SPAM; index += 1) {
      const token = await launch(cluster(), ALL_TO_HOLDERS);
      const { mint, communityTokenStorage } = token;
      await indexCreation(database(), token);
      const bought = associatedTokenAddress(buyer, mint).address;
      await cluster().send(
        [
          ...buy({ mint, payer: buyer, solToSpend: 1_000_000n, minTokenToReceive: 0n, deployment }),
          createTransferInstruction(bought, communityTokenStorage.address, buyer, 1_000_000_000n),
        ],
        [payer],
      );
      spam.push(token);
    }
    const token = await launch(cluster(), ALL_TO_HOLDERS);
    await indexCreation(database(), token);
    const holder = await cluster().fundedWallet();
    await buyTokens(cluster(), token, holder, 1_000_000_000n);
    const begun = async () => {
      const [row] = await rowsOf<{ begun: number }>(
        database().queries,
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
          180_000,
        );
        return performance.now() - began;
      });
    const alone = await takes(await contextWith({}), 50_000_000n);
    expect(await begun()).to.equal(0);
    // Without a minimum the service settles all of them, the real one first.
    const floorless = await contextWith({ SETTLEMENT_MINIMUM_SOL: '1', SETTLEMENT_MINIMUM_TOKEN: '1' });
    const amongSpam = await running(floorless, async () => {
      await eventually(async () => (await begun()) > SPAM / 2, 'the periods of the spam', 180_000);
      const began = performance.now();
      await donateSol(cluster(), token, 60_000_000n);
      await eventually(
        async () => (await unclaimed(holder, token)).sol === 110_000_000n,
        'the credit',
        180_000,
      );
      return performance.now() - began;
    });
    expect(amongSpam - alone, `alone ${alone} ms`).to.be.below(60_000);
  });
});
