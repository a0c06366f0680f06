import { Option, type Command } from 'commander';
import { SCOPES } from '../../partners/scopes.js';
import { work, type Registration } from '../command.js';
import { address, duration, lastingDuration, scopes, wholeNumber } from '../values.js';

const DAY_SECONDS = 86_400;
const HIGHEST_LIMIT = 1_000_000_000;

const load = () => import('../work/key.js');

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
  work(command, registration, async () => (await load()).runKeyIssue);
}

function registerList(key: Command, registration: Registration): void {
  const command = key.command('list').description('all keys, without their secrets');
  work(command, registration, async () => (await load()).runKeyList);
}

function registerRotate(key: Command, registration: Registration): void {
  const command = key
    .command('rotate')
    .description('replace a key with a new one; the old key stays valid for the overlap')
    .argument('<id>', 'id of the old key, or the whole key')
    .addOption(
      new Option(
        '--overlap <duration>',
        'how long both keys are valid, such as 2h; 0s ends the old key at once',
      )
        .argParser(duration)
        .default(DAY_SECONDS, '24h'),
    );
  work(command, registration, async () => (await load()).runKeyRotate);
}

function registerRevoke(key: Command, registration: Registration): void {
  const command = key
    .command('revoke')
    .description('end a key permanently; instances notice within a second')
    .argument('<id>', 'id of the key, or the whole key');
  work(command, registration, async () => (await load()).runKeyRevoke);
}
