// A curve on its way to its pool, and the balances before and after.
import { setTimeout as sleep } from 'node:timers/promises';
import { ComputeBudgetProgram, Keypair, type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import {
  AMM,
  decodeRecords,
  decodeTokenOwnerData,
  fetchMarket,
  graduate,
  GRADUATE_COMPUTE_UNITS,
  type GraduateRecord,
  InvalidArgumentError,
  type Market,
  NATIVE_MINT_ADDRESS,
  poolAddress,
  type PoolAddresses,
} from '@curvekit/sdk';
import type { LocalCluster, SentTransaction } from '@curvekit/testing';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { buyTokens, launch, mintAccount, tokensOf, type Terms, type Token } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';

/** More than a whole curve costs with any properties of these tests. */
export const MORE_THAN_A_CURVE = 200n * SOL;

/** Which of the pool's two mints comes first. */
export type MintOrder = 'token first' | 'SOL first';

/** A mint whose address sorts before or after wrapped SOL's. */
export function mintInOrder(order: MintOrder): Keypair {
  for (;;) {
    const mint = Keypair.generate();
    const isFirst = Buffer.compare(mint.publicKey.toBuffer(), NATIVE_MINT_ADDRESS.toBuffer()) < 0;
    if (isFirst === (order === 'token first')) return mint;
  }
}

export interface GraduatingToken extends Token {
  readonly pool: PoolAddresses;
}

/** A token whose curve has sold out but has not graduated. */
export async function launchSoldOut(
  cluster: LocalCluster,
  terms: Partial<Terms> = {},
  mint?: Keypair,
): Promise<GraduatingToken> {
  const token = await launchTrading(cluster, terms, mint);
  await buyTokens(cluster, token, cluster.payer, MORE_THAN_A_CURVE);
  return token;
}

export async function launchTrading(
  cluster: LocalCluster,
  terms: Partial<Terms> = {},
  mint?: Keypair,
): Promise<GraduatingToken> {
  const token = await launch(cluster, terms, cluster.payer, mint);
  const { address } = poolAddress(token.mint, cluster.deployment);
  return { ...token, pool: AMM.addresses(address, token.mint) };
}

export function graduation(
  { deployment }: LocalCluster,
  { mint }: Pick<Token, 'mint'>,
  payer: PublicKey,
): TransactionInstruction[] {
  return [
    ComputeBudgetProgram.setComputeUnitLimit({ units: GRADUATE_COMPUTE_UNITS }),
    ...graduate({ mint, payer, deployment }),
  ];
}

export function sendGraduation(
  cluster: LocalCluster,
  token: Pick<Token, 'mint'>,
  payer: Keypair = cluster.payer,
): Promise<SentTransaction> {
  return cluster.send(graduation(cluster, token, payer.publicKey), [payer]);
}

/** Buys the rest of the curve, graduates it, and waits until its pool accepts trades. */
export async function openPool(cluster: LocalCluster, token: GraduatingToken): Promise<void> {
  await buyTokens(cluster, token, cluster.payer, MORE_THAN_A_CURVE);
  await sendGraduation(cluster, token);
  await untilOpen(cluster, token);
}

export async function marketOf(
  { connection, deployment }: LocalCluster,
  { mint }: Pick<Token, 'mint'>,
): Promise<Market> {
  return (await fetchMarket(connection, mint, { deployment }))!;
}

/** The balances that a graduation changes. In lamports and token base units. */
export interface Holdings {
  readonly curveSol: bigint;
  readonly vaultTokens: bigint;
  readonly poolSol: bigint;
  readonly poolTokens: bigint;
  readonly communitySol: bigint;
  readonly communityTokens: bigint;
  readonly supply: bigint;
  readonly feeReceiver: bigint;
  readonly poolCreator: bigint;
}

export async function holdings(cluster: LocalCluster, token: GraduatingToken): Promise<Holdings> {
  const { connection, deployment } = cluster;
  const { graduation: program } = deployment;
  const [curveSol, feeReceiver, poolCreator] = await Promise.all(
    [token.curve.address, program.feeReceiver.address, program.poolCreator.address].map((address) =>
      lamportsOf(connection, address),
    ),
  );
  const [vaultTokens, poolSol, poolTokens, communitySol, communityTokens] = await Promise.all(
    [
      token.vault.address,
      token.pool.vaults.sol,
      token.pool.vaults.token,
      token.communityWsolStorage.address,
      token.communityTokenStorage.address,
    ].map((address) => tokensOf(connection, address)),
  );
  const { supply } = await mintAccount(connection, token.mint);
  return {
    curveSol: curveSol!,
    feeReceiver: feeReceiver!,
    poolCreator: poolCreator!,
    vaultTokens: vaultTokens!,
    poolSol: poolSol!,
    poolTokens: poolTokens!,
    communitySol: communitySol!,
    communityTokens: communityTokens!,
    supply,
  };
}

export function graduateRecord(
  { transaction }: SentTransaction,
  { deployment }: LocalCluster,
): GraduateRecord {
  const records = decodeRecords(transaction, { deployment });
  const found = records.filter((record) => record.kind === 'graduate');
  if (found.length !== 1) throw new Error(`expected one GraduateRecord, found ${found.length}`);
  return found[0]!.data;
}

/** The relative difference between the pool's price and the curve's closing price. */
export async function priceError(cluster: LocalCluster, token: GraduatingToken): Promise<number> {
  const account = await cluster.connection.getAccountInfo(token.curve.address);
  const { virtualSol, virtualToken } = decodeTokenOwnerData(account!.data);
  const { poolSol, poolTokens } = await holdings(cluster, token);
  const [paid, closing] = [poolSol * virtualToken, virtualSol * poolTokens];
  return Number(((paid - closing) * 10n ** 18n) / closing) / 1e18;
}

const SOON_MS = 500;

/** Waits until the pool opens. Surfpool's clock stands still while nothing is sent. */
export async function opensSoon(cluster: LocalCluster, token: GraduatingToken): Promise<void> {
  await sleep(SOON_MS);
  await untilOpen(cluster, token);
}

/** Waits until the pool accepts trades. It opens one second after the graduation. */
export async function untilOpen(
  cluster: LocalCluster,
  { pool }: Pick<GraduatingToken, 'pool'>,
): Promise<void> {
  const accounts = await cluster.connection.getMultipleAccountsInfo(AMM.accounts(pool));
  const { openTime } = AMM.decode(pool, accounts)!;
  for (;;) {
    const { unixTimestamp } = await cluster.clock();
    if (unixTimestamp >= openTime) return;
    if (cluster.kind === 'surfpool')
      await cluster.timeTravelToTimestamp(openTime).catch((error: unknown) => {
        // A transaction that was still on its way can have moved the clock there.
        if (!(error instanceof InvalidArgumentError)) throw error;
      });
    else await sleep(200);
  }
}
