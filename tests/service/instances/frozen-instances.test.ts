// Instances that their host freezes: their connections stay open, and the other instances are not notified. Needs a database
// that the instances share: PostgreSQL. threat: frozen-instance, frozen-leader
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { openDatabase, statement, type Database } from '#app/db/database.js';
import { credit } from '#app/ledger/credit.js';
import { LEADER } from '#app/db/leadership.js';
import { claims } from '#app/db/schema/index.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { claimSol } from '#tests/service/claiming.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND, sharedPostgres } from '#tests/database/database.js';
import {
  expireBlockhashes,
  ledgerProblems,
  rewardsEnvironment,
  signed,
  untilClaimsEnd,
} from '#tests/service/rewards.js';
import { eventually, finalize } from '#tests/service/service.js';
import { startServiceProcess, type ServiceProcess } from '#tests/service/service-process.js';

const REWARD = 10_000_000n;
const MINT = 'So11111111111111111111111111111111111111112';
/** Another instance must lead within this time. */
const REPLACED_WITHIN_MS = 15_000;
/** Longest time of a request to an instance while another one is frozen. */
const ANSWERED_WITHIN_MS = 3_000;

const CLAIMS = Number(process.env['FROZEN_CLAIMS'] ?? 300);
const SIGNALS = 8;
const PARALLEL = 50;
const LONGEST_FREEZE_MS = 4_000;

if (DATABASE_KIND === 'postgres')
  describe('frozen instances', function () {
    this.timeout(600_000);
    const cluster = useCluster();
    let database: Database;
    let environment: Record<string, string>;
    let instances: ServiceProcess[];

    beforeEach(async () => {
      const url = await (await sharedPostgres()).createDatabase();
      database = await openDatabase({ kind: 'postgres', url, poolSize: 5 });
      await database.migrate();
      const treasury = await cluster().fundedWallet(1_000_000_000_000n);
      environment = { ...rewardsEnvironment(treasury), DATABASE_URL: url, INDEXER: 'off' };
      // Started one after the other, so that the first one leads.
      instances = [await start(), await start()];
    });
    afterEach(async () => {
      for (const instance of instances) instance.thaw();
      await Promise.all(instances.map((instance) => instance.kill()));
      await database.close();
    });

    const start = () => startServiceProcess(cluster(), environment);
    const leader = async () =>
      (
        await statement<{ holder: string }>(
          database.queries,
        )`select holder from leases where name = ${LEADER}`
      )[0]?.holder;

    async function rewarded(count: number): Promise<Keypair[]> {
      const wallets = Array.from({ length: count }, () => Keypair.generate());
      const credits = wallets.map(({ publicKey }) => ({ wallet: publicKey.toBase58(), amount: REWARD }));
      await database.transaction((tx) =>
        credit(tx, 'settlement', { key: `test of ${credits[0]!.wallet}`, mint: MINT, asset: 'SOL', credits }),
      );
      return wallets;
    }

    it('do not delay claims at other instances, and are replaced if they lead', async () => {
      const [frozen, other] = instances as [ServiceProcess, ServiceProcess];
      const former = await leader();
      expect(former).not.to.equal(undefined);
      const [caught, wallets] = [await rewarded(40), await rewarded(30)];
      const lost = caught.map((wallet) => claimSol(frozen, wallet, MINT, AbortSignal.timeout(60_000)));
      await sleep(100);
      frozen.freeze();
      const frozenAt = performance.now();

      for (const wallet of wallets) {
        const [read, claimed] = await Promise.all([
          timed(async () => {
            const path = `${other.url}/rewards/${wallet.publicKey.toBase58()}`;
            return (await fetch(path, { headers: signed(wallet) })).status;
          }),
          timed(() => claimSol(other, wallet, MINT)),
        ]);
        expect(read.value, 'read').to.equal(200);
        expect(claimed.value, 'claimed').to.be.instanceOf(VersionedTransaction);
        expect(Math.max(read.ms, claimed.ms), 'answered within').to.be.below(ANSWERED_WITHIN_MS);
      }
      // Wallets whose claims the frozen instance was processing can still claim, unless it has stored their claim.
      const again = await Promise.all(caught.map((wallet) => timed(() => claimSol(other, wallet, MINT))));
      for (const { ms } of again) expect(ms).to.be.below(ANSWERED_WITHIN_MS);

      await eventually(async () => (await leader()) !== former, 'another leader', REPLACED_WITHIN_MS);
      expect(performance.now() - frozenAt).to.be.below(REPLACED_WITHIN_MS);
      const successor = await leader();
      frozen.thaw();
      await Promise.all(lost);
      await sleep(3_000);
      expect(await leader(), 'the one that was frozen leads no more').to.equal(successor);
      expect(await ledgerProblems(database)).to.deep.equal([]);
    });

    it(`survive ${SIGNALS} freezes and kills: none of ${CLAIMS} concurrent claims is paid twice or lost`, async () => {
      const wallets = await rewarded(CLAIMS);
      const handedOut = new Map<string, VersionedTransaction[]>();
      let over = false;
      let next = 0;
      const worker = async (): Promise<void> => {
        for (let index = next++; index < wallets.length; index = next++) {
          const wallet = wallets[index]!;
          const answers = await Promise.all(
            instances.map((instance) => claimSol(instance, wallet, MINT, AbortSignal.timeout(10_000))),
          );
          const got = answers.filter((answer) => answer !== undefined);
          handedOut.set(wallet.publicKey.toBase58(), got);
          for (const transaction of got) await submit(transaction);
        }
      };
      const disturb = async (): Promise<number> => {
        let signals = 0;
        for (; signals < SIGNALS && !over; signals += 1) {
          const index = signals % instances.length;
          const instance = instances[index]!;
          if (signals % 4 < 2) {
            expect(await instance.kill(), 'it ended by itself').to.equal(true);
            instances[index] = await start();
          } else {
            instance.freeze();
            await sleep(Math.random() * LONGEST_FREEZE_MS);
            instance.thaw();
          }
        }
        return signals;
      };
      const disturbing = disturb();
      await Promise.all(Array.from({ length: PARALLEL }, worker));
      // Waits for every signal, even after the last claim: the claims in progress must survive the rest.
      expect(await disturbing).to.equal(SIGNALS);
      over = true;

      await finalize(cluster());
      await expireBlockhashes(cluster());
      await untilClaimsEnd(database, 120_000);
      expect(await ledgerProblems(database)).to.deep.equal([]);
      const all = await database.queries.select().from(claims);
      let paidWallets = 0;
      for (const { publicKey } of wallets) {
        const address = publicKey.toBase58();
        const paid = all.filter(({ wallet, state }) => wallet === address && state === 'COMPLETED');
        expect(paid.length, 'claims paid').to.be.at.most(1);
        const amount = paid.reduce((sum, { amount, networkFee }) => sum + amount - networkFee, 0n);
        expect(await lamportsOf(cluster().connection, publicKey), 'on chain').to.equal(amount);
        expect(handedOut.get(address)!.length, 'transactions handed out').to.be.at.most(1);
        paidWallets += paid.length;
      }
      expect(paidWallets, 'wallets paid').to.be.greaterThan(CLAIMS / 4);
    });

    async function submit(transaction: VersionedTransaction): Promise<void> {
      await cluster().connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true });
    }
  });

/** Measures how long `work` takes. */
async function timed<T>(work: () => Promise<T>): Promise<{ readonly value: T; readonly ms: number }> {
  const began = performance.now();
  const value = await work();
  return { value, ms: performance.now() - began };
}
