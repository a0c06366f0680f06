// One call for a new token, with the creator's first buy in the same transaction.
import { Keypair, type Connection } from '@solana/web3.js';
import { decodePropertiesAccount } from '../accounts.js';
import { DEFAULT_DEPLOYMENT, type Deployment } from '../deployment.js';
import { IncompleteTransactionError, InvalidArgumentError } from '../errors.js';
import { BASIS_POINTS } from '../generated/constants.js';
import type { CreateRecord } from '../generated/records.js';
import { createToken, type CreateTokenParams } from '../instructions/create-token.js';
import { quoteFirstBuy } from '../launch/first-buy.js';
import { decodeRecords } from '../records/decode.js';
import type { ConfirmedTransaction } from '../records/transaction.js';
import { MINT_ACCOUNT_RENT } from '../token-instructions.js';
import { requireInteger, requirePositiveU64 } from '../validation.js';
import { answered } from './answered.js';
import { signAndFollow } from './follow.js';
import { requireSol, TOKEN_ACCOUNT_RENT } from './funds.js';
import { moneyOf, readLanded } from './landed.js';
import { DEFAULT_SLIPPAGE_BPS, requireSending, type SendingOptions } from './options.js';
import { prepare } from './prepare.js';
import { requireProperties } from './state.js';
import { recordOf, type TradeResult } from './trade.js';

/** Parameters of {@link launch}. What is left out of the terms is 0. */
export interface LaunchParams
  extends
    SendingOptions,
    Pick<
      CreateTokenParams,
      | 'name'
      | 'symbol'
      | 'uri'
      | 'afterMigrationFee'
      | 'afterMigrationBurnBp'
      | 'afterMigrationHoldersBp'
      | 'afterMigrationLpBp'
    > {
  /** The key of the token's mint; a new one when left out. */
  readonly mint?: Keypair | undefined;
  /** Lamports that the creator buys for, fee included, before anyone else. */
  readonly firstBuy?: bigint | undefined;
  /** How much worse than quoted the first buy may be, in basis points. 100 by default: 1 %. */
  readonly slippageBps?: number | undefined;
}

/** What a launch did, by the transaction that landed. */
export interface LaunchResult extends Pick<
  TradeResult,
  'signature' | 'slot' | 'networkFee' | 'walletChange'
> {
  /** Its `publicKey` is the token's address. */
  readonly mint: Keypair;
  readonly record: CreateRecord;
  /** Undefined without one. */
  readonly firstBuy: Pick<TradeResult, 'solAmount' | 'tokenAmount' | 'platformFee' | 'record'> | undefined;
}

/** Rent of a curve's account: `(128 + 29) bytes · 3,480 lamports a year · 2 years`. */
const CURVE_RENT = 1_092_720n;
/** Of the metadata's 607 bytes, and what Metaplex takes for it. Less in some of its versions. */
const METADATA_COST = 5_115_600n + 10_000_000n;
/** The most for a token: mint, curve, metadata, vault and the two community storages. */
const LAUNCH_RENT = MINT_ACCOUNT_RENT + CURVE_RENT + METADATA_COST + 3n * TOKEN_ACCOUNT_RENT;

/**
 * Creates a token: builds, simulates, has it signed by the wallet and the mint's key, sends, waits, and tells what happened. Errors
 * are those of `trade`.
 */
export async function launch(connection: Connection, params: LaunchParams): Promise<LaunchResult> {
  const { mint = Keypair.generate(), deployment = DEFAULT_DEPLOYMENT, signal } = params;
  const payer = requireSending(params);
  const { slippageBps = DEFAULT_SLIPPAGE_BPS, firstBuy } = params;
  requireInteger('slippageBps', slippageBps, BASIS_POINTS);
  if (firstBuy !== undefined) requirePositiveU64('firstBuy', firstBuy);
  const create = { ...tokenOf(params), mint: mint.publicKey, payer, deployment };
  // Before any request: refuses what no token can have.
  createToken(create);

  const addresses = [payer, mint.publicKey, deployment.properties.address];
  const [wallet, mintAccount, settings = null] = await answered(
    connection.getMultipleAccountsInfo(addresses, 'confirmed'),
    signal,
  );
  const properties = requireProperties(decodePropertiesAccount(settings, deployment), connection, deployment);
  if ((mintAccount?.data.length ?? 0) > 0) {
    throw new InvalidArgumentError('mint', `is ${mint.publicKey.toBase58()}, which exists; use a new key`);
  }
  const mintLamports = BigInt(mintAccount?.lamports ?? 0);
  const bought = firstBuy === undefined ? undefined : quoteFirstBuy(properties, firstBuy, slippageBps);
  const instructions = createToken({ ...create, mintLamports, firstBuy: bought?.firstBuy });
  const checkFunds = (fees: bigint, hasFailed: boolean) => {
    // What a creation costs depends on the version of Metaplex: one that the simulation can pay for is not refused.
    if (!hasFailed) return;
    const [amount, rent] = bought === undefined ? [0n, 0n] : [bought.solSpent, TOKEN_ACCOUNT_RENT];
    const ofMint = mintLamports < MINT_ACCOUNT_RENT ? mintLamports : MINT_ACCOUNT_RENT;
    const costs = { amount, rent: LAUNCH_RENT - ofMint + rent, fees };
    requireSol(payer, BigInt(wallet?.lamports ?? 0), costs);
  };
  const prepared = await prepare(connection, { payer, instructions }, params, checkFunds);
  const landed = await signAndFollow(connection, prepared, params, mint);
  const transaction = await readLanded(connection, landed.signature, params.commitment);
  return {
    ...landed,
    ...moneyOf(transaction, payer),
    mint,
    record: creationIn(transaction, mint, deployment),
    firstBuy: bought === undefined ? undefined : recordOf(transaction, mint.publicKey, payer, deployment),
  };
}

function tokenOf(params: LaunchParams) {
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

function creationIn(transaction: ConfirmedTransaction, mint: Keypair, deployment: Deployment): CreateRecord {
  for (const record of decodeRecords(transaction, deployment)) {
    if (record.kind === 'create' && record.data.mint.equals(mint.publicKey)) return record.data;
  }
  throw new IncompleteTransactionError(
    transaction.transaction.signatures[0] ?? '',
    'it has landed, but the node tells nothing of the token that it created; look its signature up at another node',
  );
}
