// SOL that a trade needs beside its amount, so that "Max" leaves a wallet that works.
/** Rent of a token account. */
export const TOKEN_ACCOUNT_RENT = 2_039_280n;
/** An account that holds less is refused by the cluster. */
const LEAST_BALANCE = 890_880n;
const SIGNATURE_FEE = 5_000n;
/** Priority fees follow the cluster, up to half a lamport for a compute unit. */
export const HIGHEST_COMPUTE_UNIT_PRICE = 500_000n;
/** At that price, of the 200,000 compute units that no trade reaches. */
const MOST_PRIORITY_FEE = 100_000n;
export const MOST_NETWORK_FEE = SIGNATURE_FEE + MOST_PRIORITY_FEE;

interface Needs {
  /** The wallet has no account of this token yet. */
  readonly opensAccount: boolean;
  /** A pool is paid in wrapped SOL, whose account exists during the trade. */
  readonly wrapsSol: boolean;
}

export function solToKeep({ opensAccount, wrapsSol }: Needs): bigint {
  return (
    MOST_NETWORK_FEE +
    LEAST_BALANCE +
    (opensAccount ? TOKEN_ACCOUNT_RENT : 0n) +
    (wrapsSol ? TOKEN_ACCOUNT_RENT : 0n)
  );
}
