// The accounts that tests of substituted accounts use in place of the right ones.
import {
  ACCOUNT_SIZE,
  createInitializeMint2Instruction,
  MINT_SIZE,
  TOKEN_2022_PROGRAM_ID,
} from '@solana/spl-token';
import { Keypair, SystemProgram, type PublicKey } from '@solana/web3.js';
import {
  associatedTokenAddress,
  encodeProperties,
  PROPERTIES_BUMP,
  TOKEN_DECIMALS,
  TOKEN_PROGRAM_ADDRESS,
} from '@curvekit/sdk';
import { DEFAULT_PROPERTIES, type LocalCluster } from '@curvekit/testing';
import { rentOf } from '#tests/cluster/accounts.js';
import {
  buyTokens,
  launch,
  launchGraduated,
  openOtherTokenAccount,
  openTokenAccount,
  transferTokens,
  type Token,
} from './tokens.js';
import { SOL, TOKEN } from '#tests/constants.js';

export interface Scene {
  /** Holds tokens of `token` and `other` in associated accounts. */
  readonly trader: Keypair;
  /** Also holds tokens of `token`. */
  readonly stranger: Keypair;
  readonly token: Token;
  /** A trading token, like `token`. */
  readonly other: Token;
  /** Ready to migrate. The fee receiver has an associated account for its tokens. */
  readonly graduated: Token;
  /** Also ready to migrate, with such an account. */
  readonly otherGraduated: Token;
  /** A blank mint account, for a token that is not created yet. */
  readonly newMint: PublicKey;
  /** Has no lamports. */
  readonly pauper: Keypair;
  /** A token account of `token`'s curve that is not its vault, with some tokens. */
  readonly secondVault: PublicKey;
  /** A token account of `graduated`'s curve that is not its vault. */
  readonly secondGraduatedVault: PublicKey;
  /** The associated account of `token`'s curve for the tokens of `other`, with some tokens. */
  readonly foreignVault: PublicKey;
  /** An uninitialised account of the token program. */
  readonly blankTokenAccount: PublicKey;
  /** The trader's account for the tokens of `mint2022`. */
  readonly account2022: PublicKey;
  /** A mint of Token-2022. */
  readonly mint2022: PublicKey;
  /** An address without an account. */
  readonly nothing: PublicKey;
}

/** Accounts owned by this program at addresses that it does not derive. No program would create them. */
export interface ForgedAccounts {
  /** Properties without a fee. */
  readonly properties: PublicKey;
  /** A copy of the curve of `token`. */
  readonly curve: PublicKey;
  /** A copy of the trader's account for `token`, owned by this program instead of the token program. */
  readonly tokenAccount: PublicKey;
}

export async function setScene(cluster: LocalCluster): Promise<Scene> {
  const [trader, stranger] = (await cluster.fundedWallets(2)) as [Keypair, Keypair];
  const [token, other, graduated, otherGraduated] = await Promise.all([
    launch(cluster),
    launch(cluster),
    launchGraduated(cluster),
    launchGraduated(cluster),
  ]);
  const [newMint, mint2022, blankTokenAccount] = await Promise.all([
    openAccount(cluster, MINT_SIZE, TOKEN_PROGRAM_ADDRESS),
    openMint2022(cluster),
    openAccount(cluster, ACCOUNT_SIZE, TOKEN_PROGRAM_ADDRESS),
    buyTokens(cluster, token, trader, SOL),
    buyTokens(cluster, other, trader, SOL),
    buyTokens(cluster, token, stranger, SOL),
    ...[graduated, otherGraduated, other].map(({ mint }) =>
      openTokenAccount(cluster, cluster.feeReceiver.publicKey, mint),
    ),
    openTokenAccount(cluster, stranger.publicKey, graduated.mint),
  ]);
  const [secondVault, secondGraduatedVault, foreignVault, account2022] = await Promise.all([
    openOtherTokenAccount(cluster, token.curve.address, token.mint),
    openOtherTokenAccount(cluster, graduated.curve.address, graduated.mint),
    openTokenAccount(cluster, token.curve.address, other.mint),
    openOtherTokenAccount(cluster, trader.publicKey, mint2022, TOKEN_2022_PROGRAM_ID),
  ]);
  await transferTokens(cluster, token.mint, trader, secondVault, 1_000n * TOKEN);
  await transferTokens(cluster, other.mint, trader, foreignVault, 1_000n * TOKEN);
  return {
    trader,
    stranger,
    token,
    other,
    graduated,
    otherGraduated,
    newMint,
    pauper: Keypair.generate(),
    secondVault,
    secondGraduatedVault,
    foreignVault,
    blankTokenAccount,
    account2022,
    mint2022,
    nothing: Keypair.generate().publicKey,
  };
}

/** Writes accounts directly, which only Surfpool allows. */
export async function forgeAccounts(
  cluster: LocalCluster,
  { token, trader }: Scene,
): Promise<ForgedAccounts> {
  const { connection, programId: owner } = cluster;
  const copy = async (address: PublicKey): Promise<Uint8Array> =>
    (await connection.getAccountInfo(address))!.data;
  const forge = async (data: Uint8Array): Promise<PublicKey> => {
    const { publicKey } = Keypair.generate();
    await cluster.setAccount(publicKey, { lamports: SOL, owner, data });
    return publicKey;
  };
  const free = { initialized: 1, bump: PROPERTIES_BUMP, ...DEFAULT_PROPERTIES, platformFeeBps: 0 };
  return {
    properties: await forge(encodeProperties(free)),
    curve: await forge(await copy(token.curve.address)),
    tokenAccount: await forge(await copy(associatedTokenAddress(trader.publicKey, token.mint).address)),
  };
}

/** A zeroed account that belongs to a program. */
async function openAccount(cluster: LocalCluster, space: number, programId: PublicKey): Promise<PublicKey> {
  const account = Keypair.generate();
  const create = SystemProgram.createAccount({
    fromPubkey: cluster.payer.publicKey,
    newAccountPubkey: account.publicKey,
    lamports: Number(await rentOf(cluster.connection, space)),
    space,
    programId,
  });
  await cluster.send([create], [cluster.payer, account]);
  return account.publicKey;
}

async function openMint2022(cluster: LocalCluster): Promise<PublicKey> {
  const mint = await openAccount(cluster, MINT_SIZE, TOKEN_2022_PROGRAM_ID);
  const { payer } = cluster;
  const initialize = createInitializeMint2Instruction(
    mint,
    TOKEN_DECIMALS,
    payer.publicKey,
    null,
    TOKEN_2022_PROGRAM_ID,
  );
  await cluster.send([initialize], [payer]);
  return mint;
}
