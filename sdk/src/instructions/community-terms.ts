/** What becomes of the migrated liquidity, in basis points. */
export interface CommunityTerms {
  /** Share of the migrated liquidity for the community: 0, 25, 50, 100, 200 or 500. */
  readonly afterMigrationFee: number;
  /** Burned share of a community settlement. The three shares are at most 10,000 together; the creator gets what they leave. */
  readonly afterMigrationBurnBp: number;
  /** Holders' share. */
  readonly afterMigrationHoldersBp: number;
  /** Liquidity's share. */
  readonly afterMigrationLpBp: number;
}

/**
 * The terms of a token whose creator chooses none. The community gets nothing of the migrated liquidity, so nothing is left to burn, to
 * share among holders or to add to the liquidity. Of a fee without shares, all goes to the creator.
 */
export const COMMUNITY_TERMS: CommunityTerms = /* @__PURE__ */ Object.freeze({
  afterMigrationFee: 0,
  afterMigrationBurnBp: 0,
  afterMigrationHoldersBp: 0,
  afterMigrationLpBp: 0,
});
