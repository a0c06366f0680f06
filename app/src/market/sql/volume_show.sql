-- Shows what confirmed trades come to that a reorg can still drop: these more, or without ids all of them anew. One row for each token and
-- wallet, whose `record_id` is minus the id of the token's address: a row for each trade costs the index more than its trade.
CREATE OR REPLACE FUNCTION volume_show(p_ids bigint[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF p_ids IS NULL THEN
    DELETE FROM pending_rewards WHERE origin = 'volume';
    p_ids := ARRAY(SELECT u.id FROM unfinalized u WHERE u.venue = 'curve');
  END IF;
  INSERT INTO pending_rewards AS w (record_id, wallet, mint, asset, amount, origin)
  SELECT -(SELECT a.id FROM addresses a WHERE a.address = p.mint), p.wallet, p.mint, 'SOL', p.amount, 'volume'
  FROM (SELECT v.mint, v.wallet, sum(v.amount) AS amount FROM volume_parts(p_ids) v GROUP BY v.mint, v.wallet) p ORDER BY p.mint, p.wallet
  ON CONFLICT (record_id, wallet, origin) DO UPDATE SET amount = w.amount + excluded.amount;
END $$;
