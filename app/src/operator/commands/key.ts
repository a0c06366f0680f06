import { Option, type Command } from 'commander';
import { SCOPES, type Scope } from '../../partners/scopes.js';
import { work, type Registration, type Invocation, type Result } from '../command.js';
import { address, duration, lastingDuration, scopes, wholeNumber } from '../values.js';
import type { Database } from '../../db/database.js';
import {
  describeKeys,
  issueKey,
  revokeKey,
  rotateKey,
  type IssuedKey,
  type IssueKeyOptions,
  type KeyInfo,
} from '../../partners/keys.js';
import { withDatabase } from '../session.js';
import { facts, moment, right, tableOr } from '../format.js';

const DAY_SECONDS = 86_400;
const HIGHEST_LIMIT = 1_000_000_000;

export function register(group: Command, registration: Registration): void {
  const issue = group
    .command('issue')
    .description('create a key for a partner and show it once')
    .requiredOption('--partner <name>', "the partner's name, as users read it in the message they sign")
    .option(
      '--wallet <address>',
      'payout wallet, which earns the referral rewards; needed for a new partner',
      address,
    )
    .addOption(
      new Option('--scopes <list>', 'what the key may do, separated by commas')
        .argParser(scopes)
        .default(SCOPES, SCOPES.join(',')),
    )
    .option(
      '--expires <duration>',
      'how long it is valid, such as 90d; without it the key does not expire',
      lastingDuration,
    )
    .option(
      '--limit <requests>',
      'requests of this key in one window; without it the limit of the IP address applies',
      wholeNumber(1, HIGHEST_LIMIT),
    );
  work(issue, registration, runKeyIssue);

  const list = group.command('list').description('all keys, without their secrets');
  work(list, registration, runKeyList);

  const overlap = 'how long both keys are valid, such as 2h; 0s ends the old key at once';
  const rotate = group
    .command('rotate')
    .description('replace a key with a new one; the old key stays valid for the overlap')
    .argument('<id>', 'id of the old key, or the whole key')
    .addOption(new Option('--overlap <duration>', overlap).argParser(duration).default(DAY_SECONDS, '24h'));
  work(rotate, registration, runKeyRotate);

  const revoke = group
    .command('revoke')
    .description('end a key permanently; instances notice within a second')
    .argument('<id>', 'id of the key, or the whole key');
  work(revoke, registration, runKeyRevoke);
}

interface IssueOptions {
  readonly partner: string;
  readonly wallet?: string;
  readonly scopes: readonly Scope[];
  readonly expires?: number;
  readonly limit?: number;
}

async function runKeyIssue({ options, terminal }: Invocation<IssueOptions>): Promise<Result> {
  const terms: IssueKeyOptions = {
    partner: options.partner,
    payoutWallet: options.wallet,
    scopes: options.scopes,
    requestLimit: options.limit,
    lifetimeSeconds: options.expires,
  };
  const issued = await withDatabase(terminal, (database) => issueKey(storeOf(database), terms));
  return { document: documentOf(issued), text: issuedText(issued) };
}

async function runKeyList({ terminal }: Invocation<object>): Promise<Result> {
  const keys = await withDatabase(terminal, (database) => describeKeys(storeOf(database)));
  const text = tableOr(
    'There are no keys. `curvekit key issue` makes one.',
    [
      'id',
      'partner',
      'payout wallet',
      'scopes',
      right('limit'),
      'state',
      { title: 'expires', unit: 'UTC' },
      { title: 'last used', unit: 'UTC' },
    ],
    keys.map(({ id, partner, scopes: allowed, requestLimit, state, expiresAt, lastUsedAt }) => [
      id,
      partner.name,
      partner.payoutWallet,
      allowed.join('\n'),
      requestLimit === null ? '' : String(requestLimit),
      state,
      moment(expiresAt),
      moment(lastUsedAt),
    ]),
  );
  return { document: { keys: keys.map((info) => documentOf(info)) }, text };
}

async function runKeyRotate({
  args,
  options,
  terminal,
}: Invocation<{ readonly overlap: number }>): Promise<Result> {
  const { issued, replaced } = await withDatabase(terminal, (database) =>
    rotateKey(storeOf(database), args[0]!, { overlapSeconds: options.overlap }),
  );
  const text = `${issuedText(issued)}\n\nThe old key ${replaced.id} is good until ${moment(replaced.expiresAt)} UTC.`;
  return { document: { issued: documentOf(issued), replaced: documentOf(replaced) }, text };
}

async function runKeyRevoke({ args, terminal }: Invocation<object>): Promise<Result> {
  const revoked = await withDatabase(terminal, (database) => revokeKey(storeOf(database), args[0]!));
  return {
    document: documentOf(revoked),
    text: `Revoked the key ${revoked.id} of ${revoked.partner.name}.`,
  };
}

function storeOf(database: Database) {
  return { database, now: Date.now };
}

function documentOf({ partner, ...info }: KeyInfo | IssuedKey): object {
  return { ...info, partner: partner.name, payoutWallet: partner.payoutWallet };
}

function issuedText({ key, id, partner, scopes: allowed, requestLimit, expiresAt }: IssuedKey): string {
  return [
    facts([
      ['key', key],
      ['id', id],
      ['partner', partner.name],
      ['payout wallet', partner.payoutWallet],
      ['scopes', allowed.join(', ')],
      ['limit', requestLimit === null ? 'of the address' : `${requestLimit} requests in a window`],
      ['expires', expiresAt === null ? 'never' : `${moment(expiresAt)} UTC`],
    ]),
    '',
    'This is the only time that the key is shown. Hand it over safely.',
  ].join('\n');
}
