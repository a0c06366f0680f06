export const SOL = 1_000_000_000n;

/** One token of a launch, in base units: a token has six decimals. */
export const TOKEN = 1_000_000n;

/** Lamports of a mint's account on the local clusters. */
export const MINT_RENT = 1_461_600n;

/** The largest amount that the program and the SDK accept. */
export const U64_MAX = 2n ** 64n - 1n;

export const NEVER_ABORTED = new AbortController().signal;
