-- The end of a claim, for the partner of the wallet and for a partner whose payout wallet it is.
CREATE OR REPLACE FUNCTION webhook_claim() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM webhook_tell(NEW.signature || ':' || NEW.state, 'claim.ended', p.id, NEW.signature, json_build_object(
    'signature', NEW.signature, 'wallet', NEW.wallet, 'mint', NEW.mint, 'asset', NEW.asset, 'amount', NEW.amount::text,
    'status', NEW.state))
  FROM partners p
  WHERE p.id IN (SELECT partner_id FROM webhook_endpoints WHERE partner_id > 0)
    AND (p.payout_wallet = NEW.wallet OR p.id = (SELECT partner_id FROM partner_users WHERE wallet = NEW.wallet));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER claims_told AFTER INSERT OR UPDATE OF state ON claims
  FOR EACH ROW WHEN (NEW.state <> 'IN_PROGRESS') EXECUTE FUNCTION webhook_claim();
