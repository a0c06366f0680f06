// Settlements and migrations whose process is killed with SIGKILL, between steps (tests/chaos kills at random moments). The next
// process finishes the work: nothing is paid, burned or credited twice, and nothing is lost.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createSyncNativeInstruction, createTransferInstruction } from '@solana/spl-token';
import { Keypair, SystemProgram } from '@solana/web3.js';
import { expect } from 'chai';
import { associatedTokenAddress } from '@curvekit/sdk';
import { openDatabase, statement, type Database } from '#app/db/database.js';
import { readConfig } from '#app/config/config.js';
import { checkLedger } from '#app/ledger/check.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { bundled } from '#tests/process/bundled.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';
import { CLUSTER, useKeyHeldCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND, sharedPostgres } from '#tests/database/database.js';
import {
  clusterEnvironment,
  contextFrom,
  finalizeAll,
  indexCreation,
  keyVariable,
  whileFinalizing,
} from '#tests/service/service-context.js';
import {
  buyTokens,
  launch,
  mintAccount,
  tokensOf,
  WHOLE_CURVE_LAMPORTS,
  type Token,
} from '#tests/program/tokens.js';
import { settleOne, migrateToken } from '#tests/service/paying.js';
import { NEVER_ABORTED } from '#tests/constants.js';

const STEPS = ['planned', 'signed', 'paid'];
const TIMEOUT_MS = 900_000;
const CHILD = 'tests/support/service/settle-until-killed.ts';
const GIVEN_SOL = 2_000_003n;
const GIVEN_TOKEN = 5_000_011n;
/** Enough that a blockhash expires. Each journey makes two blocks. */
const JOURNEYS_TO_EXPIRY = 80;

describe('settlement in a process that is killed', function () {
  this.timeout(TIMEOUT_MS);
  const cluster = useKeyHeldCluster();
  const treasury = Keypair.generate();
  const lp = Keypair.generate();
  let environment: Record<string, string>;
  let token: Token;
  let creator: Keypair;
  let start: Awaited<ReturnType<typeof chain>>;
  let given = { sol: 0n, token: 0n };

  before(async () => {
    const database: Record<string, string> =
      DATABASE_KIND === 'postgres'
        ? { DATABASE_URL: await (await sharedPostgres()).createDatabase() }
        : { DATABASE_FOLDER: `${temporaryFolder('settlement')}/database` };
    environment = {
      ...clusterEnvironment(cluster()),
      ...database,
      TREASURY_KEYPAIR: keyVariable(treasury),
      LP_ADDRESS: lp.publicKey.toBase58(),
      SETTLEMENT_INTERVAL_SECONDS: '1',
      SETTLEMENT_MINIMUM_SOL: '1000000',
      SETTLEMENT_MINIMUM_TOKEN: '1000000',
    };
    const wallets = [treasury, lp, cluster().dexOwner, cluster().feeReceiver];
    for (const { publicKey } of wallets) await cluster().fund(publicKey, 10_000_000_000n);
    creator = await cluster().fundedWallet();
    token = await launch(cluster(), {}, creator);
    for (const [index, trader] of (await cluster().fundedWallets(5)).entries())
      await buyTokens(cluster(), token, trader, 100_000_007n * BigInt(index + 1));
    await buyTokens(cluster(), token, cluster().payer, 5_000_000_000n);
    await withDatabase((db) => indexCreation(db, token));
    start = await chain();
  });

  /** Opens the database that the killed process had open. */
  async function withDatabase<T>(use: (database: Database) => Promise<T>): Promise<T> {
    const database = await openDatabase(readConfig(environment).database);
    try {
      await database.migrate();
      return await use(database);
    } finally {
      await database.close();
    }
  }

  async function killedAfter(work: 'settle' | 'migrate', mint: string, step: string): Promise<void> {
    const child = spawn(process.execPath, [await bundled(CHILD), work, mint, step], {
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    await whileFinalizing(cluster(), () => once(child, 'exit'));
    expect(child.signalCode).to.equal('SIGKILL');
  }

  /** Pays into both storages, as any wallet can. */
  async function give(): Promise<void> {
    const { payer } = cluster();
    const wsol = token.communityWsolStorage.address;
    const from = associatedTokenAddress(payer.publicKey, token.mint).address;
    await cluster().send(
      [
        SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: wsol, lamports: GIVEN_SOL }),
        createSyncNativeInstruction(wsol),
        createTransferInstruction(from, token.communityTokenStorage.address, payer.publicKey, GIVEN_TOKEN),
      ],
      [payer],
    );
    given = { sol: given.sol + GIVEN_SOL, token: given.token + GIVEN_TOKEN };
  }

  /** What the recipients, the storages and the supply hold on chain. */
  async function chain(): Promise<Readonly<Record<string, bigint>>> {
    const { connection } = cluster();
    const tokensAt = (wallet: Keypair) =>
      tokensOf(connection, associatedTokenAddress(wallet.publicKey, token.mint).address);
    return {
      sol_holders: await lamportsOf(connection, treasury.publicKey),
      sol_lp: await lamportsOf(connection, lp.publicKey),
      sol_creator: await lamportsOf(connection, creator.publicKey),
      token_holders: await tokensAt(treasury),
      token_lp: await tokensAt(lp),
      token_creator: await tokensAt(creator),
      token_burned: -(await mintAccount(connection, token.mint)).supply,
      sol_stored: await tokensOf(connection, token.communityWsolStorage.address),
      token_stored: await tokensOf(connection, token.communityTokenStorage.address),
    };
  }

  /**
   * Finishes the work of the killed process, and checks that every unit paid in arrived exactly once.
   * @returns the states of the transactions that the newest settlement signed
   */
  function recoverAndCheck(): Promise<string[]> {
    return withDatabase(async (database) => {
      const context = await contextFrom(environment, database);
      for (let run = 0; ; run += 1) {
        const report = await whileFinalizing(cluster(), () =>
          settleOne(context, token.mint.toBase58(), { signal: NEVER_ABORTED }),
        );
        if (report.outcome === 'nothing') break;
        expect(report.outcome, report.problems.join()).to.equal('settled');
        expect(run).to.be.lessThan(3);
      }
      expect(await checkLedger(database.queries, { whole: true })).to.deep.equal([]);
      const [booked] = await statement<Record<string, string>>(database.queries)`
        select sum(sol)::text as sol, sum(sol_holders)::text as sol_holders, sum(sol_lp)::text as sol_lp,
        sum(sol_creator)::text as sol_creator, sum(token)::text as token, sum(token_burned)::text as token_burned,
        sum(token_holders)::text as token_holders, sum(token_lp)::text as token_lp,
        sum(token_creator)::text as token_creator from settlements where state = 'done'`;
      const [credited] = await statement<Record<string, string>>(database.queries)`
        select coalesce(sum(balance) filter (where asset = 'SOL'), 0)::text as sol_holders,
        coalesce(sum(balance) filter (where asset = 'TOKEN'), 0)::text as token_holders
        from ledger_accounts where kind = 'claimable'`;
      const now = await chain();
      const gained = Object.entries(now).map(([name, held]) => [name, String(held - start[name]!)]);
      const { sol, token: units, ...parts } = booked!;
      expect({ sol, units }).to.deep.equal({ sol: String(given.sol), units: String(given.token) });
      expect(Object.fromEntries(gained)).to.deep.equal({ ...parts, sol_stored: '0', token_stored: '0' });
      expect(parts).to.deep.include(credited);
      return transactionStates(database);
    });
  }

  /** States of the transactions that the newest settlement signed, oldest first. */
  async function transactionStates({ queries }: Database): Promise<string[]> {
    const rows = await statement<{ state: string }>(queries)`
      select state from authority_transactions where subject = (
      select 'settlement:' || max(id) from settlements where state = 'done') order by created_at`;
    return rows.map(({ state }) => state);
  }

  const KILLS: readonly (readonly [step: string, pause: string, transactions: readonly string[]])[] = [
    // The next process sends the transaction that was already signed. It signs no second one.
    ...STEPS.map((step) => [step, '', ['finalized']] as const),
    // Only time travel makes a wait of a minute short.
    ...(CLUSTER === 'surfpool'
      ? ([
          ['signed', ', until its transaction has expired', ['expired', 'finalized']],
          ['sent', ', until its transaction would have expired', ['finalized']],
        ] as const)
      : []),
  ];
  for (const [step, pause, transactions] of KILLS)
    it(`recovers after a kill at the step "${step}"${pause}`, async () => {
      await give();
      await killedAfter('settle', token.mint.toBase58(), step);
      if (pause !== '')
        for (let journey = 0; journey < JOURNEYS_TO_EXPIRY; journey += 1) await finalizeAll(cluster());
      expect(await recoverAndCheck()).to.deep.equal(transactions);
    });

  for (const step of ['signed', 'finalized'])
    it(`finishes a migration after a kill at the step "${step}", and contributes once`, async () => {
      const graduated = await launch(cluster(), { afterMigrationFee: 200 });
      await buyTokens(cluster(), graduated, cluster().payer, WHOLE_CURVE_LAMPORTS);
      const mint = graduated.mint;
      await killedAfter('migrate', mint.toBase58(), step);
      await withDatabase(async (database) => {
        const context = await contextFrom(environment, database);
        const report = await whileFinalizing(cluster(), () =>
          migrateToken(context, mint, { signal: NEVER_ABORTED }),
        );
        expect(report.contributed).to.deep.equal({
          sol: (report.moved.sol * 200n) / 10_000n,
          token: (report.moved.token * 200n) / 10_000n,
        });
        const stored = {
          sol: await tokensOf(cluster().connection, graduated.communityWsolStorage.address),
          token: await tokensOf(cluster().connection, graduated.communityTokenStorage.address),
        };
        expect(stored).to.deep.equal(report.contributed);
      });
    });
});
