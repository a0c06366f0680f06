// One token from creation to migration. Measures every instruction of the program once.
import { createHash } from 'node:crypto';
import {
  associatedTokenAddress,
  buy,
  createToken,
  createTokenAccountIfMissing,
  type CreateTokenParams,
  fetchCurveState,
  fetchRentExemption,
  MAX_NAME_LENGTH,
  MAX_SYMBOL_LENGTH,
  MAX_URI_LENGTH,
  migrate,
  MINT_ACCOUNT_SIZE,
  quoteBuy,
  quoteSell,
  sell,
  TOKEN_PROGRAM_ADDRESS,
} from '@curvekit/sdk';
import type { LocalCluster } from '@curvekit/testing';
import { ComputeBudgetProgram, Keypair, type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import type { Random } from '../../random.js';
import { SOL } from '#tests/constants.js';

export type MeasuredName = 'createToken' | 'buyToken' | 'sellToken' | 'migrate';

/** One instruction, sent alone in a transaction with a compute-unit limit and price. */
export interface Measurement {
  readonly name: MeasuredName;
  /** Compute units of the instruction, including its CPIs. */
  readonly computeUnits: number;
  /** Bytes of the whole transaction. */
  readonly bytes: number;
  /** Compute units of the inner call of `validateLogRecord`. Undefined when there is none. */
  readonly logRecordUnits: number | undefined;
  /** The invocations of the token program. */
  readonly tokenCalls: readonly Invocation[];
}

/** More than the cost of a whole curve. */
const WALLET_LAMPORTS = 150n * SOL;

/** The keys determine the addresses, and these the compute units: each step of a bump search costs some. */
export interface LifeKeys {
  readonly mint: Keypair;
  readonly creator: Keypair;
  readonly trader: Keypair;
}

/** The wallets of a token's life. Only for local clusters, because anyone can derive the keys from the seed. */
export function lifeKeysOf(seed: string, index: number): LifeKeys {
  const key = (role: string) =>
    Keypair.fromSeed(createHash('sha256').update(`curvekit bench ${seed} ${index} ${role}`).digest());
  return { mint: key('mint'), creator: key('creator'), trader: key('trader') };
}

/**
 * Takes a new token from creation to migration. The texts have their maximum length, the amounts are random, and the
 * traders' token accounts already exist.
 */
export async function measureTokenLife(
  cluster: LocalCluster,
  { mint: mintKey, creator, trader }: LifeKeys,
  random: Random,
): Promise<Measurement[]> {
  const { connection, deployment, feeReceiver } = cluster;
  await Promise.all([creator, trader].map(({ publicKey }) => cluster.fund(publicKey, WALLET_LAMPORTS)));
  const [mint, payer] = [mintKey.publicKey, trader.publicKey];
  const common = { mint, deployment, createTokenAccount: false };
  const curve = async () => (await fetchCurveState(connection, mint, { deployment }))!;
  const measure = (name: MeasuredName, instructions: TransactionInstruction[], ...signers: Keypair[]) =>
    measureInstruction(cluster, name, instructions, signers);

  const created = await measure(
    'createToken',
    createToken({
      ...longestTexts(mint, creator, cluster, random),
      mintRentLamports: await fetchRentExemption(connection, MINT_ACCOUNT_SIZE),
    }),
    creator,
    mintKey,
  );
  await cluster.send(
    [payer, feeReceiver.publicKey].map((owner) => createTokenAccountIfMissing(payer, owner, mint)),
    [trader],
  );
  const buyFor = async (lamports: bigint) => buy({ ...common, payer, ...quoteBuy(await curve(), lamports) });
  const bought = await measure('buyToken', await buyFor(SOL / 10n + random.shareOf(20n * SOL)), trader);
  const held = await balance(cluster, payer, mint);
  const sale = quoteSell(await curve(), held / 100n + random.shareOf((held * 99n) / 100n));
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
  // The budget instructions of a usual wallet.
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

function longestTexts(
  mint: PublicKey,
  creator: Keypair,
  { deployment }: LocalCluster,
  random: Random,
): Omit<CreateTokenParams, 'mintRentLamports'> {
  const text = (length: number) =>
    Array.from({ length }, () => String.fromCharCode(97 + random.below(26))).join('');
  return {
    mint,
    payer: creator.publicKey,
    deployment,
    name: text(MAX_NAME_LENGTH),
    symbol: text(MAX_SYMBOL_LENGTH),
    uri: `https://${text(MAX_URI_LENGTH - 8)}`,
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

/** One invocation of a program in a transaction, from the log. */
interface Invocation {
  readonly programId: string;
  /** 1 for an instruction of the transaction, more for a CPI. */
  readonly depth: number;
  /** Compute units, including its own CPIs. */
  readonly computeUnits: number;
}

const INVOKE = /^Program (\w+) invoke \[(\d+)\]$/;
const CONSUMED = /^Program (\w+) consumed (\d+) of \d+ compute units$/;

/** Every invocation with a cost in the log (built-in programs log none), in the order of their end. */
function invocationsIn(logs: readonly string[]): Invocation[] {
  const depths = new Map<string, number[]>();
  const found: Invocation[] = [];
  for (const line of logs) {
    const [, invoked, depth] = INVOKE.exec(line) ?? [];
    if (invoked !== undefined) depths.set(invoked, [...(depths.get(invoked) ?? []), Number(depth)]);
    const [, programId, computeUnits] = CONSUMED.exec(line) ?? [];
    if (programId === undefined) continue;
    // When a program runs at several depths, the innermost invocation ends first.
    found.push({ programId, depth: depths.get(programId)?.pop() ?? 0, computeUnits: Number(computeUnits) });
  }
  return found;
}
