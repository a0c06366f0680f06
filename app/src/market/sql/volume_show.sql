-- Shows what confirmed trades come to that a reorg can still drop: those of a range more, or without one all of them anew. One row for
-- each token and wallet, whose `record_id` is minus the id of the token's address: a row for each trade costs the index more than its trade.
CREATE OR REPLACE FUNCTION volume_show(p_first bigint, p_last bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_first IS NULL THEN
    DELETE FROM pending_rewards WHERE origin = 'volume';
    SELECT min(u.id), max(u.id) INTO p_first, p_last FROM unfinalized u WHERE u.venue = 'curve';
  END IF;
  INSERT INTO pending_rewards AS w (record_id, wallet, mint, asset, amount, origin)
  SELECT -(SELECT a.id FROM addresses a WHERE a.address = p.mint), p.wallet, p.mint, 'SOL', p.amount, 'volume'
  FROM (SELECT v.mint, v.wallet, sum(v.amount) AS amount FROM volume_parts(p_first, p_last) v GROUP BY v.mint, v.wallet) p ORDER BY p.mint, p.wallet
  ON CONFLICT (record_id, wallet, origin) DO UPDATE SET amount = w.amount + excluded.amount;
END $$;
