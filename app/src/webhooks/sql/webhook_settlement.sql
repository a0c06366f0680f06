CREATE OR REPLACE FUNCTION webhook_settlement() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM webhook_tell(NEW.signature, 'token.settled', 0, NEW.mint, json_build_object('mint', NEW.mint, 'settlement', NEW.id::text,
    'signature', NEW.signature, 'sol', NEW.sol::text, 'token', NEW.token::text, 'solHolders', NEW.sol_holders::text,
    'tokenHolders', NEW.token_holders::text));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER settlements_told AFTER INSERT OR UPDATE OF state ON settlements
  FOR EACH ROW WHEN (NEW.state = 'done') EXECUTE FUNCTION webhook_settlement();
