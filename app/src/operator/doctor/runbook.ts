// The paragraphs of docs/recover.md that findings link to. tests/repository/runbook.test.ts compares both.

export const PARAGRAPHS = [
  // Of findings alone.
  'AdminKeyInService',
  'AmmUnusable',
  'AuthorityNotCompared',
  'AuthorityWrong',
  'ClaimsOff',
  'ClockWrong',
  'ConfigurationRefused',
  'DatabaseConnections',
  'DatabaseUnreachable',
  'DevelopmentKeys',
  'FeeReceiverBelowRent',
  'FeesSweptElsewhere',
  'GraduationProgramMissing',
  'GraduationsOff',
  'HoldersRefused',
  'IndexOfAnother',
  'KeyFilesOpen',
  'LimitsNotShared',
  'LiquidityWithoutAddress',
  'NodeFails',
  'NothingIndexed',
  'PartnersWithoutKey',
  'ProgramMissing',
  'PropertiesMissing',
  'ProxyNotTrusted',
  'RecoveredWaiting',
  'RedisUnreachable',
  'ServiceUnnamed',
  'SettlementsOff',
  'TablesOld',
  'UploadsRefused',
  'VariablesUnused',
  'WebsocketFails',
  // Of alerts with the same cause.
  'FeedDown',
  'GraduationsWaiting',
  'IndexerBehind',
  'KeyShortOfSol',
  'LedgerWrong',
  'PaymentsHeld',
  'ReferralsUnfunded',
  'ReplicaLeftOut',
  'SettlementsTroubled',
  'SignerFails',
  'TradesWithoutPartition',
  'TreasuryShort',
] as const;

export type Paragraph = (typeof PARAGRAPHS)[number];

/** Where the paragraph is, from the root of the repository. */
export type RunbookLink = `docs/recover.md#${Lowercase<Paragraph>}`;

export const runbookLink = (paragraph: Paragraph): RunbookLink =>
  `docs/recover.md#${paragraph.toLowerCase() as Lowercase<Paragraph>}`;
