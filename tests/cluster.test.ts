import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createAssociatedTokenAccountIdempotentInstruction,
  getAssociatedTokenAddressSync,
  NATIVE_MINT,
} from '@solana/spl-token';
import {
  Keypair,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
  type PublicKey,
} from '@solana/web3.js';
import { expect } from 'chai';
import {
  decodeProperties,
  InvalidArgumentError,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TransactionError,
  TransactionExpiredError,
} from '@curvekit/sdk';
import {
  ClusterStartError,
  DEFAULT_PROPERTIES,
  loadSurfpool,
  startLocalCluster,
  UnsupportedByClusterError,
  type LocalCluster,
} from '@curvekit/testing';
import { CLUSTER, clusterFromEnvironment, useCluster } from '#tests/cluster/cluster.js';
import { rejection } from '#tests/mocha/failures.js';
import { SOL } from '#tests/constants.js';

const SIGNATURE_FEE = 5_000n;
const isSurfpool = CLUSTER === 'surfpool';
/** A cluster reached by URL is one and the same for everybody, and goes on running. */
const isShared = CLUSTER.startsWith('http');

/** A validator confirms in half a second what Surfpool does in a few milliseconds. */
const LOAD = isSurfpool ? { sequential: 500, concurrent: 1_500 } : { sequential: 5, concurrent: 200 };
const SLOWEST_AVERAGE_MS = isSurfpool ? 50 : 2_000;

const transfer = (from: Keypair, to: PublicKey, lamports: bigint): TransactionInstruction =>
  SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports });

const balance = async ({ connection }: LocalCluster, address: PublicKey): Promise<bigint> =>
  BigInt(await connection.getBalance(address));

async function signed({ connection }: LocalCluster, payer: Keypair, instruction: TransactionInstruction) {
  const { blockhash } = await connection.getLatestBlockhash();
  const message = new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: blockhash,
    instructions: [instruction],
  });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign([payer]);
  return transaction;
}

describe(`a local cluster (${CLUSTER})`, function () {
  this.timeout(60_000);
  const cluster = useCluster();

  describe('when it has started', () => {
    it('has the program and Metaplex Token Metadata deployed', async () => {
      const { connection, programId } = cluster();
      const accounts = await connection.getMultipleAccountsInfo([programId, TOKEN_METADATA_PROGRAM_ADDRESS]);
      expect(accounts.map((account) => account?.executable)).to.deep.equal([true, true]);
    });

    it('has the default properties, set by the admin', async () => {
      const { connection, deployment, programId } = cluster();
      const account = await connection.getAccountInfo(deployment.properties.address);
      expect(account?.owner.toBase58()).to.equal(programId.toBase58());
      expect(decodeProperties(account!.data)).to.deep.include({ ...DEFAULT_PROPERTIES, initialized: 1 });
    });

    it('has funded authorities that are those of the deployment', async () => {
      const { admin, feeReceiver, dexOwner, deployment } = cluster();
      const keys = [admin, feeReceiver, dexOwner].map(({ publicKey }) => publicKey);
      expect(keys).to.deep.equal([deployment.admin, deployment.feeReceiver, deployment.dexOwner]);
      for (const key of keys) expect((await balance(cluster(), key)) > 99n * SOL).to.equal(true);
    });
  });

  describe('funding', () => {
    it('adds to what an account has', async () => {
      const { publicKey } = Keypair.generate();
      await cluster().fund(publicKey, 2n * SOL);
      await cluster().fund(publicKey, 3n * SOL);
      expect(await balance(cluster(), publicKey)).to.equal(5n * SOL);
    });

    it('makes any number of wallets, 100 SOL each unless told otherwise', async () => {
      const rich = await cluster().fundedWallets(45);
      const poor = await cluster().fundedWallet(7n * SOL);
      const balances = await Promise.all(
        [...rich, poor].map(({ publicKey }) => balance(cluster(), publicKey)),
      );
      expect(balances).to.deep.equal([...Array.from({ length: 45 }, () => 100n * SOL), 7n * SOL]);
      expect(new Set(rich.map(({ publicKey }) => publicKey.toBase58()))).to.have.lengthOf(45);
    });

    it('refuses to give nothing', async () => {
      const error = await rejection(cluster().fundedWallet(0n), InvalidArgumentError);
      expect(error.argument).to.equal('lamports');
    });
  });

  describe('a transaction that succeeds', () => {
    it('comes back with what it cost, its size, its logs and its inner instructions', async () => {
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
      // One signature with its count, then the version 0 message.
      expect(sent.bytes).to.equal(1 + 64 + transaction.transaction.message.serialize().length);
      expect((await cluster().connection.getAccountInfo(account))?.owner.toBase58()).to.match(/^Token/);
    });

    it('happens as often as it is sent, even at the same time with the same content', async () => {
      const wallet = await cluster().fundedWallet();
      const { publicKey: to } = Keypair.generate();
      const same = [transfer(wallet, to, SOL)];
      const sent = await Promise.all(Array.from({ length: 5 }, () => cluster().send(same, [wallet])));
      expect(new Set(sent.map(({ signature }) => signature))).to.have.lengthOf(5);
      expect(await balance(cluster(), to)).to.equal(5n * SOL);
    });

    it('may be signed elsewhere', async () => {
      const wallet = await cluster().fundedWallet();
      const { publicKey: to } = Keypair.generate();
      const { fee } = await cluster().sendSigned(await signed(cluster(), wallet, transfer(wallet, to, SOL)));
      expect(fee).to.equal(SIGNATURE_FEE);
      expect(await balance(cluster(), to)).to.equal(SOL);
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
      expect(await balance(cluster(), wallet.publicKey)).to.equal(SOL - SIGNATURE_FEE);
      expect(await balance(cluster(), to)).to.equal(0n);
    });

    it('throws soon when it cannot even land', async () => {
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
      expect(await balance(cluster(), wallet!.publicKey)).to.equal(100n * SOL);
    });
  });

  describe('under load', () => {
    it(`confirms ${LOAD.sequential} transactions in a row within ${SLOWEST_AVERAGE_MS} ms each`, async function () {
      const wallet = await cluster().fundedWallet();
      const { publicKey: to } = Keypair.generate();
      this.timeout(LOAD.sequential * SLOWEST_AVERAGE_MS * 2);
      const started = performance.now();
      for (let sent = 0; sent < LOAD.sequential; sent += 1)
        await cluster().send([transfer(wallet, to, SOL / 1_000n)], [wallet]);
      expect((performance.now() - started) / LOAD.sequential).to.be.lessThan(SLOWEST_AVERAGE_MS);
      const total = BigInt(LOAD.sequential) * (SOL / 1_000n);
      expect(await balance(cluster(), to)).to.equal(total);
    });

    it(`confirms ${LOAD.concurrent} transactions at once, each exactly once`, async function () {
      this.timeout(LOAD.concurrent * 100);
      const wallets = await cluster().fundedWallets(20);
      const { publicKey: to } = Keypair.generate();
      await Promise.all(
        Array.from({ length: LOAD.concurrent }, (_, index) => {
          const wallet = wallets[index % wallets.length]!;
          // Each amount differs, so that no two are the same transaction.
          return cluster().send([transfer(wallet, to, SOL / 1_000n + BigInt(index))], [wallet]);
        }),
      );
      const count = BigInt(LOAD.concurrent);
      expect(await balance(cluster(), to)).to.equal(count * (SOL / 1_000n) + (count * (count - 1n)) / 2n);
    });
  });

  describe('reached by its URL', () => {
    const byUrl = (options = {}) =>
      startLocalCluster({ backend: cluster().rpcUrl, wsUrl: cluster().wsUrl, ...options });

    it('offers the same, keeps its properties, and goes on when left', async () => {
      const second = await byUrl();
      expect(second.kind).to.equal('rpc');
      const wallet = await second.fundedWallet(SOL);
      await second.send([transfer(wallet, wallet.publicKey, 1n)], [wallet]);
      await second.stop();
      expect(await balance(cluster(), wallet.publicKey)).to.equal(SOL - SIGNATURE_FEE);
      const refused = await rejection(second.timeTravelToSlot(1_000_000), UnsupportedByClusterError);
      expect(refused.kind).to.equal('rpc');
    });

    it('takes a payer instead of the faucet, and other properties', async () => {
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

    it('is refused when a program is missing there, or nothing answers', async () => {
      const { publicKey: programId } = Keypair.generate();
      const missing = await rejection(byUrl({ programs: [{ programId, so: '' }] }), ClusterStartError);
      expect(missing.message).to.contain(`no program at ${programId.toBase58()}`);
      const nobody = await rejection(startLocalCluster({ backend: 'http://127.0.0.1:9' }), ClusterStartError);
      expect(nobody.message).to.contain('http://127.0.0.1:9 does not answer');
    });
  });

  if (isSurfpool) {
    describe('time travel', () => {
      it('moves ahead to a slot, and the clock with it, 400 ms for each', async () => {
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

      it('refuses the past, naming where the cluster is', async () => {
        const { slot } = await cluster().clock();
        const error = await rejection(cluster().timeTravelToSlot(slot), InvalidArgumentError);
        expect(error.message).to.equal(`slot is ${slot}; the cluster is at ${slot} and only moves ahead`);
        await rejection(cluster().timeTravelToTimestamp(0), InvalidArgumentError);
        await rejection(cluster().timeTravelToEpoch(1.5), InvalidArgumentError);
      });

      it('leaves the cluster working', async () => {
        const wallet = await cluster().fundedWallet();
        await cluster().send([transfer(wallet, wallet.publicKey, 1n)], [wallet]);
      });
    });

    describe('setAccount', () => {
      it('writes lamports, data and owner, each on its own', async () => {
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

      it('writes every lamport of a u64, and refuses more', async () => {
        const { publicKey } = Keypair.generate();
        await cluster().setAccount(publicKey, { lamports: 2n ** 64n - 1n });
        const answer = await fetch(cluster().rpcUrl, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            jsonrpc: '2.0',
            id: 1,
            method: 'getBalance',
            params: [publicKey.toBase58()],
          }),
        });
        expect(await answer.text()).to.contain('"value":18446744073709551615');
        const error = await rejection(
          cluster().setAccount(publicKey, { lamports: 2n ** 64n }),
          InvalidArgumentError,
        );
        expect(error.argument).to.equal('lamports');
      });
    });

    it('gives a transaction up when its blockhash has run out', async () => {
      const wallet = await cluster().fundedWallet();
      const transaction = await signed(cluster(), wallet, transfer(wallet, wallet.publicKey, 1n));
      for (let block = 0; block < 151; block += 1) {
        await cluster().send([transfer(wallet, wallet.publicKey, BigInt(block))], [wallet]);
      }
      const error = await rejection(cluster().sendSigned(transaction), TransactionExpiredError);
      expect(error.message).to.contain(error.signature!);
    });
  } else {
    it('refuses what only Surfpool can do', async () => {
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

describe(`starting and stopping a local cluster (${CLUSTER})`, function () {
  this.timeout(60_000);
  const elsewhere = mkdtempSync(join(tmpdir(), 'cluster-test-'));
  /** Clusters write their files below this folder. */
  const temporary = join(elsewhere, 'temporary');
  const usual = process.env['TMPDIR'];
  before(() => {
    mkdirSync(temporary);
    process.env['TMPDIR'] = temporary;
  });
  after(() => {
    if (usual === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usual;
    rmSync(elsewhere, { recursive: true });
  });

  it('stops twice, and leaves nothing', async () => {
    const cluster = await clusterFromEnvironment();
    await cluster.stop();
    await cluster.stop();
    expect(readdirSync(temporary)).to.deep.equal([]);
    const answers = await cluster.connection.getSlot().then(
      () => true,
      () => false,
    );
    expect(answers).to.equal(isShared);
  });

  it('runs two at once, apart from each other', async () => {
    const clusters = await Promise.all([clusterFromEnvironment(), clusterFromEnvironment()]);
    try {
      const wallet = await clusters[0].fundedWallet(SOL);
      expect(await balance(clusters[0], wallet.publicKey)).to.equal(SOL);
      expect(await balance(clusters[1], wallet.publicKey)).to.equal(isShared ? SOL : 0n);
    } finally {
      await Promise.all(clusters.map((cluster) => cluster.stop()));
    }
  });

  it('stops what it has started when a later step fails', async () => {
    const error = await rejection(
      clusterFromEnvironment({ properties: { initialVirtualToken: 1n } }),
      InvalidArgumentError,
    );
    expect(error.argument).to.equal('initialVirtualToken');
    expect(readdirSync(temporary)).to.deep.equal([]);
  });

  if (!isShared) {
    it('sets no properties when told so', async () => {
      const cluster = await clusterFromEnvironment({ properties: false });
      try {
        const { connection, deployment } = cluster;
        expect(await connection.getAccountInfo(deployment.properties.address)).to.equal(null);
      } finally {
        await cluster.stop();
      }
    });
  }

  it('names a backend or a program binary that does not exist', async () => {
    const backend = await rejection(startLocalCluster({ backend: 'ganache' }), InvalidArgumentError);
    expect(backend.message).to.equal(
      "backend is 'ganache'; it must be 'surfpool', 'validator' or an http(s) URL",
    );
    const binary = await rejection(startLocalCluster({ programSo: '/no/such.so' }), ClusterStartError);
    expect(binary.message).to.contain('/no/such.so');
  });

  if (!isShared) {
    it('refuses a file that is not the program, and leaves nothing', async () => {
      const text = join(import.meta.dirname, '../package.json');
      const noProgram = await rejection(clusterFromEnvironment({ programSo: text }), ClusterStartError);
      expect(noProgram.message).to.equal(`${text} is not a compiled program; check the path`);
      const broken = join(elsewhere, 'broken.so');
      writeFileSync(broken, '\x7fELF and nothing more');
      await rejection(clusterFromEnvironment({ programSo: broken }), ClusterStartError);
      expect(readdirSync(temporary)).to.deep.equal([]);
    });
  }

  it('names the missing platform package, and the way round it', () => {
    const other = process.platform === 'darwin' ? 'linux-x64' : 'darwin-arm64';
    const name = other === 'linux-x64' ? '@solana/surfpool-linux-x64-gnu' : '@solana/surfpool-darwin-arm64';
    expect(() => loadSurfpool(other))
      .to.throw(ClusterStartError, `${name} is not installed`)
      .and.match(/--cluster validator/);
    expect(() => loadSurfpool('win32-x64')).to.throw(
      ClusterStartError,
      /no package for win32-x64.*--cluster validator/,
    );
  });
});
