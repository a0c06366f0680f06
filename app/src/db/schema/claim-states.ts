// Without drizzle, so that the command line's help starts fast.
/** States of a claim. Every state except the first is final. */
export const CLAIM_STATES = ['IN_PROGRESS', 'COMPLETED', 'FAILED', 'EXPIRED'] as const;
