-- Payments are held until the operator acts. A restart, which holds them for seconds, is no event.
CREATE OR REPLACE FUNCTION webhook_held() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'INSERT' OR NEW.held IS DISTINCT FROM OLD.held THEN
    PERFORM webhook_tell(gen_random_uuid()::text, 'payments.held', 0, 'payments', json_build_object('reason', NEW.held));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER payments_gate_told AFTER INSERT OR UPDATE ON payments_gate
  FOR EACH ROW WHEN (NEW.held IS NOT NULL) EXECUTE FUNCTION webhook_held();
CREATE OR REPLACE TRIGGER payer_marks_told AFTER INSERT OR UPDATE ON payer_marks
  FOR EACH ROW WHEN (NEW.is_lost AND NEW.held IS NOT NULL) EXECUTE FUNCTION webhook_held();
