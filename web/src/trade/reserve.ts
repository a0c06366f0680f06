// SOL that a trade needs beside its amount, so that "Max" leaves a wallet that works.
const SIGNATURE_FEE = 10_000n;
/** Rent of a token account. */
export const TOKEN_ACCOUNT_RENT = 2_039_280n;
/** An account that holds less is refused by the cluster. */
const LEAST_BALANCE = 890_880n;
export const NETWORK_FEE = 5_000n;

interface Needs {
  /** The wallet has no account of this token yet. */
  readonly opensAccount: boolean;
  /** A pool is paid in wrapped SOL, whose account exists during the trade. */
  readonly wrapsSol: boolean;
}

export function solToKeep({ opensAccount, wrapsSol }: Needs): bigint {
  return (
    SIGNATURE_FEE +
    LEAST_BALANCE +
    (opensAccount ? TOKEN_ACCOUNT_RENT : 0n) +
    (wrapsSol ? TOKEN_ACCOUNT_RENT : 0n)
  );
}
