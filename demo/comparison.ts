// Rebuilds a token's history from its log records alone, and compares it with the chain.
import {
  AMM,
  curveAddress,
  CurveStatus,
  decodeRecords,
  expectedAccount,
  fetchTokenOwnerData,
  poolAddress,
  rebuildHistories,
  TOKEN_OWNER_DATA_SIZE,
  TOKEN_SUPPLY,
  type CurveHistory,
  type CurveRecord,
} from '@curvekit/sdk';
import type { LocalCluster } from '@curvekit/testing';
import { PublicKey, type VersionedTransactionResponse } from '@solana/web3.js';
import { tokenBalance } from './balances.js';
import { MintLayout, NATIVE_MINT } from '@solana/spl-token';
import { lamportsGained, tokensGained } from './effects.js';
import { shortened } from './format.js';
import { DemoError } from './step.js';
import { transactionsOf } from './transactions.js';

/** One value according to the records and to the chain. */
export interface Check {
  readonly what: string;
  readonly fromRecords: bigint;
  readonly onChain: bigint;
}

/** A token's history, and its comparison with the chain. */
export interface Comparison {
  readonly mint: PublicKey;
  readonly records: number;
  readonly history: CurveHistory;
  readonly checks: readonly Check[];
  /** Whether all values of the records and the chain are equal. */
  readonly equal: boolean;
}

interface TransactionWithRecords {
  readonly transaction: VersionedTransactionResponse;
  readonly records: readonly CurveRecord[];
}

/**
 * Rebuilds the history of a token and compares it with the chain: the curve's account, the lamports and tokens it
 * holds, every trader's tokens, and the income of the fee receiver.
 *
 * @param lastSignature a transaction that the listing must contain: clusters list transactions with a delay
 * @param names names of the traders, by address
 * @throws RecordGapError when the records do not follow from each other
 */
export async function compareWithChain(
  cluster: LocalCluster,
  mint: PublicKey,
  lastSignature: string,
  names: ReadonlyMap<string, string> = new Map(),
): Promise<Comparison> {
  const transactions = await transactionsOf(
    cluster.connection,
    curveAddress(mint, cluster.deployment).address,
    lastSignature,
  );
  const withRecords = transactions.map((transaction) => ({
    transaction,
    records: decodeRecords(transaction, { deployment: cluster.deployment }),
  }));
  const records = withRecords.flatMap((each) => each.records);
  const history = rebuildHistories(records).get(mint.toBase58());
  if (history === undefined) throw new DemoError(`the log holds no record of ${mint.toBase58()}`);
  const checks = [
    ...(await curveChecks(cluster, mint, history)),
    ...(await holderChecks(cluster, mint, records, names)),
    ...incomeChecks(cluster, history, withRecords),
    ...(await poolChecks(cluster, mint, history, withRecords)),
  ];
  const equal = checks.every(({ fromRecords, onChain }) => fromRecords === onChain);
  return { mint, records: records.length, history, checks, equal };
}

/** The account's fields, the lamports above its rent, and the vault. */
async function curveChecks(cluster: LocalCluster, mint: PublicKey, history: CurveHistory): Promise<Check[]> {
  const { connection, deployment } = cluster;
  const { address } = curveAddress(mint, deployment);
  const account = await fetchTokenOwnerData(connection, mint, { deployment });
  if (account === null) throw new DemoError(`${mint.toBase58()} has no curve on chain`);
  const rent = await connection.getMinimumBalanceForRentExemption(TOKEN_OWNER_DATA_SIZE);
  const lamports = (await connection.getBalance(address)) - rent;

  const expected = expectedAccount(history);
  const isMigrated = history.status === CurveStatus.Migrated;
  const { created, tokensBought, tokensSold } = history;
  return [
    check('status', expected.initialized, account.initialized),
    check('virtual SOL reserve, lamports', expected.virtualSol, account.virtualSol),
    check('virtual token reserve, units', expected.virtualToken, account.virtualToken),
    check('fee after migration, basis points', expected.afterMigrationFee, account.afterMigrationFee),
    check('burned share, basis points', expected.afterMigrationBurnBp, account.afterMigrationBurnBp),
    check(
      'SOL in the curve above rent, lamports',
      isMigrated ? 0n : history.virtualSol - created.virtualSol,
      lamports,
    ),
    check(
      'tokens in the vault, units',
      isMigrated ? 0n : TOKEN_SUPPLY - tokensBought + tokensSold,
      await tokenBalance(connection, address, mint),
    ),
  ];
}

/** The tokens of every trader, and of the fee receiver after the migration. */
async function holderChecks(
  { connection, deployment }: LocalCluster,
  mint: PublicKey,
  records: readonly CurveRecord[],
  names: ReadonlyMap<string, string>,
): Promise<Check[]> {
  const balances = new Map<string, bigint>();
  const add = (owner: PublicKey, units: bigint) =>
    balances.set(owner.toBase58(), (balances.get(owner.toBase58()) ?? 0n) + units);
  for (const { kind, data } of records) {
    if (kind === 'trade') add(data.trader, data.isBuy ? data.tokenAmount : -data.tokenAmount);
    if (kind === 'migrate') add(deployment.feeReceiver, data.tokenAmount);
    if (kind === 'graduate')
      add(deployment.feeReceiver, -(data.poolToken + data.communityToken + data.burnt));
  }
  return Promise.all(
    [...balances].map(async ([owner, units]) =>
      check(
        `tokens of ${names.get(owner) ?? shortened(owner)}, units`,
        units,
        await tokenBalance(connection, new PublicKey(owner), mint),
      ),
    ),
  );
}

/** The lamports that the fee receiver got: fees from trades, and the rest from the migration. */
function incomeChecks(
  { deployment }: LocalCluster,
  { fees, migrated, graduated }: CurveHistory,
  transactions: readonly TransactionWithRecords[],
): Check[] {
  const gained = (fromMigration: boolean) =>
    transactions
      .filter(({ records }) => fromMigration === records.some(({ kind }) => kind === 'migrate'))
      .reduce((sum, { transaction }) => sum + lamportsGained(transaction, deployment.feeReceiver), 0n);
  return [
    check('platform fees received, lamports', fees, gained(false)),
    ...(migrated === undefined || graduated !== undefined
      ? []
      : [check('migrated, lamports', migrated.solAmount, gained(true))]),
  ];
}

/** The amounts that a graduation put into the pool and the storages, and the burnt tokens. */
async function poolChecks(
  { connection, deployment }: LocalCluster,
  mint: PublicKey,
  { graduated, migrated }: CurveHistory,
  transactions: readonly TransactionWithRecords[],
): Promise<Check[]> {
  if (graduated === undefined || migrated === undefined) return [];
  const graduation = transactions.find(({ records }) => records.some(({ kind }) => kind === 'graduate'));
  const { authority, liquidityMint } = AMM.addresses(poolAddress(mint, deployment).address, mint);
  const gained = (owner: PublicKey, of: PublicKey) => tokensGained(graduation!.transaction, owner, of);
  const { poolSol, poolToken, communitySol, communityToken, burnt, costs } = graduated;
  const supplyOf = async (key: PublicKey) =>
    MintLayout.decode((await connection.getAccountInfo(key))!.data).supply;
  return [
    check('migrated, lamports', migrated.solAmount, poolSol + communitySol + costs),
    check('SOL that opened the pool, lamports', poolSol, gained(authority, NATIVE_MINT)),
    check('tokens that opened the pool, units', poolToken, gained(authority, mint)),
    check('SOL for the community, lamports', communitySol, gained(deployment.dexOwner, NATIVE_MINT)),
    check('tokens for the community, units', communityToken, gained(deployment.dexOwner, mint)),
    check('supply of the token, units', TOKEN_SUPPLY - burnt, await supplyOf(mint)),
    check('liquidity that anybody can withdraw, units', 0n, await supplyOf(liquidityMint)),
  ];
}

function check(what: string, fromRecords: bigint | number, onChain: bigint | number): Check {
  return { what, fromRecords: BigInt(fromRecords), onChain: BigInt(onChain) };
}
