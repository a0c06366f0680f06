/** The network's fee for each signature of a transaction, in lamports. Fixed by the Solana runtime. */
export const LAMPORTS_PER_SIGNATURE = 5_000n;
