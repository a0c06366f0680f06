-- Tells the operator of launches and graduations among records that are final now, in the order of the chain. Events that happened
-- before the oldest kept one are not told: a reindex would tell them again.
CREATE OR REPLACE FUNCTION webhook_tokens(p_first bigint, p_last bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  oldest bigint := extract(epoch FROM now() - interval '7 days');
BEGIN
  PERFORM webhook_tell(f.mint, f.type, 0, f.mint, f.data) FROM (
    SELECT r.id, 'token.launched' AS type, t.mint, json_build_object('mint', t.mint, 'name', t.name, 'symbol', t.symbol, 'uri', t.uri,
      'creator', t.creator, 'signature', r.signature) AS data
    FROM other_records r JOIN tokens t ON t.mint = r.mint
    WHERE r.id BETWEEN p_first AND p_last AND r.kind = 'create' AND t.created_at > oldest
    UNION ALL
    SELECT t.id, 'token.graduated', t.mint, json_build_object('mint', t.mint, 'signature', t.signature)
    FROM trades t WHERE t.id BETWEEN p_first AND p_last AND t.graduated AND t."timestamp" > oldest
    ORDER BY 1) f;
END $$;
