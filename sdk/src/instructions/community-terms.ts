/** The terms for the migrated liquidity of a token, in basis points. */
export interface CommunityTerms {
  /** Share of the migrated liquidity for the community: 0, 25, 50, 100, 200 or 500. */
  readonly afterMigrationFee: number;
  /**
   * Share of a community settlement that is burned. The three shares are at most 10,000 together; the creator gets the
   * rest.
   */
  readonly afterMigrationBurnBp: number;
  /** Share of the holders. */
  readonly afterMigrationHoldersBp: number;
  /** Share that is added to the liquidity. */
  readonly afterMigrationLpBp: number;
}

/**
 * The default terms of a token. The community gets nothing of the migrated liquidity, so there is nothing to burn, to
 * give to holders or to add to the liquidity. With a fee but without shares, the creator gets all of the fee.
 */
export const COMMUNITY_TERMS: CommunityTerms = /* @__PURE__ */ Object.freeze({
  afterMigrationFee: 0,
  afterMigrationBurnBp: 0,
  afterMigrationHoldersBp: 0,
  afterMigrationLpBp: 0,
});
