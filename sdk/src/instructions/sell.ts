import { accountOf, curveOf } from '../accounts/of-key.js';
import { requireDeployment, DEFAULT_DEPLOYMENT } from '../accounts/deployment.js';
import * as AMM from '../amm/in-use.js';
import type { PublicKey, TransactionInstruction } from '../chain/types.js';
import { requireAccountKey, requirePositiveU64, requireU64 } from '../checks/keys.js';
import { requireObject } from '../checks/options.js';
import { sellTokenInstruction } from '../generated/instructions.js';
import { NATIVE_MINT_ADDRESS, TOKEN_PROGRAM_ADDRESS } from '../generated/program.js';
import { requireOpen, type CurveMarket, type Market, type PoolMarket } from '../venue/market.js';
import { canonicalNonce, tokenAccountOf, type TokenParams } from './common.js';
import { closeTokenAccount, createTokenAccountIfMissing } from './token.js';

/** Parameters of {@link sell} on any market. */
export interface MarketSellParams extends Omit<SellParams, 'mint' | 'pdaTokenNonce'> {
  /** The result of `fetchMarket`. */
  readonly market: Market;
  /** Leaves the wallet's wrapped SOL account open after a trade with a pool, with the proceeds in it. */
  readonly keepWrappedSol?: boolean | undefined;
}

/** Parameters of {@link sell} on a curve. */
export interface SellParams extends TokenParams {
  /** The trader: pays the tokens, receives the SOL. Signs. */
  readonly payer: PublicKey;
  /** Token units to sell. */
  readonly tokenToSpend: bigint;
  /** Fewest lamports to accept after the fee; take it from a quote. */
  readonly minSolToReceive: bigint;
  /** The trader's token account. Default: the associated one. */
  readonly userTokenAccount?: PublicKey | undefined;
  /**
   * Closes the token account afterwards and returns its rent. Works only when everything is sold; otherwise it fails.
   */
  readonly closeTokenAccount?: boolean | undefined;
}

/**
 * Sells an exact amount of tokens, on a curve or on the live market. Signer: `payer`.
 *
 * A pool pays in wrapped SOL. The instructions open the wallet's associated wrapped SOL account before the trade and
 * close it afterwards, so its whole balance becomes SOL again. `keepWrappedSol` leaves it open.
 *
 * @throws InvalidArgumentError that names the parameter out of bounds
 * @throws TradingMovedError for a market that does not trade
 */
export function sell(params: SellParams | MarketSellParams): TransactionInstruction[] {
  requireObject('params', params);
  if (params.deployment !== undefined) requireDeployment(params.deployment);
  requireAccountKey('payer', params.payer);
  requirePositiveU64('tokenToSpend', params.tokenToSpend);
  requireU64('minSolToReceive', params.minSolToReceive);
  if ('market' in params) return sellOn(requireOpen(params.market), params);
  requireAccountKey('mint', params.mint);
  return sellToCurve(params);
}

/** The same where the token trades, of arguments that are checked. */
export function sellOn(
  market: CurveMarket | PoolMarket,
  params: Omit<MarketSellParams, 'market'>,
): TransactionInstruction[] {
  return market.venue === 'pool' ? sellToPool(market, params) : sellToCurve({ ...params, mint: market.mint });
}

function sellToPool(
  { mint, addresses }: PoolMarket,
  params: Omit<MarketSellParams, 'market'>,
): TransactionInstruction[] {
  const { payer: owner, tokenToSpend, minSolToReceive } = params;
  const { address: from } = tokenAccountOf('userTokenAccount', params.userTokenAccount, owner, { mint });
  const wrapped = accountOf(owner, NATIVE_MINT_ADDRESS).address;
  const trade = AMM.swap(addresses, {
    owner,
    input: 'token',
    from,
    to: wrapped,
    amountIn: tokenToSpend,
    minAmountOut: minSolToReceive,
  });
  return [
    createTokenAccountIfMissing(owner, owner, NATIVE_MINT_ADDRESS),
    trade,
    ...(params.keepWrappedSol === true ? [] : [closeTokenAccount(wrapped, owner)]),
    ...(params.closeTokenAccount === true ? [closeTokenAccount(from, owner)] : []),
  ];
}

function sellToCurve(params: SellParams): TransactionInstruction[] {
  const { mint, payer, deployment = DEFAULT_DEPLOYMENT } = params;
  const curve = curveOf(mint, deployment);
  const pdaTokenNonce = canonicalNonce(params.pdaTokenNonce, curve);
  const { address: userTokenAccount } = tokenAccountOf('userTokenAccount', params.userTokenAccount, payer, {
    mint,
  });

  const trade = sellTokenInstruction(
    {
      payerAccount: payer,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
      tokenOwnerPda: curve.address,
      tokenMint: mint,
      ownerTokenAccount: accountOf(curve.address, mint).address,
      userTokenAccount,
      feeAccount: deployment.feeReceiver,
      programAccount: deployment.programId,
      propertiesAccount: deployment.properties.address,
      logAuthorityAccount: deployment.logAuthority.address,
    },
    {
      pdaTokenNonce,
      tokenToSpend: params.tokenToSpend,
      minSolToReceive: params.minSolToReceive,
      loggingAccountBump: deployment.logAuthority.bump,
    },
    deployment.programId,
  );
  return params.closeTokenAccount === true ? [trade, closeTokenAccount(userTokenAccount, payer)] : [trade];
}
