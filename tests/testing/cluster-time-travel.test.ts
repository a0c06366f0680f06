// What only Surfpool can do: time travel, writing any account, and expiring a blockhash within seconds.
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { InvalidArgumentError, TransactionExpiredError } from '@curvekit/sdk';
import { UnsupportedByClusterError } from '@curvekit/testing';
import { CLUSTER, useCluster } from '#tests/cluster/cluster.js';
import { rejection } from '#tests/mocha/failures.js';
import { SOL } from '#tests/constants.js';
import { signed, transfer } from '#tests/cluster/transfers.js';

describe(`a local cluster's time and accounts (${CLUSTER})`, function () {
  this.timeout(60_000);
  const cluster = useCluster();

  if (CLUSTER === 'surfpool') {
    describe('time travel', () => {
      it('moves ahead to a slot, and moves the clock by 400 ms per slot', async () => {
        const before = await cluster().clock();
        await cluster().timeTravelToSlot(before.slot + 216_000n);
        const after = await cluster().clock();
        expect(after.slot - before.slot).to.be.oneOf([216_000n, 216_001n]);
        expect(Number(after.unixTimestamp - before.unixTimestamp)).to.be.closeTo(86_400, 2);
        expect(await cluster().connection.getSlot()).to.be.closeTo(Number(after.slot), 1);
      });

      it('moves ahead to a Unix time', async () => {
        const target = (await cluster().clock()).unixTimestamp + 7n * 86_400n;
        await cluster().timeTravelToTimestamp(target);
        expect(Number((await cluster().clock()).unixTimestamp - target)).to.be.within(0, 1);
      });

      it('moves ahead to an epoch', async () => {
        const target = (await cluster().clock()).epoch + 3n;
        await cluster().timeTravelToEpoch(target);
        const { epoch, slot } = await cluster().clock();
        expect(epoch).to.equal(target);
        expect(slot / 432_000n).to.equal(target);
      });

      it('refuses the past, and names the current position of the cluster', async () => {
        const { slot } = await cluster().clock();
        const error = await rejection(cluster().timeTravelToSlot(slot), InvalidArgumentError);
        expect(error.message).to.equal(`slot is ${slot}; the cluster is at ${slot} and only moves ahead`);
        await rejection(cluster().timeTravelToTimestamp(0), InvalidArgumentError);
        await rejection(cluster().timeTravelToEpoch(1.5), InvalidArgumentError);
      });
    });

    describe('setAccount', () => {
      it('writes lamports, data and owner, each separately', async () => {
        const { publicKey } = Keypair.generate();
        const { publicKey: owner } = Keypair.generate();
        const read = () => cluster().connection.getAccountInfo(publicKey);
        await cluster().setAccount(publicKey, { lamports: 3n * SOL, data: Uint8Array.of(1, 2, 255), owner });
        expect(await read()).to.deep.include({
          lamports: Number(3n * SOL),
          owner,
          data: Buffer.from([1, 2, 255]),
        });
        await cluster().setAccount(publicKey, { lamports: 2n * SOL });
        expect(await read()).to.deep.include({
          lamports: Number(2n * SOL),
          owner,
          data: Buffer.from([1, 2, 255]),
        });
        await cluster().setAccount(publicKey, { data: new Uint8Array() });
        expect(await read()).to.deep.include({ lamports: Number(2n * SOL), owner, data: Buffer.alloc(0) });
      });
    });

    it('throws TransactionExpiredError when the blockhash of a transaction has expired', async () => {
      const wallet = await cluster().fundedWallet();
      const transaction = await signed(cluster(), wallet, transfer(wallet, wallet.publicKey, 1n));
      for (let block = 0; block < 151; block += 1) {
        await cluster().send([transfer(wallet, wallet.publicKey, BigInt(block))], [wallet]);
      }
      const error = await rejection(cluster().sendSigned(transaction), TransactionExpiredError);
      expect(error.message).to.contain(error.signature!);
    });
  } else {
    it('refuses time travel and setAccount', async () => {
      const { publicKey } = Keypair.generate();
      for (const attempt of [
        () => cluster().timeTravelToSlot(1_000_000),
        () => cluster().timeTravelToEpoch(1_000),
        () => cluster().timeTravelToTimestamp(4_000_000_000n),
        () => cluster().setAccount(publicKey, { lamports: 1n }),
      ]) {
        const error = await rejection(attempt(), UnsupportedByClusterError);
        expect(error.message).to.contain("backend 'surfpool'");
      }
    });
  }
});
