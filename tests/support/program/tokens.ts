// Creates and trades this launchpad's tokens, and reads token accounts and mints.
import {
  ACCOUNT_SIZE,
  createInitializeAccount3Instruction,
  createSyncNativeInstruction,
  createTransferInstruction,
  unpackAccount,
  unpackMint,
  type Account,
  type Mint,
} from '@solana/spl-token';
import { Keypair, SystemProgram, type Connection, type PublicKey } from '@solana/web3.js';
import {
  associatedTokenAddress,
  buy,
  createToken,
  createTokenAccountIfMissing,
  fetchCurveState,
  tokenAddresses,
  TOKEN_PROGRAM_ADDRESS,
  type CommunityTerms,
  type CreateTokenParams,
  type CurveState,
  type TokenAddresses,
  type TokenOwnerData,
} from '@curvekit/sdk';
import type { LocalCluster, SentTransaction } from '@curvekit/testing';
import { rentOf } from '#tests/cluster/accounts.js';
import { MINT_RENT } from '#tests/constants.js';

export type Terms = Pick<CreateTokenParams, 'name' | 'symbol' | 'uri' | 'firstBuy'> & CommunityTerms;

export const TERMS: Terms = {
  name: 'Curvy',
  symbol: 'CURV',
  uri: 'https://example.org/curvy.json',
  afterMigrationFee: 100,
  afterMigrationBurnBp: 1_000,
  afterMigrationHoldersBp: 2_000,
  afterMigrationLpBp: 3_000,
};

export interface Token extends TokenAddresses {
  readonly mint: PublicKey;
  readonly created: SentTransaction;
}

/** More than a whole curve costs with the default properties, about 86 SOL. */
export const WHOLE_CURVE_LAMPORTS = 90_000_000_000n;

/** Creates a token. The default creator is the cluster's own wallet. */
export async function launch(
  cluster: LocalCluster,
  terms: Partial<Terms> = {},
  creator = cluster.payer,
  mint = Keypair.generate(),
): Promise<Token> {
  const { deployment } = cluster;
  const [payer, address] = [creator.publicKey, mint.publicKey];
  const instructions = createToken({
    ...TERMS,
    mintRentLamports: MINT_RENT,
    ...terms,
    mint: address,
    payer,
    deployment,
  });
  const created = await cluster.send(instructions, [creator, mint]);
  return { mint: address, ...tokenAddresses(address, deployment), created };
}

/** Creates a token with a sold-out curve: the cluster's own wallet buys everything that the curve sells. */
export async function launchGraduated(cluster: LocalCluster): Promise<Token> {
  const token = await launch(cluster);
  await buyTokens(cluster, token, cluster.payer, WHOLE_CURVE_LAMPORTS);
  return token;
}

/** Buys at any price. The trader pays the network fee and the rent of its token account. */
export function buyTokens(
  cluster: LocalCluster,
  { mint }: Token,
  trader: Keypair,
  solToSpend: bigint,
): Promise<SentTransaction> {
  const { deployment } = cluster;
  const params = { mint, payer: trader.publicKey, solToSpend, minTokenToReceive: 0n, deployment };
  return cluster.send(buy(params), [trader]);
}

export async function curveState(
  { connection, deployment }: LocalCluster,
  { mint }: Token,
): Promise<TokenOwnerData & CurveState> {
  const state = await fetchCurveState(connection, mint, { deployment });
  if (state === null) throw new Error(`${mint.toBase58()} has no curve`);
  return state;
}

/** Creates a wallet's associated token account. The cluster's own wallet pays. */
export async function openTokenAccount(
  cluster: LocalCluster,
  owner: PublicKey,
  mint: PublicKey,
): Promise<PublicKey> {
  await cluster.send([createTokenAccountIfMissing(cluster.payer.publicKey, owner, mint)], [cluster.payer]);
  return associatedTokenAddress(owner, mint).address;
}

/** Creates a token account that is not the associated one. */
export async function openOtherTokenAccount(
  cluster: LocalCluster,
  owner: PublicKey,
  mint: PublicKey,
): Promise<PublicKey> {
  const account = Keypair.generate();
  const create = SystemProgram.createAccount({
    fromPubkey: cluster.payer.publicKey,
    newAccountPubkey: account.publicKey,
    lamports: Number(await rentOf(cluster.connection, ACCOUNT_SIZE)),
    space: ACCOUNT_SIZE,
    programId: TOKEN_PROGRAM_ADDRESS,
  });
  const initialize = createInitializeAccount3Instruction(account.publicKey, mint, owner);
  await cluster.send([create, initialize], [cluster.payer, account]);
  return account.publicKey;
}

/** Transfers base units from a wallet's associated token account. */
export async function transferTokens(
  cluster: LocalCluster,
  mint: PublicKey,
  owner: Keypair,
  destination: PublicKey,
  amount: bigint,
): Promise<SentTransaction> {
  const source = associatedTokenAddress(owner.publicKey, mint).address;
  return cluster.send([createTransferInstruction(source, destination, owner.publicKey, amount)], [owner]);
}

/** Pays wrapped lamports into a token's community storage, as any wallet can. */
export function donateSol(
  cluster: LocalCluster,
  { communityWsolStorage: { address } }: Token,
  lamports: bigint,
): Promise<SentTransaction> {
  const { payer } = cluster;
  const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: address, lamports });
  return cluster.send([transfer, createSyncNativeInstruction(address)], [payer]);
}

export async function tokenAccount(connection: Connection, address: PublicKey): Promise<Account> {
  return unpackAccount(address, await connection.getAccountInfo(address));
}

/** Base units in a token account; 0 if it does not exist. */
export async function tokensOf(connection: Connection, address: PublicKey): Promise<bigint> {
  const account = await connection.getAccountInfo(address);
  return account === null ? 0n : unpackAccount(address, account).amount;
}

export async function mintAccount(connection: Connection, address: PublicKey): Promise<Mint> {
  return unpackMint(address, await connection.getAccountInfo(address));
}
