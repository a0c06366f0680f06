import { accountOf, curveOf } from '../accounts/of-key.js';
import { requireDeployment, DEFAULT_DEPLOYMENT } from '../accounts/deployment.js';
import * as AMM from '../amm/in-use.js';
import type { PublicKey, TransactionInstruction } from '../chain/types.js';
import { requireAccountKey, requirePositiveU64, requireU64 } from '../checks/keys.js';
import { requireObject } from '../checks/options.js';
import { buyTokenInstruction } from '../generated/instructions.js';
import { NATIVE_MINT_ADDRESS, SYSTEM_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS } from '../generated/program.js';
import { requireOpen, type CurveMarket, type Market, type PoolMarket } from '../venue/market.js';
import { canonicalNonce, tokenAccountOf, type TokenParams } from './common.js';
import { closeTokenAccount, wrapSol } from './token.js';

/** Parameters of {@link buy} on any market. */
export interface MarketBuyParams extends Omit<BuyParams, 'mint' | 'pdaTokenNonce'> {
  /** The result of `fetchMarket`. */
  readonly market: Market;
  /** Leaves the wallet's wrapped SOL account open after a trade with a pool. */
  readonly keepWrappedSol?: boolean | undefined;
}

/** Parameters of {@link buy} on a curve. */
export interface BuyParams extends TokenParams {
  /** The trader: pays the SOL, receives the tokens. Signs. */
  readonly payer: PublicKey;
  /** Lamports to spend, fee included. The trader keeps the lamports that a clipped buy does not need. */
  readonly solToSpend: bigint;
  /** Fewest token units to accept; take it from a quote. For a clipped buy it limits the price. */
  readonly minTokenToReceive: bigint;
  /** The trader's token account. Default: the associated one. */
  readonly userTokenAccount?: PublicKey | undefined;
  /** Creates the associated token account when it does not exist. On by default, unless `userTokenAccount` is given. */
  readonly createTokenAccount?: boolean | undefined;
}

/**
 * Buys tokens with an exact amount of SOL, on a curve or on the live market. Signer: `payer`.
 *
 * A pool takes wrapped SOL. The instructions open the wallet's associated wrapped SOL account before the trade and
 * close it afterwards, so its whole balance becomes SOL again. `keepWrappedSol` leaves it open.
 *
 * @throws InvalidArgumentError that names the parameter out of bounds
 * @throws TradingMovedError for a market that does not trade
 */
export function buy(params: BuyParams | MarketBuyParams): TransactionInstruction[] {
  requireObject('params', params);
  if (params.deployment !== undefined) requireDeployment(params.deployment);
  requireAccountKey('payer', params.payer);
  requirePositiveU64('solToSpend', params.solToSpend);
  requireU64('minTokenToReceive', params.minTokenToReceive);
  if ('market' in params) return buyOn(requireOpen(params.market), params);
  requireAccountKey('mint', params.mint);
  return buyFromCurve(params);
}

/** The same where the token trades, of arguments that are checked. */
export function buyOn(
  market: CurveMarket | PoolMarket,
  params: Omit<MarketBuyParams, 'market'>,
): TransactionInstruction[] {
  return market.venue === 'pool'
    ? buyFromPool(market, params)
    : buyFromCurve({ ...params, mint: market.mint });
}

function buyFromPool(
  { mint, addresses }: PoolMarket,
  params: Omit<MarketBuyParams, 'market'>,
): TransactionInstruction[] {
  const { payer: owner, solToSpend, minTokenToReceive } = params;
  const { createTokenAccount, keepWrappedSol } = params;
  const account = tokenAccountOf('userTokenAccount', params.userTokenAccount, owner, {
    mint,
    createTokenAccount,
  });
  const wrapped = accountOf(owner, NATIVE_MINT_ADDRESS).address;
  const trade = AMM.swap(addresses, {
    owner,
    input: 'sol',
    from: wrapped,
    to: account.address,
    amountIn: solToSpend,
    minAmountOut: minTokenToReceive,
  });
  const unwrap = keepWrappedSol === true ? [] : [closeTokenAccount(wrapped, owner)];
  return [...wrapSol(owner, solToSpend), ...account.creation, trade, ...unwrap];
}

function buyFromCurve(params: BuyParams): TransactionInstruction[] {
  const { mint, payer, deployment = DEFAULT_DEPLOYMENT } = params;
  const curve = curveOf(mint, deployment);
  const pdaTokenNonce = canonicalNonce(params.pdaTokenNonce, curve);
  const account = tokenAccountOf('userTokenAccount', params.userTokenAccount, payer, params);

  const trade = buyTokenInstruction(
    {
      payerAccount: payer,
      systemProgram: SYSTEM_PROGRAM_ADDRESS,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
      tokenOwnerPda: curve.address,
      tokenMint: mint,
      ownerTokenAccount: accountOf(curve.address, mint).address,
      userTokenAccount: account.address,
      feeAccount: deployment.feeReceiver,
      propertiesAccount: deployment.properties.address,
      programAccount: deployment.programId,
      logAuthorityAccount: deployment.logAuthority.address,
    },
    {
      pdaTokenNonce,
      solToSpend: params.solToSpend,
      minTokenToReceive: params.minTokenToReceive,
      loggingAccountBump: deployment.logAuthority.bump,
    },
    deployment.programId,
  );
  return [...account.creation, trade];
}
