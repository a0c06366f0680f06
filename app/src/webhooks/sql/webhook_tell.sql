-- Adds an event to the outbox, if an endpoint is there for it. The key names what happened: told twice, it is one event.
CREATE OR REPLACE FUNCTION webhook_tell(p_key text, p_type text, p_partner bigint, p_subject text, p_data json)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO webhook_events (id, type, partner_id, subject, data)
  SELECT 'msg_' || left(encode(sha256(convert_to(p_type || ':' || p_partner || ':' || p_key, 'UTF8')), 'hex'), 32), p_type, p_partner,
    p_subject, p_data
  WHERE EXISTS (SELECT 1 FROM webhook_endpoints e WHERE e.partner_id = p_partner AND (e.types IS NULL OR p_type = ANY (e.types)))
  ON CONFLICT (id) DO NOTHING
$$;
