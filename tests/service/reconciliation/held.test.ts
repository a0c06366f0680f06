// A payment on chain without an entry in the tables: the service pays nothing more until the operator has checked it. threat: payment-without-debt
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { sql } from 'drizzle-orm';
import bs58 from 'bs58';
import { claimTransaction } from '#app/claims/transaction.js';
import { insertRecoveredSettlement } from '#tests/database/open-settlement.js';
import { requirePaymentsOpen, PaymentsHeldError } from '#app/ledger/gate/payments-gate.js';
import { runCommand, lent } from '#tests/service/cli.js';
import { walletBalances } from '#app/ledger/balances.js';
import { localSigner } from '#app/keys/local-signer.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { rejection } from '#tests/mocha/failures.js';
import { initiate, ledgerProblems, reward, useRewardsScene } from '#tests/service/rewards.js';
import { eventually } from '#tests/service/service.js';
import { clusterEnvironment, keyVariable, whileFinalizing } from '#tests/service/service-context.js';

const PAID = 5_000_000n;
const OWED = 2_000_000n;
const FEE = 10_000n;

interface Shown {
  readonly held: string | null;
  readonly lacking: readonly string[];
  readonly refused: readonly string[];
  readonly queued: readonly object[];
}

describe('a payment on chain that the tables do not owe', function () {
  this.timeout(180_000);
  const cluster = useCluster();
  const scene = useRewardsScene(cluster);
  let wallet: Keypair;
  let signature: string;

  before(async () => (wallet = await cluster().fundedWallet()));

  async function said(): Promise<{ status: number; payments: string }> {
    const answer = await fetch(`${scene.service.url}/ready`);
    const { checks } = (await answer.json()) as { checks: Record<string, string> };
    return { status: answer.status, payments: checks['payments']! };
  }
  const until = (payments: RegExp) =>
    whileFinalizing(cluster(), () =>
      eventually(async () => payments.test((await said()).payments), String(payments), 60_000),
    );
  async function metric(): Promise<string | undefined> {
    const text = await (await fetch(`${scene.service.url}/metrics`)).text();
    return /^curvekit_payments_held (.+)$/m.exec(text)?.[1];
  }
  async function command(...args: string[]): Promise<{ exitCode: number; shown: Shown }> {
    const environment = {
      ...clusterEnvironment(cluster()),
      PROGRAM_ID: cluster().programId.toBase58(),
      TREASURY_KEYPAIR: keyVariable(scene.treasury),
    };
    const command = ['ledger', 'reconcile', ...args, '--json'];
    const { exitCode, out, err } = await runCommand(command, environment, lent(scene.database));
    return { exitCode, shown: JSON.parse(err + out) as Shown };
  }

  it('payments are open without such a payment', async () => {
    await until(/^ok$/);
    expect(await metric()).to.equal('0');
    expect((await command()).exitCode).to.equal(0);
  });

  it('holds all payments, and /ready, the metric and the command report the reason', async () => {
    await reward(scene.database, wallet.publicKey, scene.mint, 'SOL', OWED);
    const transaction = await claimTransaction(
      localSigner(scene.treasury),
      { wallet: wallet.publicKey, mint: scene.token.mint, asset: 'SOL', amount: PAID, burn: false },
      {
        blockhash: (await cluster().connection.getLatestBlockhash()).blockhash,
        networkFee: FEE,
        walletHasAccount: true,
      },
    );
    transaction.sign([wallet]);
    await cluster().sendSigned(transaction);
    signature = bs58.encode(transaction.signatures[0]!);
    await until(new RegExp(`^warning: claim ${signature} paid .* 3000000 more than the tables owe`));
    expect((await said()).status).to.equal(200);
    expect(await metric()).to.equal('1');
    const error = await rejection(requirePaymentsOpen(scene.database.queries), PaymentsHeldError);
    expect(error.message).to.contain('ledger reconcile --repair');
    const { exitCode, shown } = await command();
    expect(exitCode).to.equal(1);
    expect(shown.refused.join()).to.contain(signature);
    // The service has booked nothing for this payment.
    const [balances] = await walletBalances(scene.database.queries, wallet.publicKey.toBase58());
    expect(balances).to.include({ unclaimedSol: OWED, allTimeSol: OWED });
  });

  it('is booked by --repair as the operator’s loss, and payments continue', async () => {
    const { exitCode, shown } = await command('--repair');
    expect(exitCode, JSON.stringify(shown)).to.equal(0);
    expect(JSON.stringify(shown)).to.contain(
      '3000000 lamports are a loss: fund the treasury with the same amount',
    );
    await until(/^ok$/);
    expect(await metric()).to.equal('0');
    const [balances] = await walletBalances(scene.database.queries, wallet.publicKey.toBase58());
    expect(balances).to.include({ unclaimedSol: 0n, allTimeSol: PAID });
    expect(await ledgerProblems(scene.database)).to.deep.equal([]);
    expect((await initiate(scene, wallet, { claimType: 'SOL' })).status).to.equal(400);
    expect((await command()).exitCode).to.equal(0);
  });

  it('a recovered settlement is listed by both commands until its holders are credited, and holds nothing', async () => {
    // The index does not have this token, so the service leaves the settlement in the queue.
    const mint = Keypair.generate().publicKey.toBase58();
    const { queries } = scene.database;
    const left = { sol: 30n, token: 7n };
    const settlement = await insertRecoveredSettlement(queries, mint, { sol: 50n, token: 7n }, left);
    for (const args of [[], ['--repair']]) {
      const { exitCode, shown } = await command(...args);
      expect(exitCode).to.equal(0);
      expect(shown.queued).to.deep.equal([
        { settlement, mint, signature: 'signature', sol: '30', token: '7' },
      ]);
    }
    await queries.execute(sql`delete from recovered_settlements where settlement_id = ${settlement}`);
    expect((await command()).shown.queued).to.deep.equal([]);
  });
});
