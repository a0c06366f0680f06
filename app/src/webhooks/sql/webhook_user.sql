CREATE OR REPLACE FUNCTION webhook_user() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  PERFORM webhook_tell(NEW.wallet, 'user.registered', NEW.partner_id, NEW.wallet, json_build_object('user', NEW.wallet));
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER partner_users_told AFTER INSERT ON partner_users
  FOR EACH ROW EXECUTE FUNCTION webhook_user();
