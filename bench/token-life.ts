// One token from creation to migration, every instruction of the program measured once.
import {
  associatedTokenAddress,
  buy,
  createToken,
  createTokenAccountIfMissing,
  fetchCurveState,
  MAX_NAME_LENGTH,
  MAX_SYMBOL_LENGTH,
  MAX_URI_LENGTH,
  migrate,
  quoteBuy,
  quoteSell,
  sell,
  TOKEN_PROGRAM_ADDRESS,
  type CreateTokenParams,
} from '@curvekit/sdk';
import type { LocalCluster } from '@curvekit/sdk/testing';
import { ComputeBudgetProgram, Keypair, type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { invocationsIn, type Invocation } from './invocations.js';

export type MeasuredName = 'createToken' | 'buyToken' | 'sellToken' | 'migrate';

/** One instruction, sent in a transaction of its own with a compute-unit limit and price. */
export interface Measurement {
  readonly name: MeasuredName;
  /** Of the instruction, its calls included. */
  readonly computeUnits: number;
  /** Of the whole transaction. */
  readonly bytes: number;
  /** Of the call of `validateLogRecord` inside; undefined where there is none. */
  readonly logRecordUnits: number | undefined;
  /** What each call of the token program took. */
  readonly tokenCalls: readonly Invocation[];
}

const SOL = 1_000_000_000n;
/** More than a curve takes until it graduates. */
const WALLET_LAMPORTS = 150n * SOL;

/**
 * Lives one token's life with a fresh mint and fresh wallets. The texts are the longest allowed, the amounts random, the
 * traders' token accounts exist before.
 */
export async function measureTokenLife(cluster: LocalCluster): Promise<Measurement[]> {
  const { connection, deployment, feeReceiver } = cluster;
  const [creator, trader] = (await cluster.fundedWallets(2, WALLET_LAMPORTS)) as [Keypair, Keypair];
  const mintKey = Keypair.generate();
  const [mint, payer] = [mintKey.publicKey, trader.publicKey];
  const common = { mint, deployment, createTokenAccount: false };
  const curve = async () => (await fetchCurveState(connection, mint, { deployment }))!;
  const measure = (name: MeasuredName, instructions: TransactionInstruction[], ...signers: Keypair[]) =>
    measureInstruction(cluster, name, instructions, signers);

  const created = await measure(
    'createToken',
    createToken(longestTexts(mint, creator, cluster)),
    creator,
    mintKey,
  );
  await cluster.send(
    [payer, feeReceiver.publicKey].map((owner) => createTokenAccountIfMissing(payer, owner, mint)),
    [trader],
  );
  const buyFor = async (lamports: bigint) => buy({ ...common, payer, ...quoteBuy(await curve(), lamports) });
  const bought = await measure('buyToken', await buyFor(randomAmount(SOL / 10n, 20n * SOL)), trader);
  const held = await balance(cluster, payer, mint);
  const sale = quoteSell(await curve(), randomAmount(held / 100n, held));
  const sold = await measure('sellToken', sell({ mint, deployment, payer, ...sale }), trader);
  await cluster.send(await buyFor(WALLET_LAMPORTS - 30n * SOL), [trader]);
  const migrated = await measure('migrate', migrate(common), feeReceiver);
  return [created, bought, sold, migrated];
}

async function measureInstruction(
  cluster: LocalCluster,
  name: MeasuredName,
  instructions: readonly TransactionInstruction[],
  signers: readonly Keypair[],
): Promise<Measurement> {
  // As a wallet sends it.
  const budget = [
    ComputeBudgetProgram.setComputeUnitLimit({ units: 200_000 }),
    ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000 }),
  ];
  const { logs, bytes, signature } = await cluster.send([...budget, ...instructions], signers);
  const invocations = invocationsIn(logs);
  const own = invocations.filter(({ programId }) => programId === cluster.programId.toBase58());
  const outer = own.find(({ depth }) => depth === 1);
  if (outer === undefined) throw new Error(`the log of ${signature} does not state what ${name} took`);
  const token = TOKEN_PROGRAM_ADDRESS.toBase58();
  return {
    name,
    computeUnits: outer.computeUnits,
    bytes,
    logRecordUnits: own.find(({ depth }) => depth === 2)?.computeUnits,
    tokenCalls: invocations.filter(({ programId }) => programId === token),
  };
}

function longestTexts(mint: PublicKey, creator: Keypair, { deployment }: LocalCluster): CreateTokenParams {
  return {
    mint,
    payer: creator.publicKey,
    deployment,
    name: randomText(MAX_NAME_LENGTH),
    symbol: randomText(MAX_SYMBOL_LENGTH),
    uri: `https://${randomText(MAX_URI_LENGTH - 8)}`,
    afterMigrationFee: 100,
    afterMigrationBurnBp: 2_000,
    afterMigrationHoldersBp: 3_000,
    afterMigrationLpBp: 2_000,
  };
}

async function balance({ connection }: LocalCluster, owner: PublicKey, mint: PublicKey): Promise<bigint> {
  const { address } = associatedTokenAddress(owner, mint);
  return BigInt((await connection.getTokenAccountBalance(address)).value.amount);
}

function randomText(length: number): string {
  const letter = () => String.fromCharCode(97 + Math.floor(Math.random() * 26));
  return Array.from({ length }, letter).join('');
}

function randomAmount(min: bigint, max: bigint): bigint {
  return min + BigInt(Math.floor(Math.random() * Number(max - min)));
}
