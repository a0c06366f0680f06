-- Lamports that were credited from a source (`settlement`, `referral`, `volume`) and not paid yet.
CREATE OR REPLACE FUNCTION credits_owed(p_origin text) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(amount), 0) FROM ledger_totals
  WHERE asset = 'SOL' AND origin = p_origin AND kind IN ('claimable', 'reserved')
$$;
