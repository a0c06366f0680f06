// A sold-out curve whose SOL no keypair can take: three wallets try, any wallet graduates it, and trading continues.
import {
  associatedTokenAddress,
  graduate,
  GRADUATE_COMPUTE_UNITS,
  migrate,
  parseSol,
  sweepFees,
  tokenAddresses,
} from '@curvekit/sdk';
import type { LocalCluster } from '@curvekit/testing';
import { ComputeBudgetProgram, type Keypair, type TransactionInstruction } from '@solana/web3.js';
import { lamportsGained } from './effects.js';
import { sol } from './format.js';
import type { Launch } from './launch.js';
import { costOf, refusedStep, type Step } from './step.js';
import type { Cast } from './story.js';

const FIRST_POOL_BUY = parseSol('3');

/** Yields each step as it happens. */
export async function* graduationOf(
  cluster: LocalCluster,
  launch: Launch,
  { dave, passerBy }: Pick<Cast, 'dave' | 'passerBy'>,
): AsyncGenerator<Step> {
  const { admin, feeReceiver: treasurer } = cluster;
  const taking = (title: string, thief: Keypair) =>
    refusedStep(cluster, title, 'WrongFeeReceiver', cluster.send(migrateTo(cluster, launch, thief), [thief]));
  yield await taking('admin takes it all', admin);
  yield await taking('fee collector likewise', treasurer);
  yield await taking('passer-by likewise', passerBy.wallet);
  yield await refusedStep(
    cluster,
    'passer-by, by graduate',
    'WrongAccount',
    cluster.send(graduateFor(cluster, launch, passerBy.wallet), [passerBy.wallet]),
  );
  yield await swept(cluster, 'admin sweeps the fees');
  yield await launch.graduate(passerBy);
  yield await launch.buyFromPool(dave, FIRST_POOL_BUY);
}

/** `migrate` with a thief as the fee receiver. */
function migrateTo({ deployment }: LocalCluster, { mint }: Launch, thief: Keypair): TransactionInstruction[] {
  return migrate({ mint, deployment: { ...deployment, feeReceiver: thief.publicKey } });
}

/** `graduate` with the caller's own account instead of the community's token storage. */
function graduateFor(
  { deployment }: LocalCluster,
  { mint }: Launch,
  thief: Keypair,
): TransactionInstruction[] {
  const [instruction] = graduate({ mint, payer: thief.publicKey, deployment });
  const { communityTokenStorage } = tokenAddresses(mint, deployment);
  const own = associatedTokenAddress(thief.publicKey, mint).address;
  for (const account of instruction!.keys)
    if (account.pubkey.equals(communityTokenStorage.address)) account.pubkey = own;
  return [ComputeBudgetProgram.setComputeUnitLimit({ units: GRADUATE_COMPUTE_UNITS }), instruction!];
}

/** Moves platform fees to the treasury, and nothing from the curve. */
async function swept(cluster: LocalCluster, title: string): Promise<Step> {
  const { admin, deployment } = cluster;
  const sent = await cluster.send(sweepFees({ deployment }), [admin]);
  const fees = lamportsGained(sent.transaction, deployment.graduation.treasury);
  return {
    title,
    change: `treasury +${sol(fees)} SOL: fees, nothing else`,
    outcome: 'done',
    ...costOf(sent),
  };
}
