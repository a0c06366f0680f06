import { Option, type Command } from 'commander';
import { CLAIM_STATES } from '../../db/schema/values.js';
import { work, type Registration } from '../command.js';
import { address, nodeUrl, wholeNumber } from '../values.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 10_000;

const load = () => import('../work/claims.js');

export function registerClaims(program: Command, registration: Registration): void {
  const group = program.command('claims').description('claims of rewards');
  const list = group
    .command('list')
    .description('claims, the newest first')
    .addOption(new Option('--state <state>', 'only those in this state').choices(CLAIM_STATES))
    .option('--wallet <address>', 'only claims of this wallet', address)
    .option('--mint <address>', 'only those of this token', address)
    .option('--limit <count>', 'how many at most', wholeNumber(1, MAX_LIMIT), DEFAULT_LIMIT);
  work(list, registration, async () => (await load()).runClaimsList);

  const show = group
    .command('show')
    .description('one claim')
    .argument('<signature>', 'signature of its transaction, as in `claims list`');
  work(show, registration, async () => (await load()).runClaimsShow);

  const recheck = group
    .command('recheck')
    .description(
      "check claims in progress on another node, and end those that it finds or proves expired: for claims that the service's own node cannot decide. Exit code 1 when one stays undecided",
    )
    .argument('[signature]', 'one claim; all claims in progress without it')
    .requiredOption('--rpc-url <url>', 'a node of the same cluster, with the whole history', nodeUrl);
  work(recheck, registration, async () => (await load()).runClaimsRecheck);
}
