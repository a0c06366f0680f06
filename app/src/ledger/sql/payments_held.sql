-- Null when payments may be made; else why not, in one line. A process that pays asks in the statement that stores the payment.
-- A reconciliation that is still reading does not blame the RPC node.
CREATE OR REPLACE FUNCTION payments_held() RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN gate.incarnation IS DISTINCT FROM database_incarnation() THEN
      'closed until the payments on chain are reconciled with this database, which was started, restored or not reconciled for two minutes: '
        || coalesce(gate.progress, 'waiting for an instance of the service to begin')
    WHEN gate.held IS NOT NULL THEN gate.held
    WHEN gate.reconciled_at IS NULL OR payments_outdated(gate.reconciled_at) THEN
      'closed: the payments on chain were last reconciled at ' || coalesce(
        to_char(gate.reconciled_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS') || ' UTC', 'no time')
        || coalesce(' (' || gate.progress || ')', '')
        || CASE WHEN gate.unread IS NULL THEN '; check that the service runs and its RPC_URL answers' ELSE '' END
    ELSE (SELECT min(m.held) FROM payer_marks m)
  END
  FROM (SELECT 1) AS one LEFT JOIN payments_gate AS gate ON gate.id = 1
$$;
