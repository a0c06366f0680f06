-- Lamports that the treasury owes for settlements, judged by a finalized balance of a slot: credited and not paid yet, those of
-- paid settlements and of settlements recovered from the chain, and those of open settlements whose transaction can be in that
-- balance. A transaction lands after the slot of its blockhash, and a failed one pays nothing.
CREATE OR REPLACE FUNCTION settlements_owed(p_slot bigint) RETURNS numeric LANGUAGE sql STABLE AS $$
  SELECT credits_owed('settlement')
    + (SELECT coalesce(sum(sol_holders + sol_creator_credited - sol_credited), 0) FROM settlements s
      WHERE state IN ('planned', 'paid') AND (state = 'paid' OR EXISTS (
        SELECT 1 FROM authority_transactions a
        WHERE a.subject = 'settlement:' || s.id AND a.state <> 'failed' AND coalesce(a.blockhash_slot, 0) <= p_slot)))
    + (SELECT coalesce(sum(sol_left), 0) FROM recovered_settlements WHERE sol_left > 0)
$$;
