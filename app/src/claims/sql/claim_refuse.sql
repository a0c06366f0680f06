-- Ends the statement that stores a claim: error CK001, whose message is the reason.
CREATE OR REPLACE FUNCTION claim_refuse(p_reason claim_refusal, p_detail text DEFAULT '') RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'CK001', MESSAGE = p_reason::text, DETAIL = p_detail;
END $$;
