// A launch, independent of the Solana library: the caller provides the connection and the signer.
import { decodePropertiesAccount } from '../accounts/decode.js';
import { DEFAULT_DEPLOYMENT, type Deployment } from '../accounts/deployment.js';
import type { Connection, PublicKey } from '../chain/types.js';
import { requireInteger, requirePositiveU64, requireU64 } from '../checks/keys.js';
import { IncompleteTransactionError, InvalidArgumentError } from '../errors/index.js';
import { BASIS_POINTS } from '../generated/constants.js';
import type { CreateRecord } from '../generated/records.js';
import { createToken } from '../instructions/create-token.js';
import { MINT_ACCOUNT_RENT } from '../instructions/token.js';
import { quoteFirstBuy } from '../launch/first-buy.js';
import { requireUri } from '../launch/uri.js';
import { decodeRecords } from '../records/decode.js';
import type { ConfirmedTransaction } from '../records/transaction.js';
import { signAndFollow } from './follow.js';
import { requireSol, TOKEN_ACCOUNT_RENT } from './funds.js';
import { moneyOf, readLanded } from './landed.js';
import { DEFAULT_SLIPPAGE_BPS, type LaunchTerms } from './options.js';
import { prepare } from './prepare.js';
import type { LaunchOutcome } from './result.js';
import { readingFor, requireRules } from './rules.js';
import { recordOf } from './run-trade.js';
import type { Signer } from './signer.js';
import { requireProperties } from './state.js';
import { requireFinished } from './unfinished.js';

/** Rent of a curve's account: `(128 + 29) bytes · 3,480 lamports a year · 2 years`. */
const CURVE_RENT = 1_092_720n;
/** Rent of the metadata's 607 bytes, and Metaplex's fee. Some of its versions charge less. */
const METADATA_COST = 5_115_600n + 10_000_000n;
/** The most that a token costs: mint, curve, metadata, vault and the two community storages. */
const LAUNCH_RENT = MINT_ACCOUNT_RENT + CURVE_RENT + METADATA_COST + 3n * TOKEN_ACCOUNT_RENT;

/** @param signerOf called after the options were checked; the mint's key also signs */
export async function runLaunch(
  connection: Connection,
  mint: PublicKey,
  terms: LaunchTerms,
  signerOf: () => Signer,
): Promise<LaunchOutcome> {
  const { deployment = DEFAULT_DEPLOYMENT } = terms;
  requireRules(terms);
  const signer = signerOf();
  const payer = signer.publicKey;
  const { slippageBps = DEFAULT_SLIPPAGE_BPS, firstBuy } = terms;
  requireInteger('slippageBps', slippageBps, BASIS_POINTS);
  if (firstBuy !== undefined) requirePositiveU64('firstBuy', firstBuy);
  const limit = limitOf(terms);
  requireUri(terms.uri);
  requireFinished(terms.remember);
  const create = { ...tokenOf(terms), mint, payer, deployment };
  // Refuses invalid token parameters before any request.
  createToken(create);

  const node = readingFor(connection, terms);
  const addresses = [payer, mint, deployment.properties.address];
  const [wallet, mintAccount, settings = null] = await node.getMultipleAccountsInfo(addresses, 'confirmed');
  const properties = requireProperties(decodePropertiesAccount(settings, deployment), node, deployment);
  if ((mintAccount?.data.length ?? 0) > 0)
    throw new InvalidArgumentError('mint', `is ${mint.toBase58()}, which exists; use a new key`);
  const mintLamports = BigInt(mintAccount?.lamports ?? 0);
  const bought = firstBuy === undefined ? undefined : quoteFirstBuy(properties, firstBuy, slippageBps);
  const firstTrade = bought && { ...bought.firstBuy, ...limit };
  const instructions = createToken({ ...create, mintLamports, firstBuy: firstTrade });
  const checkFunds = (fees: bigint, hasFailed: boolean) => {
    // The cost of a creation depends on the version of Metaplex, so a wallet whose simulation succeeds is not refused.
    if (!hasFailed) return;
    const [amount, rent] = bought === undefined ? [0n, 0n] : [bought.solSpent, TOKEN_ACCOUNT_RENT];
    const ofMint = mintLamports < MINT_ACCOUNT_RENT ? mintLamports : MINT_ACCOUNT_RENT;
    const costs = { amount, rent: LAUNCH_RENT - ofMint + rent, fees };
    requireSol(payer, BigInt(wallet?.lamports ?? 0), costs);
  };
  const prepared = await prepare(connection, { payer, instructions }, terms, checkFunds);
  const landed = await signAndFollow(connection, prepared, signer, terms);
  const transaction = await readLanded(connection, landed.signature, terms);
  return {
    ...landed,
    ...moneyOf(transaction, payer),
    record: creationIn(transaction, mint, deployment),
    firstBuy: bought === undefined ? undefined : recordOf(transaction, mint, payer, deployment),
  };
}

function limitOf({ firstBuy, slippageBps, minTokenToReceive }: LaunchTerms): {
  readonly minTokenToReceive?: bigint;
} {
  if (minTokenToReceive === undefined) return {};
  if (firstBuy === undefined || slippageBps !== undefined)
    throw new InvalidArgumentError('minTokenToReceive', 'is for a firstBuy, in place of slippageBps');
  return { minTokenToReceive: requireU64('minTokenToReceive', minTokenToReceive) };
}

function tokenOf(params: LaunchTerms) {
  const { name, symbol, uri, afterMigrationFee, afterMigrationBurnBp } = params;
  const { afterMigrationHoldersBp, afterMigrationLpBp } = params;
  return {
    name,
    symbol,
    uri,
    afterMigrationFee,
    afterMigrationBurnBp,
    afterMigrationHoldersBp,
    afterMigrationLpBp,
  };
}

function creationIn(
  transaction: ConfirmedTransaction,
  mint: PublicKey,
  deployment: Deployment,
): CreateRecord {
  for (const record of decodeRecords(transaction, deployment)) {
    if (record.kind === 'create' && record.data.mint.equals(mint)) return record.data;
  }
  throw new IncompleteTransactionError(
    transaction.transaction.signatures[0] ?? '',
    'it has landed, but the node tells nothing of the token that it created; look its signature up at another node',
  );
}
