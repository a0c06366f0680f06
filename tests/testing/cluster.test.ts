import {
  createAssociatedTokenAccountIdempotentInstruction,
  getAssociatedTokenAddressSync,
  NATIVE_MINT,
} from '@solana/spl-token';
import { Connection, Keypair, SystemProgram, TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import { decodeProperties, InvalidArgumentError, TransactionError } from '@curvekit/sdk';
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
import { signed, transfer } from '#tests/cluster/transfers.js';

const SIGNATURE_FEE = 5_000n;

const isSurfpool = CLUSTER === 'surfpool';
/** A validator confirms in half a second what Surfpool does in a few milliseconds. */
const LOAD = isSurfpool ? { sequential: 500, concurrent: 1_500 } : { sequential: 5, concurrent: 200 };

describe(`a local cluster (${CLUSTER})`, function () {
  this.timeout(60_000);
  const cluster = useCluster();

  describe('when it has started', () => {
    it('has the default properties, set by the admin', async () => {
      const { connection, deployment, programId } = cluster();
      const account = await connection.getAccountInfo(deployment.properties.address);
      expect(account?.owner.toBase58()).to.equal(programId.toBase58());
      expect(decodeProperties(account!.data)).to.deep.include({ ...DEFAULT_PROPERTIES, initialized: 1 });
    });

    it('has the authorities of the deployment, and they are funded', async () => {
      const { admin, feeReceiver, dexOwner, deployment } = cluster();
      const keys = [admin, feeReceiver, dexOwner].map(({ publicKey }) => publicKey);
      const { graduation } = deployment;
      expect(keys).to.deep.equal([deployment.admin, graduation.treasury, deployment.dexOwner]);
      expect(deployment.feeReceiver).to.deep.equal(graduation.feeReceiver.address);
      for (const key of keys)
        expect((await lamportsOf(cluster().connection, key)) > 99n * SOL).to.equal(true);
    });
  });

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
          const signature = await connection.sendTransaction(await signed(cluster(), wallet, gift));
          connection.onSignature(signature, (result) => {
            clearInterval(sending);
            resolve(result);
          });
        };
      });
      expect(await heard).to.deep.equal({ err: null });
    });
  });

  describe('funding', () => {
    it('creates any number of wallets, with 100 SOL each by default', async () => {
      const rich = await cluster().fundedWallets(45);
      const poor = await cluster().fundedWallet(7n * SOL);
      const balances = await Promise.all(
        [...rich, poor].map(({ publicKey }) => lamportsOf(cluster().connection, publicKey)),
      );
      expect(balances).to.deep.equal([...Array.from({ length: 45 }, () => 100n * SOL), 7n * SOL]);
      expect(new Set(rich.map(({ publicKey }) => publicKey.toBase58()))).to.have.lengthOf(45);
    });
  });

  describe('a transaction that succeeds', () => {
    it('returns its fee, compute units, size, logs and inner instructions', async () => {
      const wallet = await cluster().fundedWallet();
      const account = getAssociatedTokenAddressSync(NATIVE_MINT, wallet.publicKey);
      const sent = await cluster().send(
        [
          createAssociatedTokenAccountIdempotentInstruction(
            wallet.publicKey,
            account,
            wallet.publicKey,
            NATIVE_MINT,
          ),
        ],
        [wallet],
      );
      const { transaction } = sent;
      expect(sent.fee).to.equal(SIGNATURE_FEE);
      expect(sent.computeUnits).to.be.greaterThan(1_000);
      expect(sent.slot).to.equal(transaction.slot);
      expect(sent.signature).to.equal(transaction.transaction.signatures[0]);
      expect(sent.logs.at(-1)).to.match(/success$/);
      expect(transaction.version).to.equal(0);
      expect(transaction.meta?.innerInstructions?.[0]?.instructions.length).to.be.greaterThan(0);
      // The signature count, one signature, then the version 0 message.
      expect(sent.bytes).to.equal(1 + 64 + transaction.transaction.message.serialize().length);
      expect((await cluster().connection.getAccountInfo(account))?.owner.toBase58()).to.match(/^Token/);
    });

    it('is executed as often as it is sent, even with the same content at the same time', async () => {
      const wallet = await cluster().fundedWallet();
      const { publicKey: to } = Keypair.generate();
      const same = [transfer(wallet, to, SOL)];
      const sent = await Promise.all(Array.from({ length: 5 }, () => cluster().send(same, [wallet])));
      expect(new Set(sent.map(({ signature }) => signature))).to.have.lengthOf(5);
      expect(await lamportsOf(cluster().connection, to)).to.equal(5n * SOL);
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

  describe('under load', () => {
    it(`confirms ${LOAD.concurrent} transactions at once, each exactly once`, async function () {
      this.timeout(LOAD.concurrent * 100);
      const wallets = await cluster().fundedWallets(20);
      const { publicKey: to } = Keypair.generate();
      await Promise.all(
        Array.from({ length: LOAD.concurrent }, (_, index) => {
          const wallet = wallets[index % wallets.length]!;
          // Each amount differs, so no two transactions are the same.
          return cluster().send([transfer(wallet, to, SOL / 1_000n + BigInt(index))], [wallet]);
        }),
      );
      const count = BigInt(LOAD.concurrent);
      expect(await lamportsOf(cluster().connection, to)).to.equal(
        count * (SOL / 1_000n) + (count * (count - 1n)) / 2n,
      );
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
});
