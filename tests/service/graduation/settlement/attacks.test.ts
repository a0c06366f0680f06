// Settlements under attack by a creator who wants the operator's rent, and by spam that delays others.
// threat: closed-for-rent, closed-before-payment, small-gifts
import {
  createBurnInstruction,
  createCloseAccountInstruction,
  createTransferInstruction,
} from '@solana/spl-token';
import { SystemProgram } from '@solana/web3.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import { associatedTokenAddress, buy } from '@curvekit/sdk';
import type { SettlementStep } from '#app/graduation/settlement/settle.js';
import { rowsOf } from '#app/db/database.js';
import { SOL } from '#tests/constants.js';
import { lamportsOf, rentOf } from '#tests/cluster/accounts.js';
import { indexCreation } from '#tests/service/service-context.js';
import { eventually } from '#tests/service/service.js';
import { ALL_TO_CREATOR, ALL_TO_HOLDERS, useSettlements } from '#tests/service/settlements.js';
import {
  donateSol,
  launch,
  openTokenAccount,
  tokensOf,
  transferTokens,
  type Token,
} from '#tests/program/tokens.js';

const GIVEN_UNITS = 100_000_000_000n;

describe('settlements under attack', function () {
  this.timeout(600_000);
  const { cluster, treasury, database, contextWith, given, settle, checkExact, unclaimed, running } =
    useSettlements();

  it('a creator who keeps closing its token account costs one rent, and makes no settlement fail', async () => {
    const { connection, dexOwner, payer } = cluster();
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
    await checkExact();
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
    const { token, holder } = await given(0n);
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
    let had = 0n;
    const takes = async (lamports: bigint) => {
      const began = performance.now();
      await donateSol(cluster(), token, lamports);
      had += lamports;
      await eventually(async () => (await unclaimed(holder, token)).sol === had, 'the credit', 180_000);
      return performance.now() - began;
    };
    const alone = await running(await contextWith({}), () => takes(50_000_000n));
    expect(await begun()).to.equal(0);
    // Without a minimum the service settles all of them, the real one first.
    const floorless = await contextWith({ SETTLEMENT_MINIMUM_SOL: '1', SETTLEMENT_MINIMUM_TOKEN: '1' });
    const amongSpam = await running(floorless, async () => {
      await eventually(async () => (await begun()) > SPAM / 2, 'the periods of the spam', 180_000);
      return takes(60_000_000n);
    });
    expect(amongSpam - alone, `alone ${alone} ms`).to.be.below(60_000);
  });
});
