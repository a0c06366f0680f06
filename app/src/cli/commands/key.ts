import { Option, type Command } from 'commander';
import type { Database } from '../../db/database.js';
import {
  describeKeys,
  issueKey,
  revokeKey,
  rotateKey,
  type IssuedKey,
  type IssueKeyOptions,
  type KeyInfo,
} from '../../partner/keys.js';
import { SCOPES, type Scope } from '../../partner/scopes.js';
import { work, type Registration } from '../command.js';
import { withDatabase } from '../database.js';
import { facts, moment, tableOr } from '../format.js';
import { address, duration, lastingDuration, scopes, wholeNumber } from '../values.js';

const DAY_SECONDS = 86_400;
const HIGHEST_LIMIT = 1_000_000_000;

interface IssueOptions {
  readonly partner: string;
  readonly wallet?: string;
  readonly scopes: readonly Scope[];
  readonly expires?: number;
  readonly limit?: number;
}

export function registerKey(program: Command, registration: Registration): void {
  const key = program.command('key').description("partners' API keys");
  registerIssue(key, registration);
  registerList(key, registration);
  registerRotate(key, registration);
  registerRevoke(key, registration);
}

function registerIssue(key: Command, registration: Registration): void {
  const command = key
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
  work<IssueOptions>(command, registration, async ({ options, terminal }) => {
    const terms: IssueKeyOptions = {
      partner: options.partner,
      payoutWallet: options.wallet,
      scopes: options.scopes,
      requestLimit: options.limit,
      lifetimeSeconds: options.expires,
    };
    const issued = await withDatabase(terminal, (database) => issueKey(storeOf(database), terms));
    return { document: documentOf(issued), text: issuedText(issued) };
  });
}

function registerList(key: Command, registration: Registration): void {
  const command = key.command('list').description('all keys, without their secrets');
  work(command, registration, async ({ terminal }) => {
    const keys = await withDatabase(terminal, (database) => describeKeys(storeOf(database)));
    const text = tableOr(
      'There are no keys. `curvekit key issue` makes one.',
      [
        { title: 'id' },
        { title: 'partner' },
        { title: 'payout wallet' },
        { title: 'scopes' },
        { title: 'limit', align: 'right' },
        { title: 'state' },
        { title: 'expires', unit: 'UTC' },
        { title: 'last used', unit: 'UTC' },
      ],
      keys.map(({ id, partner, scopes: allowed, requestLimit, state, expiresAt, lastUsedAt }) => ({
        cells: [
          id,
          partner.name,
          partner.payoutWallet,
          allowed.join('\n'),
          requestLimit === null ? '' : String(requestLimit),
          state,
          moment(expiresAt),
          moment(lastUsedAt),
        ],
      })),
    );
    return { document: { keys: keys.map((info) => documentOf(info)) }, text };
  });
}

function registerRotate(key: Command, registration: Registration): void {
  const command = key
    .command('rotate')
    .description('replace a key with a new one; the old key stays valid for the overlap')
    .argument('<id>', 'id of the old key')
    .addOption(
      new Option(
        '--overlap <duration>',
        'how long both keys are valid, such as 2h; 0s ends the old key at once',
      )
        .argParser(duration)
        .default(DAY_SECONDS, '24h'),
    );
  work<{ readonly overlap: number }>(command, registration, async ({ args, options, terminal }) => {
    const { issued, replaced } = await withDatabase(terminal, (database) =>
      rotateKey(storeOf(database), args[0]!, { overlapSeconds: options.overlap }),
    );
    const text = `${issuedText(issued)}\n\nThe old key ${replaced.id} is good until ${moment(replaced.expiresAt)} UTC.`;
    return { document: { issued: documentOf(issued), replaced: documentOf(replaced) }, text };
  });
}

function registerRevoke(key: Command, registration: Registration): void {
  const command = key
    .command('revoke')
    .description('end a key permanently; instances notice within a second')
    .argument('<id>', 'id of the key');
  work(command, registration, async ({ args, terminal }) => {
    const revoked = await withDatabase(terminal, (database) => revokeKey(storeOf(database), args[0]!));
    return {
      document: documentOf(revoked),
      text: `Revoked the key ${revoked.id} of ${revoked.partner.name}.`,
    };
  });
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
