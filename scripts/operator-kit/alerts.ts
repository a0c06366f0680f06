// What wakes an operator. Each alert has a paragraph of its own in docs/recover.md.

export interface Alert {
  readonly name: string;
  /** PromQL. */
  readonly expr: string;
  /** How long it must hold. */
  readonly for: string;
  /** `page`: money or the whole service is affected now. `ticket`: within the working day. */
  readonly severity: 'page' | 'ticket';
  readonly summary: string;
}

const HTTP = 'curvekit_http_request_seconds';

export const ALERTS: readonly Alert[] = [
  {
    name: 'LedgerWrong',
    expr: 'max(curvekit_ledger_problems) > 0',
    for: '0m',
    severity: 'page',
    summary: 'The sums of the ledger are wrong',
  },
  {
    name: 'PaidAfterExpiry',
    expr: 'sum(increase(curvekit_claims_paid_after_expiry_total[1h])) > 0',
    for: '0m',
    severity: 'page',
    summary: 'A claim was paid after the RPC node had proved that it never would be',
  },
  {
    name: 'PaymentsHeld',
    expr: 'max(curvekit_payments_held) > 0',
    for: '10m',
    severity: 'page',
    summary: 'The service pays no claims and settles nothing',
  },
  {
    name: 'InstanceDown',
    expr: 'up{job="curvekit"} == 0',
    for: '1m',
    severity: 'page',
    summary: 'An instance does not answer',
  },
  {
    name: 'ServerErrors',
    expr: `sum(rate(${HTTP}_count{status=~"5.."}[5m])) / sum(rate(${HTTP}_count[5m])) > 0.01`,
    for: '5m',
    severity: 'page',
    summary: 'More than 1 % of the requests end with a 5xx status',
  },
  {
    name: 'SlowRequests',
    expr: `histogram_quantile(0.99, sum by (le) (rate(${HTTP}_bucket{route!~".*stream.*"}[5m]))) > 1`,
    for: '10m',
    severity: 'ticket',
    summary: 'One request of a hundred takes longer than a second',
  },
  {
    name: 'IndexerBehind',
    expr: 'min(curvekit_indexer_lag_slots) > 150',
    for: '5m',
    severity: 'page',
    summary: 'The index is more than a minute behind the chain',
  },
  {
    name: 'IndexerWithoutLeader',
    expr: 'sum(curvekit_indexer_leader) < 1',
    for: '1m',
    severity: 'page',
    summary: 'No instance indexes, pays or settles',
  },
  {
    name: 'IndexerHeld',
    expr: 'max(curvekit_indexer_held) > 0',
    for: '5m',
    severity: 'page',
    summary: 'The RPC node lacks a part of the history, so nothing is booked',
  },
  {
    name: 'IndexerGaps',
    expr: 'sum(increase(curvekit_indexer_gaps_total[15m])) > 0',
    for: '0m',
    severity: 'ticket',
    summary: 'A record does not follow from those before it',
  },
  {
    name: 'CurvesMismatched',
    expr: 'max(curvekit_indexer_mismatched_curves) > 0',
    for: '5m',
    severity: 'page',
    summary: 'Indexed curves differ from their accounts on chain',
  },
  {
    name: 'TransactionsUnreadable',
    expr: 'max(curvekit_indexer_unreadable_transactions) + max(curvekit_payments_unreadable_transactions) > 0',
    for: '1h',
    severity: 'ticket',
    summary: 'Transactions cannot be read and are set aside',
  },
  {
    name: 'NodeErrors',
    expr: 'sum(rate(curvekit_indexer_node_errors_total[5m])) > 1',
    for: '10m',
    severity: 'ticket',
    summary: 'The RPC node refuses more than one request a second',
  },
  {
    name: 'FeedDown',
    expr: 'max(curvekit_feed_down) + max(curvekit_feed_behind_slots) > 0',
    for: '10m',
    severity: 'ticket',
    summary: 'The gRPC feed delivers nothing, or too late: the RPC node is asked instead',
  },
  {
    name: 'FeedWrong',
    expr: 'sum(increase(curvekit_feed_transactions_total{outcome=~"missed|mismatched"}[15m])) > 100',
    for: '0m',
    severity: 'ticket',
    summary: 'The gRPC feed skips transactions, or sends others than the RPC node lists',
  },
  {
    name: 'TasksWaiting',
    expr: 'max(curvekit_tasks_waiting{kind!="metadata"}) > 0',
    for: '1h',
    severity: 'ticket',
    summary: 'Something could not be done for an hour and is tried again',
  },
  {
    name: 'DatabaseUnwritable',
    expr: 'min(curvekit_database_writable) < 1',
    for: '1m',
    severity: 'page',
    summary: 'The database cannot be written: its disk may be full, or it is read-only',
  },
  {
    name: 'TradesWithoutPartition',
    expr: 'max(curvekit_trade_partitions_missing) > 0',
    for: '1m',
    severity: 'page',
    summary: 'A partition of the table of trades was dropped or detached by hand',
  },
  {
    name: 'ReplicaLeftOut',
    expr: 'max(curvekit_database_replicas_left_out) > 0',
    for: '5m',
    severity: 'ticket',
    summary: 'A standby of the database serves no reads',
  },
  {
    name: 'RedisUnanswered',
    expr: 'max(curvekit_redis_unanswered) > 0',
    for: '1m',
    severity: 'ticket',
    summary: 'Redis does not answer, so each instance counts requests by itself',
  },
  {
    name: 'SignerFails',
    expr: 'sum(increase(curvekit_signer_failures_total[10m])) + (1 - min(curvekit_signer_up)) > 0',
    for: '0m',
    severity: 'page',
    summary: 'A signer is down, or does not sign for the service',
  },
  {
    name: 'JobOverruns',
    expr: 'sum(increase(curvekit_job_overruns_total[1h])) > 0',
    for: '0m',
    severity: 'ticket',
    summary: 'A job waited too long for something and was given up',
  },
  {
    name: 'MetadataStuck',
    expr: 'min(curvekit_metadata_oldest_unfetched_seconds) > 300',
    for: '0m',
    severity: 'ticket',
    summary: 'The metadata of new tokens is not fetched',
  },
  {
    name: 'PeerUnanswered',
    expr: 'max(curvekit_peer_unanswered) > 0',
    for: '10m',
    severity: 'ticket',
    summary: "The bucket, the price source, the receiver of traces or the node's websocket does not answer",
  },
  {
    name: 'PaymentsNotReconciled',
    expr: 'time() - max(curvekit_payments_reconciled_timestamp_seconds) > 300',
    for: '5m',
    severity: 'page',
    summary: 'No reconciliation of the payments with the chain has ended for minutes',
  },
  {
    name: 'KeyShortOfSol',
    expr: 'min by (key) (curvekit_key_balance_lamports) < 1e7',
    for: '10m',
    severity: 'page',
    summary: 'A key that pays for transactions has less than 0.01 SOL',
  },
  {
    name: 'DatabasePoolFull',
    expr: 'max by (pool) (curvekit_database_pool_waiting) > 0',
    for: '5m',
    severity: 'ticket',
    summary: 'Queries wait for a connection to the database',
  },
  {
    name: 'ClaimsUndecidable',
    expr: 'max(curvekit_claims_undecidable) > 0',
    for: '30m',
    severity: 'ticket',
    summary: 'Claims can be neither found nor proved gone',
  },
  {
    name: 'TreasuryShort',
    expr: 'sum(increase(curvekit_claims_refused_treasury_total[10m])) > 10',
    for: '0m',
    severity: 'page',
    summary: 'Claims are refused because the treasury cannot pay them',
  },
  {
    name: 'AccountsOpened',
    expr: 'sum(increase(curvekit_claims_opening_accounts_total[1h])) > 500',
    for: '0m',
    severity: 'ticket',
    summary: 'The treasury pays the rent of more than 500 token accounts an hour',
  },
  {
    name: 'ReferralsUnfunded',
    expr: 'max(curvekit_referrals_unfunded_lamports) > 1e9',
    for: '30m',
    severity: 'ticket',
    summary: 'More than 1 SOL of referral rewards waits for its fees',
  },
  {
    name: 'GraduationsWaiting',
    expr: 'max(curvekit_graduations_waiting) > 0',
    for: '2m',
    severity: 'page',
    summary: 'Curves are sold out and have no pool',
  },
  {
    name: 'SettlementsTroubled',
    expr: 'max(curvekit_settlements_troubled) > 0',
    for: '1h',
    severity: 'ticket',
    summary: 'Settlements fail again and again',
  },
];

/** The address of an alert's paragraph, from the root of the repository. */
export const runbookOf = ({ name }: Alert): string => `docs/recover.md#${name.toLowerCase()}`;

/** A file of rules for Prometheus. */
export function alertRules(): string {
  const text = (value: string): string => JSON.stringify(value);
  const rules = ALERTS.map((alert) =>
    [
      `      - alert: ${alert.name}`,
      `        expr: ${text(alert.expr)}`,
      `        for: ${alert.for}`,
      `        labels: { severity: ${alert.severity} }`,
      '        annotations:',
      `          summary: ${text(alert.summary)}`,
      `          runbook: ${text(runbookOf(alert))}`,
    ].join('\n'),
  );
  return [
    '# Generated by `npm run build:operator-kit` from scripts/operator-kit/alerts.ts.',
    'groups:',
    '  - name: curvekit',
    '    rules:',
    ...rules,
    '',
  ].join('\n');
}
