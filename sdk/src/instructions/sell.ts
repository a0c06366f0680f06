import type { PublicKey, TransactionInstruction } from '@solana/web3.js';
import { associatedTokenAddress, curveAddress } from '../addresses.js';
import { DEFAULT_DEPLOYMENT } from '../deployment.js';
import { sellTokenInstruction } from '../generated/instructions.js';
import { TOKEN_PROGRAM_ADDRESS } from '../generated/program.js';
import { closeTokenAccount } from '../token-instructions.js';
import { requireAccountKey, requirePositiveU64 } from '../validation.js';
import { canonicalNonce, tokenAccountOf, type TokenParams } from './common.js';

/** Parameters of {@link sell}. */
export interface SellParams extends TokenParams {
  /** The trader: pays the tokens, receives the SOL. Signs. */
  readonly payer: PublicKey;
  /** Token units to sell. */
  readonly tokenToSpend: bigint;
  /** Fewest lamports to accept after the fee; take it from a quote. */
  readonly minSolToReceive: bigint;
  /** The trader's token account; the associated one when left out. */
  readonly userTokenAccount?: PublicKey | undefined;
  /** Closes the token account afterwards and returns its rent. Only for a sale of everything: it fails otherwise. */
  readonly closeTokenAccount?: boolean | undefined;
}

/**
 * Sells an exact amount of tokens. Signer: `payer`.
 *
 * @throws InvalidArgumentError that names the parameter out of bounds
 */
export function sell(params: SellParams): TransactionInstruction[] {
  const { mint, payer, deployment = DEFAULT_DEPLOYMENT } = params;
  requireAccountKey('payer', payer);
  const curve = curveAddress(mint, deployment);
  const pdaTokenNonce = canonicalNonce(params.pdaTokenNonce, curve);
  const tokenToSpend = requirePositiveU64('tokenToSpend', params.tokenToSpend);
  const { address: userTokenAccount } = tokenAccountOf('userTokenAccount', params.userTokenAccount, payer, {
    mint,
  });

  const trade = sellTokenInstruction(
    {
      payerAccount: payer,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
      tokenOwnerPda: curve.address,
      tokenMint: mint,
      ownerTokenAccount: associatedTokenAddress(curve.address, mint).address,
      userTokenAccount,
      feeAccount: deployment.feeReceiver,
      programAccount: deployment.programId,
      propertiesAccount: deployment.properties.address,
      logAuthorityAccount: deployment.logAuthority.address,
    },
    {
      pdaTokenNonce,
      tokenToSpend,
      minSolToReceive: params.minSolToReceive,
      loggingAccountBump: deployment.logAuthority.bump,
    },
    deployment.programId,
  );
  return params.closeTokenAccount === true ? [trade, closeTokenAccount(userTokenAccount, payer)] : [trade];
}
