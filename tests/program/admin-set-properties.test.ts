import { expect } from 'chai'; // threat: ungraduatable-settings
import {
  ADMIN_SET_PROPERTIES_ACCOUNTS,
  adminSetProperties,
  decodeRecords,
  encodeProperties,
  fetchProperties,
  InvalidArgumentError,
  PROPERTIES_ADDRESS,
  PROPERTIES_BUMP,
  quoteBuy,
  quoteSell,
  type AdminSetPropertiesArgs,
} from '@curvekit/sdk';
import { DEFAULT_PROPERTIES, type LaunchProperties, type SentTransaction } from '@curvekit/testing';
import { lamportsOf, snapshot } from '#tests/cluster/accounts.js';
import { withAccount } from '#tests/program/altered.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { rejection } from '#tests/mocha/failures.js';
import { afterBuy, afterSell, holdings } from '#tests/program/holdings.js';
import { rawAdminSetProperties, rawBuyToken, rawSellToken } from '#tests/program/raw-instructions.js';
import { expectRefused } from '#tests/cluster/refusals.js';
import { buyTokens, curveState, launch, openTokenAccount } from '#tests/program/tokens.js';
import { SOL, TOKEN, U64_MAX } from '#tests/constants.js';
import { LOGICAL } from '#tests/program/refusals.js';
import { BOUNDS, MOST_VIRTUAL_SOL } from '#tests/program/property-bounds.js';

const told = (args: Partial<AdminSetPropertiesArgs>) =>
  Object.entries(args)
    .map(([name, value]) => `${name} is ${value}`)
    .join(', ');

describe('adminSetProperties', () => {
  const cluster = useCluster();

  /** Sets the default properties with some changes. The cluster's payer pays the transaction fee. */
  function set(changes: Partial<LaunchProperties>): Promise<SentTransaction> {
    const { payer, admin } = cluster();
    return cluster().send(adminSetProperties({ ...DEFAULT_PROPERTIES, ...changes }), [payer, admin]);
  }

  async function expectSetRefused(args: Partial<AdminSetPropertiesArgs>, expected: string): Promise<void> {
    const { admin } = cluster();
    const error = await expectRefused(cluster(), [rawAdminSetProperties({ args })], [admin], expected);
    expect(error.instruction).to.deep.equal({ index: 0, name: 'adminSetProperties' });
  }

  afterEach('set the default properties again', () => set({}));

  describe('Given properties', () => {
    it('when the admin sets them again, then the same account holds the new ones, and the admin pays nothing', async () => {
      const { connection, admin } = cluster();
      const account = await connection.getAccountInfo(PROPERTIES_ADDRESS);
      const held = await lamportsOf(connection, admin.publicKey);
      const next = {
        initialVirtualSol: 12_345_678_901n,
        initialVirtualToken: 1_111_111_111_111_111n,
        platformFeeBps: 321,
      };
      const { transaction } = await set(next);
      const changed = await connection.getAccountInfo(PROPERTIES_ADDRESS);
      const data = encodeProperties({ initialized: 1, bump: PROPERTIES_BUMP, ...next });
      expect(changed).to.deep.equal({ ...account!, data: Buffer.from(data) });
      expect(await lamportsOf(connection, admin.publicKey)).to.equal(held);
      expect(decodeRecords(transaction)).to.deep.equal([]);
    });

    for (const { args, argument, allowed } of BOUNDS) {
      if (allowed) {
        it(`when ${told(args)}, then the program sets the properties`, async () => {
          await set(args);
          const properties = await fetchProperties(cluster().connection);
          expect(properties).to.deep.equal({
            initialized: 1,
            bump: PROPERTIES_BUMP,
            ...DEFAULT_PROPERTIES,
            ...args,
          });
        });
      } else {
        it(`when ${told(args)}, then the program refuses it and nothing changes`, () =>
          expectSetRefused(args, LOGICAL));

        it(`when ${told(args)}, then the SDK refuses it first and names the argument`, async () => {
          const building = Promise.resolve().then(() =>
            adminSetProperties({ ...DEFAULT_PROPERTIES, ...args }),
          );
          expect(await rejection(building, InvalidArgumentError)).to.have.property('argument', argument);
        });
      }
    }

    for (const bump of [PROPERTIES_BUMP - 1, 0]) {
      it(`when the bump is ${bump}, which is not canonical, then the program refuses it`, () =>
        expectSetRefused({ bump }, LOGICAL));
    }
  });

  describe('Given a wallet other than the admin', () => {
    it('when that wallet signs as the admin, then it is refused', async () => {
      const stranger = await cluster().fundedWallet();
      const instruction = rawAdminSetProperties({ accounts: { adminAccount: stranger.publicKey } });
      await expectRefused(cluster(), [instruction], [stranger], '2012 ConstraintAddress');
    });

    it('when the fee receiver signs as the admin, then it is refused', async () => {
      const { feeReceiver } = cluster();
      const instruction = rawAdminSetProperties({ accounts: { adminAccount: feeReceiver.publicKey } });
      await expectRefused(cluster(), [instruction], [feeReceiver], '2012 ConstraintAddress');
    });

    it('when the admin account is named but has not signed, then it is refused', async () => {
      const index = ADMIN_SET_PROPERTIES_ACCOUNTS.adminAccount;
      const unsigned = withAccount(rawAdminSetProperties(), index, { isSigner: false });
      await expectRefused(cluster(), [unsigned], [], '3010 AccountNotSigner');
    });
  });

  describe('Given a curve that is already trading', () => {
    it('when the fee changes, then its next trades pay the new one', async () => {
      const { payer } = cluster();
      const trader = await cluster().fundedWallet();
      const token = await launch(cluster());
      await openTokenAccount(cluster(), trader.publicKey, token.mint);
      for (const platformFeeBps of [100, 0, 1_000, 1]) {
        await set({ platformFeeBps });
        const buying = { ...(await curveState(cluster(), token)), platformFeeBps };
        const bought = quoteBuy(buying, SOL);
        const before = await holdings(cluster(), token, trader.publicKey);
        const purchase = rawBuyToken(token.mint, trader.publicKey, { args: { solToSpend: SOL } });
        await cluster().send([purchase], [payer, trader]);
        const between = await holdings(cluster(), token, trader.publicKey);
        expect(between).to.deep.equal(afterBuy(before, bought));

        const selling = { ...(await curveState(cluster(), token)), platformFeeBps };
        const sold = quoteSell(selling, 1_000n * TOKEN);
        const args = { tokenToSpend: 1_000n * TOKEN };
        await cluster().send([rawSellToken(token.mint, trader.publicKey, { args })], [payer, trader]);
        const after = await holdings(cluster(), token, trader.publicKey);
        expect(after).to.deep.equal(afterSell(between, sold));
        expect(bought.fee).to.equal((SOL * BigInt(platformFeeBps)) / 10_000n);
      }
    });

    it('when the initial reserves change, then only new curves have them', async () => {
      const { connection } = cluster();
      const old = await launch(cluster());
      const before = await snapshot(connection, [old.curve.address]);
      await set({ initialVirtualSol: 7n * SOL, initialVirtualToken: 1_200_000_000_000_000n });
      expect(await snapshot(connection, [old.curve.address])).to.deep.equal(before);
      const young = await launch(cluster());
      expect(await curveState(cluster(), young)).to.include({
        virtualSol: 7n * SOL,
        virtualToken: 1_200_000_000_000_000n,
      });
      expect(await curveState(cluster(), old)).to.include({
        virtualSol: DEFAULT_PROPERTIES.initialVirtualSol,
        virtualToken: DEFAULT_PROPERTIES.initialVirtualToken,
      });
    });

    it('when the fee changes, then the record of a new token contains the new fee', async () => {
      await set({ platformFeeBps: 77 });
      const { created } = await launch(cluster());
      expect(decodeRecords(created.transaction)[0]!.data).to.include({ platformFeeBps: 77 });
    });
  });

  describe('Given the lowest and highest allowed initial SOL reserve', () => {
    it('when a curve starts with one lamport, then four lamports buy the whole curve', async () => {
      const { payer } = cluster();
      await set({ initialVirtualSol: 1n });
      const token = await launch(cluster());
      const quote = quoteBuy(await curveState(cluster(), token), 10n);
      expect(quote).to.include({ solSpent: 4n, graduates: true });
      await buyTokens(cluster(), token, payer, 10n);
      const { state } = await holdings(cluster(), token, payer.publicKey);
      expect(state).to.include({ initialized: 2, virtualSol: quote.virtualSol });
    });

    it('when a curve starts with the most lamports, then its reserve still fits in a u64 when a buy graduates it', async () => {
      await set({ initialVirtualSol: MOST_VIRTUAL_SOL });
      const token = await launch(cluster());
      const state = await curveState(cluster(), token);
      const { graduates, virtualSol } = quoteBuy(state, U64_MAX);
      expect(graduates).to.equal(true);
      expect(virtualSol > U64_MAX - 10n && virtualSol <= U64_MAX).to.equal(true);
      // No wallet has enough lamports to graduate this curve, so only a small buy is sent.
      const { payer } = cluster();
      await buyTokens(cluster(), token, payer, SOL);
      const after = await curveState(cluster(), token);
      expect(after.virtualSol).to.equal(quoteBuy(state, SOL).virtualSol);
    });
  });
});
