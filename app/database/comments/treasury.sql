-- Amounts that open claims take from the treasury, and fees moved to it. The functions in `claims/sql` keep
-- them, so that checking a claim needs no sums.
COMMENT ON TABLE treasury IS 'A row with asset `SOL`, and one per claimed token, whose asset is its mint.';
COMMENT ON COLUMN treasury.reserved IS 'Reserved by claims in progress, without what fees back.';
COMMENT ON COLUMN treasury.costs IS 'Lamports that token claims in progress take for network fees and rent.';
COMMENT ON COLUMN treasury.referral_funded IS 'Lamports of fees moved to the treasury. They back referral rewards first, then volume rewards.';
COMMENT ON COLUMN treasury.referral_cover IS 'Lamports of these fees that only referral rewards may use: at most what partners are owed. Negative when rewards were paid that no fees backed.';
COMMENT ON COLUMN treasury.referral_reserved IS 'The referral rewards that claims have reserved, and those that were paid.';
COMMENT ON COLUMN treasury.volume_reserved IS 'The same of volume rewards, which have a cover of their own.';
COMMENT ON COLUMN treasury.spent_slot IS 'The newest balance of which lamports were used that may be fees not booked yet. Fees of an earlier slot raise the cover only when another balance shows them.';
COMMENT ON COLUMN treasury.settled_slot IS 'The newest slot with a payment. A balance of an older slot does not include it.';
COMMENT ON TABLE treasury_fundings IS 'Fees moved to the treasury.';
COMMENT ON COLUMN treasury_fundings.amount IS 'Lamports.';
