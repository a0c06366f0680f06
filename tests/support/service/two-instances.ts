// The setup of two instances: an operator's database and processes, an RPC provider, and holders with a
// settlement.
import { createTransferInstruction } from '@solana/spl-token';
import { Keypair, type VersionedTransaction } from '@solana/web3.js';
import { expect } from 'chai';
import bs58 from 'bs58';
import { sql } from 'drizzle-orm';
import { associatedTokenAddress, createTokenAccountIfMissing } from '@curvekit/sdk';
import { openDatabase, rowsOf, type Database } from '#app/db/database.js';
import { LEADER } from '#app/db/leadership.js';
import { walletBalances } from '#app/ledger/balances.js';
import { expectIndexOf, recordsOnChain } from '../cluster/chain-records.js';
import { useCluster } from '../cluster/cluster.js';
import { SOL } from '../constants.js';
import { backedUpDatabase, type BackedUp } from '../database/backups.js';
import { Provider } from '../node/provider.js';
import { startRpcProxy, type RpcProxy } from '../node/rpc-proxy.js';
import { buyTokens, donateSol, launch, type Token } from '../program/tokens.js';
import { claimSol, timed } from './claiming.js';
import { Operator } from './operator.js';
import { rewardsEnvironment, untilClaimsEnd } from './rewards.js';
import { clusterEnvironment, keyVariable, whileFinalizing } from './service-context.js';
import { startServiceProcess, type ServiceProcess } from './service-process.js';
import { eventually, untilIndexed } from './service.js';

/** Paid into the wrapped SOL storage for each settlement. One fifth of it goes to the holders. */
export const DONATION = SOL;
/** Each holder's share of all held tokens, in hundredths, so that settlements divide without a remainder. */
const HUNDREDTHS = [1n, 3n, 5n, 7n, 9n, 11n, 13n, 15n, 17n, 19n];
const HUNDREDTH_OF_TOKENS = 1_000_000_000n;
/** One fifth of a donation, divided by a hundred. */
export const HUNDREDTH_OF_SETTLEMENT = 2_000_000n;
export const CLAIM_FEE = 10_000n;
/** A few seconds, also on a busy machine. */
export const ANSWERED_WITHIN_MS = 3_000;
export const FINALITY_MS = 180_000;
/** As on mainnet, because the reconciliation requests every block since the backup. */
const SLOT_MS = 400;

/** What this number of settlements owes a holder. */
export function owedOf(index: number, settlements: bigint): bigint {
  return settlements * HUNDREDTHS[index]! * HUNDREDTH_OF_SETTLEMENT;
}

/** Sets everything up for the tests of the surrounding `describe`, which run in order. */
export function useNight() {
  const cluster = useCluster({ slotTimeMs: SLOT_MS });
  const provider = new Provider();
  const holders = HUNDREDTHS.map(() => Keypair.generate());
  /** The signatures of every submitted claim, by the index of its holder. */
  const submitted = holders.map(() => new Set<string>());
  let proxy: RpcProxy;
  let backup: BackedUp;
  let database: Database;
  let operator: Operator;
  let environment: Record<string, string>;
  let instances: [ServiceProcess, ServiceProcess];
  let token: Token;
  /** The token that other wallets trade. It is never settled. */
  let traded: Token;
  let stranger: Keypair;
  let stranger2: Keypair;

  before('two instances lead one database, behind a provider; holders are owed a settlement', async () => {
    const [treasury, lp] = (await cluster().fundedWallets(2, 10n * SOL)) as [Keypair, Keypair];
    [stranger, stranger2] = (await cluster().fundedWallets(2, 10n * SOL)) as [Keypair, Keypair];
    for (const { publicKey } of [cluster().dexOwner, cluster().feeReceiver])
      await cluster().fund(publicKey, 10n * SOL);
    provider.giveVersion(stranger.publicKey, 1);
    provider.giveVersion(stranger2.publicKey, 2);
    provider.setNewestVersion(1);
    proxy = await startRpcProxy(cluster().rpcUrl, { batches: true });
    proxy.rewrite(provider.rewrite);

    backup = await backedUpDatabase();
    environment = {
      ...clusterEnvironment(cluster()),
      ...rewardsEnvironment(treasury),
      ...backup.environment,
      RPC_URL: proxy.url,
      LP_ADDRESS: lp.publicKey.toBase58(),
      EXCLUDED_HOLDERS: cluster().payer.publicKey.toBase58(),
      SETTLEMENT_INTERVAL_SECONDS: '2',
      INDEXER_POLL_MS: '200',
      TREASURY_KEYPAIR: keyVariable(treasury),
    };
    operator = await Operator.create({ environment });
    await operator.command('migrate-db');
    await open();
    [token, traded] = [await launch(cluster()), await launch(cluster())];
    await buyTokens(cluster(), token, cluster().payer, 5n * SOL);
    await giveTokens();
    await donateSol(cluster(), token, DONATION);
    await startBoth();
  });
  after(async () => {
    for (const instance of instances ?? []) instance.thaw();
    await Promise.all((instances ?? []).map(({ killAfter }) => killAfter(0)));
    await database?.close();
    await operator?.remove();
    await backup?.remove();
    await proxy?.stop();
  });

  const open = async () => {
    const url = backup.environment['DATABASE_URL']!;
    database = await openDatabase({ kind: 'postgres', url, poolSize: 3 });
  };
  const start = () => startServiceProcess({ rpcUrl: proxy.url, wsUrl: cluster().wsUrl }, environment);
  /** Starts one after the other, so that the first one leads. */
  async function startBoth(): Promise<void> {
    instances = [await start(), await start()];
  }

  async function giveTokens(): Promise<void> {
    const { payer } = cluster();
    const source = associatedTokenAddress(payer.publicKey, token.mint).address;
    const gifts = holders.map(({ publicKey }, index) => [
      createTokenAccountIfMissing(payer.publicKey, publicKey, token.mint),
      createTransferInstruction(
        source,
        associatedTokenAddress(publicKey, token.mint).address,
        payer.publicKey,
        HUNDREDTHS[index]! * HUNDREDTH_OF_TOKENS,
      ),
    ]);
    for (let first = 0; first < gifts.length; first += 4)
      await cluster().send(gifts.slice(first, first + 4).flat(), [payer]);
  }

  const leader = async () => {
    const rows = await rowsOf<{ holder: string }>(
      database.queries,
      sql`select holder from leases where name = ${LEADER}`,
    );
    return rows[0]?.holder;
  };
  const nameOf = (instance: ServiceProcess) => instance.logged()[0]!.instance;

  async function check(instance: ServiceProcess, name: string): Promise<string> {
    const answer = await fetch(`${instance.url}/ready`);
    const { checks } = (await answer.json()) as { checks: Record<string, string> };
    return `${answer.status} ${checks[name]}`;
  }
  async function metric(instance: ServiceProcess, name: string): Promise<string | undefined> {
    const text = await (await fetch(`${instance.url}/metrics`)).text();
    return new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1];
  }
  const logged = (msg: string) =>
    instances.flatMap((instance) => instance.logged()).filter((line) => line.msg.startsWith(msg));

  /** Expects the index to equal the chain, with everything finalized if requested. */
  async function expectExactIndex({ finalized }: { readonly finalized: boolean }): Promise<void> {
    const expected = await recordsOnChain(cluster());
    const wait = () =>
      untilIndexed(
        { database },
        { records: expected.length, finalized: finalized ? expected.length : 0 },
        FINALITY_MS,
      );
    await (finalized ? whileFinalizing(cluster(), wait) : wait());
    await expectIndexOf(database.queries, expected, { finalized });
  }

  async function owedInAll({ publicKey }: Keypair): Promise<bigint> {
    const [balances] = await walletBalances(database.queries, publicKey.toBase58());
    return balances?.allTimeSol ?? 0n;
  }
  async function unclaimed({ publicKey }: Keypair): Promise<bigint> {
    const [balances] = await walletBalances(database.queries, publicKey.toBase58());
    return balances?.unclaimedSol ?? 0n;
  }
  /** Waits until every holder is credited its exact share of this number of settlements. */
  const untilSettled = (settlements: bigint) => {
    let owed: bigint[] = [];
    return whileFinalizing(cluster(), () =>
      eventually(
        async () => {
          owed = await Promise.all(holders.map(owedInAll));
          return owed.every((amount, index) => amount === owedOf(index, settlements));
        },
        () => `the credits of ${settlements} settlements: ${owed.join(', ')} lamports are credited`,
        FINALITY_MS,
      ),
    );
  };

  /** @returns the transaction of a claim of everything that a holder is owed, not submitted */
  async function handOut(instance: ServiceProcess, index: number): Promise<VersionedTransaction> {
    const { value, ms } = await timed(() => claimSol(instance, holders[index]!, token.mint.toBase58()));
    expect(value, `claim of holder ${index}`).not.to.equal(undefined);
    expect(ms, 'claimed within').to.be.below(ANSWERED_WITHIN_MS);
    return value!;
  }
  async function submit(index: number, transaction: VersionedTransaction): Promise<void> {
    await cluster().sendSigned(transaction);
    submitted[index]!.add(bs58.encode(transaction.signatures[0]!));
  }
  async function claim(instance: ServiceProcess, index: number): Promise<void> {
    await submit(index, await handOut(instance, index));
  }
  /** Waits until no claim of the holders is in progress. */
  const untilAllEnd = () => whileFinalizing(cluster(), () => untilClaimsEnd(database, FINALITY_MS));

  return {
    ...{ cluster, provider, holders, submitted, open, startBoth, leader, nameOf, check, metric, logged },
    ...{ expectExactIndex, owedInAll, unclaimed, untilSettled, handOut, submit, claim, untilAllEnd },
    get proxy() {
      return proxy;
    },
    get backup() {
      return backup;
    },
    get database() {
      return database;
    },
    get operator() {
      return operator;
    },
    get instances() {
      return instances;
    },
    get token() {
      return token;
    },
    get traded() {
      return traded;
    },
    get stranger() {
      return stranger;
    },
    get stranger2() {
      return stranger2;
    },
  };
}
