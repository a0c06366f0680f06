import { Connection, Keypair, SystemProgram, TransactionInstruction, type PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import {
  compileTransaction,
  decodeProperties,
  InvalidArgumentError,
  TransactionError,
  TransactionExpiredError,
} from '@curvekit/sdk';
import {
  ClusterStartError,
  DEFAULT_PROPERTIES,
  startLocalCluster,
  UnsupportedByClusterError,
} from '@curvekit/testing';
import { CLUSTER, useCluster } from '#tests/cluster/cluster.js';
import { rejection } from '#tests/mocha/failures.js';
import { SOL } from '#tests/constants.js';
import { lamportsOf } from '#tests/cluster/accounts.js';

const SIGNATURE_FEE = 5_000n;

describe(`a local cluster (${CLUSTER})`, () => {
  const cluster = useCluster();
  const transfer = (from: Keypair, to: PublicKey, lamports: bigint) =>
    SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports });
  async function signed(payer: Keypair, instruction: TransactionInstruction) {
    const { blockhash } = await cluster().connection.getLatestBlockhash();
    const parts = { payer: payer.publicKey, instructions: [instruction] };
    const transaction = compileTransaction(parts, blockhash);
    transaction.sign([payer]);
    return transaction;
  }

  describe('the websocket', () => {
    // Anchor, web3.js and wallets are given the RPC URL alone.
    it('is on the port after the RPC port: a connection by the RPC URL hears that a transaction is confirmed', async () => {
      const { rpcUrl, wsUrl } = cluster();
      expect(Number(new URL(wsUrl).port)).to.equal(Number(new URL(rpcUrl).port) + 1);
      const connection = new Connection(rpcUrl, 'confirmed');
      const wallet = await cluster().fundedWallet(SOL);
      const heard = new Promise<object>((resolve, reject) => {
        // A busy Surfpool loses the notification of a transaction that lands while the subscription begins.
        const sending = setInterval(() => {
          void send().catch(reject);
        }, 1_000);
        const send = async () => {
          const gift = transfer(wallet, Keypair.generate().publicKey, SOL / 100n);
          const signature = await connection.sendTransaction(await signed(wallet, gift));
          connection.onSignature(signature, (result) => {
            clearInterval(sending);
            resolve(result);
          });
        };
      });
      expect(await heard).to.deep.equal({ err: null });
    });
  });

  describe('a transaction that fails', () => {
    it('lands, costs its fee, and throws an error with instruction, reason and logs', async () => {
      const wallet = await cluster().fundedWallet(SOL);
      const { publicKey: to } = Keypair.generate();
      const error = await rejection(
        cluster().send([transfer(wallet, to, SOL / 2n), transfer(wallet, to, SOL)], [wallet]),
        TransactionError,
      );
      expect(error.instruction?.index).to.equal(1);
      expect(error.reason).to.equal('Custom');
      expect(error.logs?.join('\n')).to.match(/insufficient lamports/);
      const landed = await cluster().connection.getTransaction(error.signature!, {
        maxSupportedTransactionVersion: 0,
      });
      expect(landed?.meta?.err).to.deep.equal({ InstructionError: [1, { Custom: 1 }] });
      expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(SOL - SIGNATURE_FEE);
      expect(await lamportsOf(cluster().connection, to)).to.equal(0n);
    });

    it('throws within seconds when it can never land', async () => {
      const poor = Keypair.generate();
      const started = Date.now();
      const error = await rejection(
        cluster().send([transfer(poor, poor.publicKey, 1n)], [poor]),
        TransactionError,
      );
      expect(error.reason).to.equal('AccountNotFound');
      expect(Date.now() - started).to.be.lessThan(5_000);
    });

    it('is not sent without its signers, with too many, or too large', async () => {
      const [wallet, stranger] = await cluster().fundedWallets(2);
      const lacking = await rejection(
        cluster().send([transfer(stranger!, wallet!.publicKey, 1n)], [wallet!]),
        InvalidArgumentError,
      );
      expect(lacking.message).to.equal(`signers lacks the key of ${stranger!.publicKey.toBase58()}`);
      const much = [transfer(wallet!, wallet!.publicKey, 1n)];
      const superfluous = await rejection(cluster().send(much, [wallet!, stranger!]), InvalidArgumentError);
      expect(superfluous.message).to.match(/^signers has .* which no instruction asks to sign$/);
      const none = await rejection(cluster().send(much, []), InvalidArgumentError);
      expect(none.argument).to.equal('signers');
      const bytes = new TransactionInstruction({
        programId: SystemProgram.programId,
        keys: [],
        data: Buffer.alloc(1_200),
      });
      const large = await rejection(cluster().send([bytes], [wallet!]), InvalidArgumentError);
      expect(large.argument).to.equal('instructions');
      expect(await lamportsOf(cluster().connection, wallet!.publicKey)).to.equal(100n * SOL);
    });
  });

  describe('when a second client uses it by URL', () => {
    const byUrl = (options = {}) =>
      startLocalCluster({ backend: cluster().rpcUrl, wsUrl: cluster().wsUrl, ...options });

    it('offers the same functions, keeps its properties, and keeps running after stop()', async () => {
      const second = await byUrl();
      expect(second.kind).to.equal('rpc');
      const wallet = await second.fundedWallet(SOL);
      await second.send([transfer(wallet, wallet.publicKey, 1n)], [wallet]);
      await second.stop();
      expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(SOL - SIGNATURE_FEE);
      const refused = await rejection(second.timeTravelToSlot(1_000_000), UnsupportedByClusterError);
      expect(refused.kind).to.equal('rpc');
    });

    it('accepts a payer instead of the faucet, and other properties', async () => {
      const payer = await cluster().fundedWallet(50n * SOL);
      const second = await byUrl({ payer, properties: { platformFeeBps: 250 } });
      const properties = async () =>
        decodeProperties(
          (await cluster().connection.getAccountInfo(cluster().deployment.properties.address))!.data,
        );
      expect(second.payer).to.equal(payer);
      expect(await properties()).to.deep.include({ ...DEFAULT_PROPERTIES, platformFeeBps: 250 });
      await byUrl({ payer, properties: DEFAULT_PROPERTIES });
      expect((await properties()).platformFeeBps).to.equal(100);
    });

    it('is refused when a program is missing, or when no node answers at the URL', async () => {
      const { publicKey: programId } = Keypair.generate();
      const missing = await rejection(byUrl({ programs: [{ programId, so: '' }] }), ClusterStartError);
      expect(missing.message).to.contain(`no program at ${programId.toBase58()}`);
      const nobody = await rejection(startLocalCluster({ backend: 'http://127.0.0.1:9' }), ClusterStartError);
      expect(nobody.message).to.contain('http://127.0.0.1:9 does not answer');
    });
  });

  // What only Surfpool can do: time travel, writing any account, and expiring a blockhash within seconds.
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
      const transaction = await signed(wallet, transfer(wallet, wallet.publicKey, 1n));
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
