import type { PublicKey, TransactionInstruction } from '@solana/web3.js';
import { associatedTokenAddress, curveAddress } from '../addresses.js';
import { DEFAULT_DEPLOYMENT } from '../deployment.js';
import { buyTokenInstruction } from '../generated/instructions.js';
import { SYSTEM_PROGRAM_ADDRESS, TOKEN_PROGRAM_ADDRESS } from '../generated/program.js';
import { requireAccountKey, requirePositiveU64 } from '../validation.js';
import { canonicalNonce, tokenAccountOf, type TokenParams } from './common.js';

/** Parameters of {@link buy}. */
export interface BuyParams extends TokenParams {
  /** The trader: pays the SOL, receives the tokens. Signs. */
  readonly payer: PublicKey;
  /** Lamports to spend, fee included. What a clipped buy leaves stays with the trader. */
  readonly solToSpend: bigint;
  /** Fewest token units to accept; take it from a quote. For a clipped buy it binds the price. */
  readonly minTokenToReceive: bigint;
  /** The trader's token account; the associated one when left out. */
  readonly userTokenAccount?: PublicKey | undefined;
  /** Creates the associated token account where it is missing. On by default, unless `userTokenAccount` is given. */
  readonly createTokenAccount?: boolean | undefined;
}

/**
 * Buys tokens with an exact amount of SOL. Signer: `payer`.
 *
 * @throws InvalidArgumentError that names the parameter out of bounds
 */
export function buy(params: BuyParams): TransactionInstruction[] {
  const { mint, payer, deployment = DEFAULT_DEPLOYMENT } = params;
  requireAccountKey('payer', payer);
  const curve = curveAddress(mint, deployment);
  const pdaTokenNonce = canonicalNonce(params.pdaTokenNonce, curve);
  const solToSpend = requirePositiveU64('solToSpend', params.solToSpend);
  const account = tokenAccountOf('userTokenAccount', params.userTokenAccount, payer, params);

  const trade = buyTokenInstruction(
    {
      payerAccount: payer,
      systemProgram: SYSTEM_PROGRAM_ADDRESS,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
      tokenOwnerPda: curve.address,
      tokenMint: mint,
      ownerTokenAccount: associatedTokenAddress(curve.address, mint).address,
      userTokenAccount: account.address,
      feeAccount: deployment.feeReceiver,
      propertiesAccount: deployment.properties.address,
      programAccount: deployment.programId,
      logAuthorityAccount: deployment.logAuthority.address,
    },
    {
      pdaTokenNonce,
      solToSpend,
      minTokenToReceive: params.minTokenToReceive,
      loggingAccountBump: deployment.logAuthority.bump,
    },
    deployment.programId,
  );
  return [...account.creation, trade];
}
