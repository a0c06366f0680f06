// SOL that a trade needs in addition to its amount, so that "Max" leaves enough in the wallet.
import { TOKEN_ACCOUNT_BYTES, type Rent } from '../chain/rent.js';

const SIGNATURE_FEE = 5_000n;
/** Priority fees follow the cluster, up to half a lamport per compute unit. */
export const HIGHEST_COMPUTE_UNIT_PRICE = 500_000n;
/** The fee at this price for 200,000 compute units, which is more than any trade uses. */
const MOST_PRIORITY_FEE = 100_000n;
export const MOST_NETWORK_FEE = SIGNATURE_FEE + MOST_PRIORITY_FEE;

interface Needs {
  /** Whether the wallet has no token account for this token yet. */
  readonly opensAccount: boolean;
  /** Whether the trade needs a temporary wrapped SOL account, as with a pool. */
  readonly wrapsSol: boolean;
}

export function solToKeep({ opensAccount, wrapsSol }: Needs, rent: Rent): bigint {
  const accounts = BigInt(opensAccount) + BigInt(wrapsSol);
  // The cluster refuses transactions that leave a wallet with less than the rent of an empty account.
  return MOST_NETWORK_FEE + rent(0) + accounts * rent(TOKEN_ACCOUNT_BYTES);
}
