// The state that decides whether a wallet can trade, read at one slot in one request.
import { associatedTokenAddress } from '../accounts/addresses.js';
import { decodePropertiesAccount } from '../accounts/decode.js';
import type { Deployment } from '../accounts/deployment.js';
import type { AccountInfo, PublicKey } from '../chain/types.js';
import { tokensIn } from '../curve/limits.js';
import { InvalidArgumentError, TradingMovedError } from '../errors/index.js';
import { NATIVE_MINT_ADDRESS } from '../generated/program.js';
import type { Reader } from '../rpc/reading.js';
import { decodeMarket, marketAccounts } from '../venue/fetch-market.js';
import type { Market } from '../venue/market.js';
import { requireProperties } from './rules.js';

const COMMITMENT = 'confirmed';

export interface TraderState {
  readonly market: Market;
  readonly wallet: PublicKey;
  /** Lamports of the wallet. */
  readonly lamports: bigint;
  readonly tokenAccount: PublicKey;
  /** The account at `tokenAccount`. */
  readonly held: AccountInfo<Uint8Array> | null;
  /** Token units of the wallet. Undefined when it has no account for the token. */
  readonly tokens: bigint | undefined;
  readonly hasWrappedSol: boolean;
}

/** @throws WrongClusterError; InvalidArgumentError for a mint that is not from this launchpad */
export async function readTrader(
  node: Reader,
  mint: PublicKey,
  wallet: PublicKey,
  deployment: Deployment,
): Promise<TraderState> {
  const where = marketAccounts(mint, deployment);
  const tokenAccount = associatedTokenAddress(wallet, mint).address;
  const wrapped = associatedTokenAddress(wallet, NATIVE_MINT_ADDRESS).address;
  const own = [wallet, tokenAccount, wrapped];
  const accounts = await node.getMultipleAccountsInfo([...own, ...where.accounts], COMMITMENT);
  const [walletAccount, held = null, wrappedAccount] = accounts;
  const ofMarket = accounts.slice(own.length);
  const market = decodeMarket(where, ofMarket);
  if (market === null) {
    requireProperties(decodePropertiesAccount(ofMarket[1] ?? null, deployment), node, deployment);
    throw new InvalidArgumentError(
      'mint',
      `is ${mint.toBase58()}, which program ${deployment.programId.toBase58()} has not created; check the mint and the deployment`,
    );
  }
  return {
    market,
    wallet,
    lamports: BigInt(walletAccount?.lamports ?? 0),
    tokenAccount,
    held,
    tokens: tokensIn(held),
    hasWrappedSol: tokensIn(wrappedAccount) !== undefined,
  };
}

/** @throws TradingMovedError; InvalidArgumentError for a pool that does not exist */
export function requireVenue(market: Market, venue: 'curve' | 'pool' | undefined): void {
  if (venue === undefined || market.venue === venue) return;
  if (market.venue === 'pool') throw new TradingMovedError('pool', market.addresses.pool);
  if (market.venue === 'curve')
    throw new InvalidArgumentError(
      'venue',
      "is 'pool', and the token still trades on its curve; quote again",
    );
}
