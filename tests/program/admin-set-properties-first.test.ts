import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import {
  adminSetProperties,
  encodeProperties,
  fetchProperties,
  PROPERTIES_ADDRESS,
  PROPERTIES_BUMP,
  PROPERTIES_SIZE,
} from '@curvekit/sdk';
import { DEFAULT_PROPERTIES } from '@curvekit/testing';
import { lamportsOf, rentOf } from '#tests/cluster/accounts.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { rawAdminSetProperties, rawBuyToken } from '#tests/program/raw-instructions.js';
import { expectRefused } from '#tests/cluster/refusals.js';
import { launch } from '#tests/program/tokens.js';
import { LOGICAL } from '#tests/program/refusals.js';
import { BOUNDS } from '#tests/program/property-bounds.js';

describe('adminSetProperties, the first call', () => {
  describe('Given nothing at the address', () => {
    const cluster = useCluster({ properties: false });

    it('when a value is out of bounds, then nothing is created', async () => {
      const { admin } = cluster();
      for (const { args } of BOUNDS.filter(({ allowed }) => !allowed)) {
        await expectRefused(cluster(), [rawAdminSetProperties({ args })], [admin], LOGICAL);
      }
      const bump = rawAdminSetProperties({ args: { bump: PROPERTIES_BUMP - 1 } });
      await expectRefused(cluster(), [bump], [admin], LOGICAL);
    });

    it('when another wallet signs and pays, then nothing is created', async () => {
      const stranger = await cluster().fundedWallet();
      const instruction = rawAdminSetProperties({ accounts: { adminAccount: stranger.publicKey } });
      await expectRefused(cluster(), [instruction], [stranger], '2012 ConstraintAddress');
    });

    it('when the admin signs but another wallet pays the transaction, then it fails and nothing is created', async () => {
      const { admin } = cluster();
      const error = await expectRefused(
        cluster(),
        [rawAdminSetProperties()],
        [admin],
        'Curve PrivilegeEscalation',
      );
      expect(error.instruction).to.deep.equal({ index: 0, name: 'adminSetProperties' });
    });

    it('when a trader buys, then the buy is refused because the properties account does not exist', async () => {
      const { payer } = cluster();
      const { publicKey } = Keypair.generate();
      const instruction = rawBuyToken(publicKey, payer.publicKey);
      await expectRefused(cluster(), [instruction], [], '3012 AccountNotInitialized');
    });

    it('when the admin signs and pays the transaction, then the admin pays the rent as well', async () => {
      const { connection, admin, programId } = cluster();
      const held = await lamportsOf(connection, admin.publicKey);
      const { fee } = await cluster().send(adminSetProperties(DEFAULT_PROPERTIES), [admin]);
      const account = await connection.getAccountInfo(PROPERTIES_ADDRESS);
      const data = encodeProperties({ initialized: 1, bump: PROPERTIES_BUMP, ...DEFAULT_PROPERTIES });
      expect(account!.data.toString('hex')).to.equal(Buffer.from(data).toString('hex'));
      expect(account!.owner.toBase58()).to.equal(programId.toBase58());
      const rent = await rentOf(connection, PROPERTIES_SIZE);
      expect(BigInt(account!.lamports)).to.equal(rent);
      expect(await lamportsOf(connection, admin.publicKey)).to.equal(held - rent - fee);
    });
  });

  describe('Given less than the rent at the address', () => {
    const cluster = useCluster({ properties: false });

    it('when another wallet pays the transaction, then it fails; when the admin pays, then the admin adds the missing rent', async () => {
      const { connection, admin } = cluster();
      const rent = await rentOf(connection, PROPERTIES_SIZE);
      const least = await rentOf(connection, 0);
      await cluster().fund(PROPERTIES_ADDRESS, least);
      await expectRefused(cluster(), [rawAdminSetProperties()], [admin], 'Curve PrivilegeEscalation');
      const held = await lamportsOf(connection, admin.publicKey);
      const { fee } = await cluster().send([rawAdminSetProperties()], [admin]);
      expect(await lamportsOf(connection, PROPERTIES_ADDRESS)).to.equal(rent);
      expect(await lamportsOf(connection, admin.publicKey)).to.equal(held - (rent - least) - fee);
      expect(await fetchProperties(connection)).to.deep.include(DEFAULT_PROPERTIES);
    });
  });

  for (const [what, extra] of [
    ['exactly the rent', 0n],
    ['more than the rent', 1_234_567n],
  ] as const) {
    describe(`Given ${what} at the address`, () => {
      const cluster = useCluster({ properties: false });

      it('when another wallet pays the transaction, then the lamports already there cover the rent, and the admin pays nothing', async () => {
        const { connection, admin, payer } = cluster();
        const rent = await rentOf(connection, PROPERTIES_SIZE);
        await cluster().fund(PROPERTIES_ADDRESS, rent + extra);
        const held = await lamportsOf(connection, admin.publicKey);
        await cluster().send([rawAdminSetProperties()], [payer, admin]);
        expect(await lamportsOf(connection, PROPERTIES_ADDRESS)).to.equal(rent + extra);
        expect(await lamportsOf(connection, admin.publicKey)).to.equal(held);
        expect(await fetchProperties(connection)).to.deep.include(DEFAULT_PROPERTIES);
        await launch(cluster());
      });
    });
  }
});
