import { causeMessage } from '../../base/logging/logged-error.js';
import { nodeErrorOf } from '../../chain/node-errors.js';

interface Checked {
  /** Name of the checked part, such as `RPC node`. */
  readonly subject: string;
  readonly detail: string;
}

interface Right extends Checked {
  readonly state: 'ok';
  readonly fix?: undefined;
  readonly runbook?: undefined;
}

interface Wrong extends Checked {
  /** `warning`: works, but perhaps not as intended. `failure`: does not work. */
  readonly state: 'warning' | 'failure';
  readonly fix: string;
  /** The paragraph that says more. */
  readonly runbook: RunbookLink;
}

export type Finding = Right | Wrong;

export const ok = (subject: string, detail: string): Finding => ({ subject, state: 'ok', detail });

type Finds = (subject: string, detail: string, fix: string, paragraph: Paragraph) => Finding;

export const warning: Finds = (subject, detail, fix, paragraph) => ({
  ...{ subject, state: 'warning', detail, fix },
  runbook: runbookLink(paragraph),
});

export const failure: Finds = (subject, detail, fix, paragraph) => ({
  ...{ subject, state: 'failure', detail, fix },
  runbook: runbookLink(paragraph),
});

/** What an error of the RPC node says, and what to do about it. */
export function problemOf(error: unknown): { readonly detail: string; readonly fix: string } {
  const ofNode = nodeErrorOf(error);
  return {
    detail: reasonOf(ofNode?.problem ?? error),
    fix: ofNode?.fix ?? 'set RPC_URL to a node that answers',
  };
}

/** The findings of checks, or that the RPC node failed meanwhile. The checks after them still run. */
export async function unlessNodeFails(
  subject: string,
  check: Promise<Finding | readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    const found = await check;
    return 'subject' in found ? [found] : found;
  } catch (error) {
    if (nodeErrorOf(error) === undefined) throw error;
    const { detail, fix } = problemOf(error);
    return [failure(subject, detail, fix, 'NodeFails')];
  }
}

/** The message of a thrown value, on one line. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message || causeMessage(error) : String(error);
  return message.replace(/\s+/g, ' ').trim();
}

// The paragraphs of docs/recover.md that findings link to. tests/repository/documents.test.ts compares both.

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

type Paragraph = (typeof PARAGRAPHS)[number];

/** Where the paragraph is, from the root of the repository. */
type RunbookLink = `docs/recover.md#${Lowercase<Paragraph>}`;

const runbookLink = (paragraph: Paragraph): RunbookLink =>
  `docs/recover.md#${paragraph.toLowerCase() as Lowercase<Paragraph>}`;
