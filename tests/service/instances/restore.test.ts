// The restore drill: a backup, then trades, claims and settlements, then a crash and a restore. No payment is made
// twice, no credit is lost, and /ready reports the state meanwhile. On PostgreSQL with the scripts of deploy/, which end with
// `curvekit ledger check`; for PGlite the test copies the folder. threat: restored-backup, claim-before-restore
import { Keypair, SystemProgram, type VersionedTransaction } from '@solana/web3.js';
import { expect } from 'chai';
import bs58 from 'bs58';
import { associatedTokenAddress } from '@curvekit/sdk';
import { statement } from '#app/db/database.js';
import type { Asset } from '#app/ledger/accounts.js';
import { walletBalances } from '#app/ledger/balances.js';
import { type Service } from '#app/service.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { ApiClient, type ApiAnswer } from '#tests/service/api-client.js';
import { backedUpDatabase, type BackedUp } from '#tests/database/backups.js';
import { CLUSTER, useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import {
  initiate,
  ledgerProblems,
  rewardsEnvironment,
  transactionOf,
  untilClaim,
} from '#tests/service/rewards.js';
import { eventually } from '#tests/service/service.js';
import { clusterEnvironment, keyVariable, whileFinalizing } from '#tests/service/service-context.js';
import { startTestService } from '#tests/service/test-service.js';
import { buyTokens, donateSol, launch, tokensOf, transferTokens, type Token } from '#tests/program/tokens.js';
import { settleOne } from '#tests/service/paying.js';
import { NEVER_ABORTED } from '#tests/constants.js';

const TIMEOUT_MS = 600_000;
/** Time for 183 blocks and their finality, on a cluster with real block times. */
const REOPENED_MS = 180_000;
const GIVEN_SOL = 1_000_000_003n;
const GIVEN_TOKEN = 7_000_000_019n;
const CLAIM_FEE = 10_000n;
const PERIOD_MS = 2_000;
/** The service samples the holders of the lost settlement over this interval (60 s by default). */
const INTERVAL_SECONDS = '2';
const CREDITED_MS = 180_000;

describe(`a restored backup, on ${CLUSTER} and ${DATABASE_KIND}`, function () {
  this.timeout(TIMEOUT_MS);
  const cluster = useCluster();
  const lp = Keypair.generate();
  let holders: [Keypair, Keypair, Keypair];
  let treasury: Keypair;
  let token: Token;
  let backup: BackedUp;
  let service: Service;
  let api: ApiClient;

  before(async () => {
    backup = await backedUpDatabase();
    treasury = await cluster().fundedWallet(10_000_000_000n);
    for (const { publicKey } of [lp, cluster().dexOwner, cluster().feeReceiver])
      await cluster().fund(publicKey, 10_000_000_000n);
    await start();
    await readyAfterStart();
    token = await launch(cluster(), {}, await cluster().fundedWallet());
    holders = (await cluster().fundedWallets(3)) as [Keypair, Keypair, Keypair];
    for (const [index, holder] of holders.entries())
      await buyTokens(cluster(), token, holder, 1_000_000_007n * BigInt(index + 1));
    await buyTokens(cluster(), token, cluster().payer, 5_000_000_000n);
    await untilIndexed();
  });
  after(() => service?.stop());

  async function start(settlementIntervalSeconds = '0'): Promise<void> {
    const environment = {
      ...clusterEnvironment(cluster()),
      ...rewardsEnvironment(treasury),
      ...backup.environment,
      LP_ADDRESS: lp.publicKey.toBase58(),
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
      EXCLUDED_HOLDERS: cluster().payer.publicKey.toBase58(),
      SETTLEMENT_MINIMUM_SOL: '1000000',
      SETTLEMENT_MINIMUM_TOKEN: '1000000',
      TREASURY_KEYPAIR: keyVariable(treasury),
      SETTLEMENT_INTERVAL_SECONDS: settlementIntervalSeconds,
    };
    service = await startTestService(cluster(), environment, { reconcilerIntervalMs: 50 });
    api = new ApiClient(service.url, service.document);
  }

  async function payments(): Promise<string> {
    const answer = await fetch(`${service.url}/ready`);
    return ((await answer.json()) as { checks: Record<string, string> }).checks['payments']!;
  }

  /** @returns the states of `payments` in /ready until it was ok */
  async function readyAfterStart(): Promise<string[]> {
    const said: string[] = [];
    await whileFinalizing(cluster(), () =>
      eventually(
        async () => {
          const says = await payments();
          if (says !== said.at(-1)) said.push(says);
          return says === 'ok';
        },
        'payments to be made again',
        REOPENED_MS,
      ).catch((error: unknown) => {
        throw new Error(`${(error as Error).message}; /ready said:\n${said.join('\n')}`);
      }),
    );
    return said;
  }

  async function untilIndexed(): Promise<void> {
    const { payer } = cluster();
    const transfer = { fromPubkey: payer.publicKey, toPubkey: lp.publicKey, lamports: 1 };
    const { slot } = await cluster().send([SystemProgram.transfer(transfer)], [payer]);
    await whileFinalizing(cluster(), () =>
      eventually(async () => {
        const [row] = await statement<{ scanned: string | null }>(service.context.database.queries)`
          select scanned_slot::text as scanned from indexer_state`;
        return Number(row?.scanned ?? 0) >= slot;
      }, 'the index'),
    );
  }

  /** Pays into both storages and settles them. */
  async function settle(): Promise<void> {
    await donateSol(cluster(), token, GIVEN_SOL);
    await transferTokens(
      cluster(),
      token.mint,
      cluster().payer,
      token.communityTokenStorage.address,
      GIVEN_TOKEN,
    );
    const pay = () =>
      settleOne(service.context, token.mint.toBase58(), { signal: NEVER_ABORTED, periodMs: PERIOD_MS });
    const report = await whileFinalizing(cluster(), async () => {
      let last = await pay();
      // Settlement reads the storages at finalized commitment, which takes a while.
      for (let tries = 0; last.outcome === 'nothing' && tries < 60; tries += 1) {
        await new Promise((resolve) => setTimeout(resolve, 500));
        last = await pay();
      }
      return last;
    });
    expect(report.outcome, report.problems.join()).to.equal('settled');
  }

  const ask = (wallet: Keypair, claimType: Asset): Promise<ApiAnswer> =>
    initiate({ api, mint: token.mint.toBase58() }, wallet, { claimType });

  async function handOut(wallet: Keypair, claimType: Asset): Promise<VersionedTransaction> {
    const transaction = transactionOf(await ask(wallet, claimType));
    transaction.sign([wallet]);
    return transaction;
  }

  async function claim(wallet: Keypair, claimType: Asset): Promise<string> {
    const transaction = await handOut(wallet, claimType);
    await cluster().sendSigned(transaction);
    const signature = bs58.encode(transaction.signatures[0]!);
    await whileFinalizing(cluster(), () => untilClaim(api, signature, 'COMPLETED', 60_000));
    return signature;
  }

  async function sumOf(...kinds: readonly string[]): Promise<Record<Asset, bigint>> {
    const rows = await statement<{ asset: Asset; sum: string }>(service.context.database.queries)`
      select asset, sum(balance)::text as sum from ledger_accounts
      where kind in (select jsonb_array_elements_text(${JSON.stringify(kinds)}::jsonb)) group by asset`;
    const of = (asset: Asset) => BigInt(rows.find((row) => row.asset === asset)?.sum ?? 0);
    return { SOL: of('SOL'), TOKEN: of('TOKEN') };
  }
  /** Negated: what settlements have credited. */
  const credited = () => sumOf('settlement');
  /** What all wallets can claim or have reserved. */
  const claimableOfAll = () => sumOf('claimable', 'reserved');

  async function unclaimed(wallet: Keypair): Promise<{ sol: bigint; token: bigint }> {
    const [row] = await walletBalances(service.context.database.queries, wallet.publicKey.toBase58());
    return { sol: row?.unclaimedSol ?? 0n, token: row?.unclaimedToken ?? 0n };
  }

  it('pays nothing twice and loses no credit', async () => {
    const [first, second, third] = holders;
    await settle();
    await claim(first, 'SOL');

    await service.stop();
    await backup.backUp();
    await start();
    await readyAfterStart();

    // The backup lacks the following: claims of known rewards, a settlement, and claims of that settlement's credits.
    await claim(second, 'SOL');
    await claim(second, 'TOKEN');
    await settle();
    await claim(first, 'SOL');
    await buyTokens(cluster(), token, third, 500_000_000n);
    const creditedBefore = await credited();
    const before = await claimableOfAll();
    const paidBefore = await Promise.all(
      holders.map(({ publicKey }) => lamportsOf(cluster().connection, publicKey)),
    );
    expect(await ledgerProblems(service.context.database)).to.deep.equal([]);

    // A claim that is returned to the wallet after the backup, and submitted after the restore.
    const { token: forgottenAmount } = await unclaimed(third);
    const forgotten = await handOut(third, 'TOKEN');

    await service.stop();
    await backup.restore();
    // On a simulator the gate does not wait for blocks, so the claim lands before the start.
    if (cluster().kind === 'surfpool') await cluster().sendSigned(forgotten);
    await start(INTERVAL_SECONDS);
    if (cluster().kind !== 'surfpool') await cluster().sendSigned(forgotten);
    expect(await payments()).to.match(/^warning: closed until the payments on chain are reconciled/);
    const said = await readyAfterStart();
    expect(said.at(-1)).to.equal('ok');
    await whileFinalizing(cluster(), () =>
      eventually(
        async () => {
          const { SOL, TOKEN } = await credited();
          return SOL === creditedBefore.SOL && TOKEN === creditedBefore.TOKEN;
        },
        'the credits of the lost settlement',
        CREDITED_MS,
      ),
    );
    expect(await ledgerProblems(service.context.database)).to.deep.equal([]);

    // The total owed is unchanged, although the shares of the lost settlement follow new samples.
    expect(await claimableOfAll()).to.deep.equal({ ...before, TOKEN: before.TOKEN - forgottenAmount });
    await untilClaim(api, bs58.encode(forgotten.signatures[0]!), 'COMPLETED');

    for (const [index, wallet] of holders.entries()) {
      const { sol } = await unclaimed(wallet);
      if (sol <= CLAIM_FEE) {
        expect((await ask(wallet, 'SOL')).status).to.equal(400);
        continue;
      }
      await claim(wallet, 'SOL');
      const paid = (await lamportsOf(cluster().connection, wallet.publicKey)) - paidBefore[index]!;
      expect(paid).to.equal(sol - CLAIM_FEE);
    }
    const left = await tokensOf(
      cluster().connection,
      associatedTokenAddress(treasury.publicKey, token.mint).address,
    );
    expect(left, 'tokens in the treasury').to.equal((await claimableOfAll()).TOKEN);
    expect(await ledgerProblems(service.context.database)).to.deep.equal([]);
  });
});
