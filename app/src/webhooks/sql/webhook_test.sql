-- Adds an event that only one endpoint gets; gives its id, or null when the partner has no such endpoint.
CREATE OR REPLACE FUNCTION webhook_test(p_endpoint text, p_partner bigint) RETURNS text LANGUAGE sql
SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO webhook_events (id, type, partner_id, endpoint_id, subject, data)
  SELECT 'msg_' || replace(gen_random_uuid()::text, '-', ''), 'webhook.test', e.partner_id, e.id, gen_random_uuid()::text, '{}'
  FROM webhook_endpoints e WHERE e.id = p_endpoint AND e.partner_id = p_partner
  RETURNING id
$$;
