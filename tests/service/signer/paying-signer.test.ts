// A launchpad of three processes, each with its own role of PostgreSQL: one serves the APIs, one runs the jobs, and the treasury's
// signer stores and pays claims. Who takes over the first one can pay nobody what the ledger does not owe. threat: unsigned-claims, self-credit
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Keypair, PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import { keypairWallet } from '@curvekit/sdk';
import { chooseFeeShare } from '@curvekit/sdk/market';
import { PartnerClient } from '@curvekit/sdk/partner';
import { claimTransaction } from '#app/claims/transaction.js';
import { openDatabase, type Database } from '#app/db/database.js';
import { type Service } from '#app/service.js';
import { issueKey } from '#app/partners/keys.js';
import { SignerError, type Signer } from '#app/keys/signer.js';
import { atEnd } from '#tests/mocha/at-end.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { SOL } from '#tests/constants.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { databaseOfRoles } from '#tests/database/roles.js';
import { rejection } from '#tests/mocha/failures.js';
import { buyTokens, launch, type Token } from '#tests/program/tokens.js';
import { ApiClient } from '#tests/service/api-client.js';
import { lent, runCommand } from '#tests/service/cli.js';
import { outliveBlockhash } from '#tests/node/node-with-gaps.js';
import {
  initiate,
  ledgerProblems,
  reward,
  rewardsEnvironment,
  transactionOf,
  untilClaim,
} from '#tests/service/rewards.js';
import { clusterEnvironment, whileFinalizing } from '#tests/service/service-context.js';
import { eventually } from '#tests/service/service.js';
import { startTestService } from '#tests/service/test-service.js';
import { startReceiver } from '#tests/service/webhook-receiver.js';
import { findFreePorts } from '#testing/ports.js';
import { startSignerProcess, type SignerProcess } from '#tests/signers/signer-process.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

if (DATABASE_KIND === 'postgres')
  describe("a treasury's signer that pays claims", () => {
    const cluster = useCluster();
    let [folder, mint]: string[] = [];
    let port: number;
    let treasury: Keypair;
    let urls: Awaited<ReturnType<typeof databaseOfRoles>>;
    let signer: SignerProcess;
    let [api, worker]: Service[] = [];
    let owner: Database;

    const startSigner = async (): Promise<void> => {
      const environment = {
        ...clusterEnvironment(cluster()),
        DATABASE_URL: urls.signer,
        LOG_LEVEL: 'info',
        OPERATOR_PORT: String(port),
      };
      const args = ['--claims', '--sol-per-day', '3'];
      signer = await startSignerProcess(join(folder!, 'signer.sock'), treasury, args, environment);
    };
    const start = (role: 'api' | 'worker'): Promise<Service> =>
      startTestService(
        cluster(),
        {
          ...rewardsEnvironment(treasury),
          UPLOADS_FOLDER: folder!,
          DATABASE_URL: urls[role === 'api' ? 'api' : 'service'],
          TREASURY_KEYPAIR: signer.url,
          ROLE: role,
          CREATOR_SHARE_BPS: '3000',
        },
        { reconcilerIntervalMs: 50 },
      );
    const client = () => ({ api: new ApiClient(api!.url, api!.document), mint: mint! });
    const rewarded = async (amount = SOL / 10n): Promise<Keypair> => {
      const wallet = Keypair.generate();
      await reward(owner, wallet.publicKey, mint!, 'SOL', amount);
      return wallet;
    };
    const operators = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    const treasurySigner = (): Signer => api!.context.config.treasury!;

    before(async () => {
      [folder, treasury] = [temporaryFolder('signer'), await cluster().fundedWallet()];
      urls = await databaseOfRoles();
      port = await findFreePorts(1);
      owner = await openDatabase({ kind: 'postgres', url: urls.owner, poolSize: 4 });
      await startSigner();
      [worker, api] = [await start('worker'), await start('api')];
      await whileFinalizing(cluster(), async () => {
        const token = await launch(cluster());
        await buyTokens(cluster(), token, cluster().payer, SOL);
        mint = token.mint.toBase58();
        await eventually(
          async () => (await fetch(`${api!.url}/v1/market/tokens/${mint}`)).ok,
          'the token in the index',
        );
        await eventually(async () => (await fetch(`${api!.url}/ready`)).ok, 'open payments');
      });
    });
    after(async () => {
      for (const service of [api, worker]) await service?.stop();
      await signer?.end('SIGKILL');
      await owner?.close();
      if (folder !== undefined) await rm(folder, { recursive: true, force: true });
    });

    it('pays what the ledger owes, once for each idempotency key', async () => {
      const wallet = await rewarded();
      const body = { claimType: 'SOL' };
      const headers = { 'Idempotency-Key': 'one' };
      const transaction = transactionOf(await initiate(client(), wallet, body, headers));
      const again = transactionOf(await initiate(client(), wallet, body, headers));
      expect(again.serialize()).to.deep.equal(transaction.serialize());
      const other = await initiate(client(), wallet, { claimType: 'TOKEN' }, headers);
      expect([other.status, other.body['code']]).to.deep.equal([422, 'IDEMPOTENCY_KEY_REUSED']);
      const second = await initiate(client(), wallet, body);
      expect([second.status, second.body['code']]).to.deep.equal([409, 'CLAIM_IN_PROGRESS']);
      transaction.sign([wallet]);
      await whileFinalizing(cluster(), async () => {
        await cluster().sendSigned(transaction);
        await untilClaim(client().api, bs58.encode(transaction.signatures[0]!), 'COMPLETED');
      });
      expect(await ledgerProblems(owner)).to.deep.equal([]);
    });

    it('leaves webhooks and the choice of a fee’s share to the process of the APIs, whose role may do that', async () => {
      const receiver = await startReceiver();
      atEnd(() => receiver.stop());
      const service = { baseUrl: api!.url, fetch: client().api.answers.fetch };
      const until = (count: number) => eventually(() => receiver.taken.length === count, `${count} events`);
      const payoutWallet = Keypair.generate().publicKey.toBase58();
      const { key } = await issueKey({ database: owner, now: Date.now }, { partner: 'Acme', payoutWallet });
      const partner = new PartnerClient({ ...service, apiKey: key });
      const { id, secret } = await partner.addWebhook({ url: `${receiver.url}/own` });
      receiver.secrets.set('/own', secret);
      const event = await partner.testWebhook(id);
      await until(1);
      receiver.secrets.set('/own', await partner.rotateWebhookSecret(id));
      expect(await partner.replayWebhook(id, event)).to.equal(1);
      await until(2);
      await eventually(async () => (await partner.webhooks())[0]!.waiting === 0, 'nothing that waits');
      await partner.removeWebhook(id);
      expect(await partner.webhooks()).to.deep.equal([]);
      const creator = await cluster().fundedWallet();
      const address = (await launch(cluster(), {}, creator)).mint.toBase58();
      const token = `/v1/market/tokens/${address}`;
      await eventually(async () => (await client().api.get(token)).status === 200, 'the token in the index');
      const slot = await cluster().connection.getSlot('confirmed');
      const terms = { mint: address, slot, share: { kind: 'traders' } } as const;
      await chooseFeeShare(keypairWallet(creator), terms, service);
      const chosen = async () => (await client().api.get(token)).body['feeShare'] as { kind: string };
      await eventually(async () => (await chosen()).kind === 'traders', 'the choice');
      await buyTokens(cluster(), { mint: new PublicKey(address) } as Token, creator, SOL);
      const volume = async () => {
        const { out } = await runCommand(['token', 'show', address, '--json'], {}, lent(owner));
        return (JSON.parse(out) as { volume: { credited: string } }).volume.credited;
      };
      await whileFinalizing(cluster(), () =>
        eventually(async () => (await volume()) === '3000000', 'the share of 30 % of the fee'),
      );
    });

    it('has its metrics and its checks at the port of the operator', async () => {
      expect(await operators('/metrics')).to.contain('curvekit_claims_initiated_total{asset="SOL"} 1');
      expect(await operators('/ready')).to.match(/^{"status":"ready",.*"payments"/);
    });

    it('signs no claim that another process has built', async () => {
      const wallet = await rewarded();
      const order = {
        wallet: wallet.publicKey,
        mint: cluster().payer.publicKey,
        asset: 'SOL',
        amount: 1_000_000n,
        burn: false,
      } as const;
      const { blockhash } = await cluster().connection.getLatestBlockhash();
      const asked = claimTransaction(treasurySigner(), order, {
        blockhash,
        networkFee: 10_000n,
        walletHasAccount: true,
      });
      const error = await rejection(asked, SignerError);
      expect(error.failure).to.equal('refused');
      expect(error.message).to.contain('stores and pays claims itself');
    });

    it('answers no request that names another key, wallet or amount', async () => {
      const wallet = (await rewarded()).publicKey.toBase58();
      const whole = { wallet, mint, asset: 'SOL', burn: false };
      for (const request of [
        { ...whole, amount: '5' },
        { ...whole, wallet: 'me' },
        { ...whole, asset: 'sol' },
        { ...whole, burn: 'no' },
        {},
      ]) {
        const error = await rejection(treasurySigner().claim!(request), SignerError);
        expect([error.failure, error.message.includes('no request for a claim')]).to.deep.equal([
          'refused',
          true,
        ]);
      }
    });

    it('counts what it stores against the limit of a day, and no claim that it refuses', async () => {
      const large = await rewarded(4n * SOL);
      for (let count = 0; count < 3; count += 1)
        expect((await initiate(client(), large, { claimType: 'SOL' })).text).to.contain(
          'Nothing can be paid',
        );
      const refusal = /4 SOL more than the 3 SOL of --sol-per-day/;
      await eventually(() => refusal.test(signer.logged()), 'the refusal in the log');
      transactionOf(await initiate(client(), await rewarded(2n * SOL), { claimType: 'SOL' }));
      expect((await initiate(client(), await rewarded(SOL), { claimType: 'SOL' })).status).to.equal(503);
    });

    it('gives back to the limit what never landed, and shows the refusals of the limit everywhere', async () => {
      const signed = async () =>
        Number(/^curvekit_signer_day_signed_lamports (\d+)$/m.exec(await operators('/metrics'))?.[1]);
      expect(await operators('/metrics')).to.match(/^curvekit_signer_day_refusals_total [1-9]/m);
      const named = 'of --sol-per-day would leave';
      await eventually(
        async () => (await operators('/ready')).includes(named),
        'the limit in /ready',
        30_000,
      );
      const error = await rejection(treasurySigner().check(), SignerError);
      expect([error.failure, error.message.includes('--sol-per-day')]).to.deep.equal(['refused', true]);
      expect(await signed()).to.be.greaterThan(Number(2n * SOL));
      const { lastValidBlockHeight } = await cluster().connection.getLatestBlockhash();
      await outliveBlockhash(cluster(), lastValidBlockHeight);
      await whileFinalizing(cluster(), () =>
        eventually(async () => (await signed()) === Number(SOL / 10n), 'the limit', 60_000),
      );
      expect((await initiate(client(), await rewarded(2n * SOL), { claimType: 'SOL' })).status).to.equal(200);
    });

    it('is killed and started again: nothing is paid meanwhile, and nothing twice', async () => {
      const wallet = await rewarded();
      await signer.end('SIGKILL');
      expect((await initiate(client(), wallet, { claimType: 'SOL' })).status).to.equal(503);
      await startSigner();
      transactionOf(await initiate(client(), wallet, { claimType: 'SOL' }));
      expect((await initiate(client(), wallet, { claimType: 'SOL' })).status).to.equal(409);
      expect(await ledgerProblems(owner)).to.deep.equal([]);
    });
  });
