// A launch, independent of the Solana library: the caller provides the connection and the signer.
import { associatedTokenAddress } from '../accounts/addresses.js';
import { decodePropertiesAccount } from '../accounts/decode.js';
import { DEFAULT_DEPLOYMENT, type Deployment } from '../accounts/deployment.js';
import type { Connection, PublicKey } from '../chain/types.js';
import { requireAccountKey, requirePositiveU64, requireText, requireU64 } from '../checks/keys.js';
import { IncompleteTransactionError, InvalidArgumentError } from '../errors/index.js';
import { MAX_URI_LENGTH } from '../generated/constants.js';
import type { CreateRecord } from '../generated/records.js';
import { createToken } from '../instructions/create-token.js';
import { MINT_ACCOUNT_SIZE } from '../instructions/token.js';
import { quoteFirstBuy } from '../launch/first-buy.js';
import { parseUrl } from '../platform/url.js';
import { decodeRecords } from '../records/decode.js';
import type { ConfirmedTransaction } from '../records/transaction.js';
import { readerOf, requireConnection } from '../rpc/reading.js';
import { readRent } from '../rpc/rent.js';
import type { PreparedTransaction } from '../transactions/prepare.js';
import { askAgain } from './ask-again.js';
import { signAndFollow } from './follow.js';
import { requireSol, TOKEN_ACCOUNT_SIZE } from './funds.js';
import { moneyOf, readLanded } from './landed.js';
import { DEFAULT_SLIPPAGE_BPS, type LaunchOrder, type LaunchTerms } from './options.js';
import { prepare } from './prepare.js';
import { recordOf } from './recorded.js';
import type { LaunchOutcome } from './result.js';
import { requireProperties, requireRules, requireSlippage } from './rules.js';
import type { Signer } from './signer.js';
import { requireFinished } from './unfinished.js';

const [CURVE_BYTES, METADATA_BYTES] = [29, 607];
/** Lamports. Some versions of Metaplex charge less. */
const METAPLEX_FEE = 10_000_000n;
/** Metaplex may raise its fee: a launch may cost as much more. */
const METAPLEX_MARGIN = METAPLEX_FEE;

/** @param signerOf called after the options were checked; the mint's key also signs */
export async function runLaunch(
  connection: Connection,
  mint: PublicKey,
  terms: LaunchTerms,
  signerOf: () => Signer,
): Promise<LaunchOutcome> {
  const { deployment = DEFAULT_DEPLOYMENT, firstBuy, composition } = terms;
  const [signer, prepared] = await planned(connection, mint, terms, () => {
    const known = signerOf();
    composition?.requireComposable(known, composition);
    composition?.requireComposition(composition, [known.publicKey, mint]);
    requireFinished(terms.remember);
    return known;
  });
  // It counts for trades of later slots, and a local cluster may land the launch in the slot of its blockhash.
  await terms.feeShare?.({ mint: mint.toBase58(), slot: prepared.blockhashSlot - 1 });
  const landed = await signAndFollow(connection, prepared, signer, terms);
  const transaction = await readLanded(connection, landed.signature, terms);
  return {
    ...landed,
    ...moneyOf(transaction, signer.publicKey),
    record: creationIn(transaction, mint, deployment),
    firstBuy: firstBuy === undefined ? undefined : recordOf(transaction, mint, signer.publicKey, deployment),
  };
}

/** The transaction of a launch, which the caller has signed and sends. */
export async function runPrepareLaunch(
  connection: Connection,
  mint: PublicKey,
  terms: LaunchOrder,
  publicKey: PublicKey,
): Promise<PreparedTransaction> {
  const [, prepared] = await planned(connection, mint, terms, () => {
    terms.composition?.requireComposition(terms.composition, undefined);
    return { publicKey: requireAccountKey('wallet', publicKey) };
  });
  return prepared;
}

/** @param whoPays called after the options were checked */
async function planned<Payer extends Pick<Signer, 'publicKey'>>(
  connection: Connection,
  mint: PublicKey,
  terms: LaunchOrder,
  whoPays: () => Payer,
): Promise<readonly [Payer, PreparedTransaction]> {
  const { deployment = DEFAULT_DEPLOYMENT } = terms;
  requireRules(terms);
  const signer = whoPays();
  const payer = signer.publicKey;
  const { slippageBps = DEFAULT_SLIPPAGE_BPS, firstBuy } = terms;
  requireSlippage(slippageBps);
  if (firstBuy !== undefined) requirePositiveU64('firstBuy', firstBuy);
  const limit = limitOf(terms);
  requireUri(terms.uri);
  const create = { ...tokenOf(terms), mint, payer, deployment };
  // Refuses invalid token parameters before any request.
  createToken({ ...create, mintRentLamports: 1n });

  requireConnection(connection);
  const node = readerOf(connection, { signal: terms.signal, timeoutMs: terms.readTimeoutMs });
  const addresses = [payer, mint, deployment.properties.address];
  const preparing = async (isAgain: boolean) => {
    const [accounts, rent] = await Promise.all([
      node.getMultipleAccountsInfo(addresses, 'confirmed'),
      readRent(node, isAgain),
    ]);
    const [wallet, mintAccount, settings = null] = accounts;
    const properties = requireProperties(decodePropertiesAccount(settings, deployment), node, deployment);
    if ((mintAccount?.data.length ?? 0) > 0)
      throw new InvalidArgumentError('mint', `is ${mint.toBase58()}, which exists; use a new key`);
    const mintLamports = BigInt(mintAccount?.lamports ?? 0);
    const mintRentLamports = rent(MINT_ACCOUNT_SIZE);
    const bought = firstBuy === undefined ? undefined : quoteFirstBuy(properties, firstBuy, slippageBps);
    const firstTrade = bought && { ...bought.firstBuy, ...limit };
    const instructions = createToken({ ...create, mintLamports, mintRentLamports, firstBuy: firstTrade });
    const ofMint = mintLamports < mintRentLamports ? mintRentLamports - mintLamports : 0n;
    const accountsOfTokens = bought === undefined ? 3n : 4n;
    const costs = {
      amount: (bought?.solSpent ?? 0n) + (terms.composition?.tip?.lamports ?? 0n),
      // Vault, two community storages, and the wallet's own account; the curve; the metadata.
      rent:
        ofMint +
        accountsOfTokens * rent(TOKEN_ACCOUNT_SIZE) +
        rent(CURVE_BYTES) +
        rent(METADATA_BYTES) +
        METAPLEX_FEE,
    };
    const lamports = BigInt(wallet?.lamports ?? 0);
    const address = associatedTokenAddress(payer, mint).address;
    return prepare({ connection, node }, { payer, instructions }, terms, {
      funds: (fees, hasFailed) => {
        // The cost of a creation depends on the version of Metaplex, so a wallet whose simulation succeeds is not refused.
        if (hasFailed) requireSol(payer, lamports, { ...costs, fees }, rent);
      },
      allowance: {
        wallet: payer,
        lamports,
        sol: (firstBuy ?? 0n) + costs.rent + METAPLEX_MARGIN,
        programId: deployment.programId,
        tokens: firstTrade && {
          ...{ mint, address, account: null, mayClose: false },
          units: bought?.clipped === true ? 0n : -firstTrade.minTokenToReceive,
        },
      },
    });
  };
  return [signer, await askAgain(preparing, terms.signal)];
}

function limitOf({ firstBuy, slippageBps, minTokenToReceive }: LaunchOrder): {
  readonly minTokenToReceive?: bigint;
} {
  if (minTokenToReceive === undefined) return {};
  if (firstBuy === undefined || slippageBps !== undefined)
    throw new InvalidArgumentError('minTokenToReceive', 'is for a firstBuy, in place of slippageBps');
  return { minTokenToReceive: requireU64('minTokenToReceive', minTokenToReceive) };
}

function tokenOf(params: LaunchOrder) {
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
  for (const record of decodeRecords(transaction, { deployment })) {
    if (record.kind === 'create' && record.data.mint.equals(mint)) return record.data;
  }
  throw new IncompleteTransactionError(
    transaction.transaction.signatures[0] ?? '',
    'the transaction landed, but this RPC node returned no token for it; look it up on another node',
  );
}

const SCHEMES = ['https:', 'http:', 'ipfs:', 'ipns:', 'ar:', 'data:'];

/** @throws InvalidArgumentError unless the text is a URI with a scheme that wallets read */
function requireUri(uri: string): void {
  requireText('uri', uri, MAX_URI_LENGTH);
  const { protocol, href = '' }: Partial<URL> = parseUrl(uri) ?? {};
  const isNamed =
    protocol !== undefined && SCHEMES.includes(protocol) && href.length > `${protocol}//`.length;
  if (isNamed && !/\s/.test(uri)) return;
  throw new InvalidArgumentError(
    'uri',
    `is '${uri}'; it must be the URI of the token's metadata: ${SCHEMES.map((scheme) => `${scheme}…`).join(', ')}`,
  );
}
