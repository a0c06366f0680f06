// Helpers of the instruction builders. The builders need public keys only, derive every address and bump, and check
// every argument before anything is sent. The one-to-one builders of the interface are in generated/instructions.ts.
import { accountOf } from '../accounts/of-key.js';
import type { AddressWithBump, Deployment } from '../accounts/deployment.js';
import type { PublicKey, TransactionInstruction } from '../chain/types.js';
import { requireAccountKey } from '../checks/keys.js';
import { InvalidArgumentError } from '../errors/index.js';
import { createTokenAccountIfMissing } from './token.js';

/** Parameters of every builder. */
export interface CommonParams {
  /** The build to address. Default: the default deployment. */
  readonly deployment?: Deployment | undefined;
}

/** Parameters of the builders that use a curve. */
export interface TokenParams extends CommonParams {
  /** The token's mint. */
  readonly mint: PublicKey;
  /** Canonical bump of the curve. Derived when omitted, checked when given. */
  readonly pdaTokenNonce?: number | undefined;
}

/** The curve's canonical bump. A given bump must equal it. */
export function canonicalNonce(given: number | undefined, { address, bump }: AddressWithBump): number {
  if (given !== undefined && given !== bump) {
    throw new InvalidArgumentError(
      'pdaTokenNonce',
      `is ${given}; the canonical bump of this mint's curve ${address.toBase58()} is ${bump}. Leave it out to have it derived`,
    );
  }
  return bump;
}

/** The token account of `owner`, and the instruction that creates the associated one if requested. */
export function tokenAccountOf(
  argument: 'userTokenAccount' | 'feeTokenAccount',
  given: PublicKey | undefined,
  owner: PublicKey,
  { mint, createTokenAccount }: { mint: PublicKey; createTokenAccount?: boolean | undefined },
): { address: PublicKey; creation: TransactionInstruction[] } {
  if (given === undefined) {
    const creation = createTokenAccount === false ? [] : [createTokenAccountIfMissing(owner, owner, mint)];
    return { address: accountOf(owner, mint).address, creation };
  }
  if (createTokenAccount === true) {
    throw new InvalidArgumentError(
      'createTokenAccount',
      `only creates the associated account: leave out ${argument}`,
    );
  }
  return { address: requireAccountKey(argument, given), creation: [] };
}
