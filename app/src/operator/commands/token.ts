import type { Command } from 'commander';
import { work, type Registration } from '../command.js';
import { address, wholeNumber } from '../values.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 10_000;

const load = () => import('../work/token.js');

export function registerToken(program: Command, registration: Registration): void {
  const group = program.command('token').description('indexed tokens');
  const list = group
    .command('list')
    .description('tokens, the newest first')
    .option('--limit <count>', 'how many at most', wholeNumber(1, MAX_LIMIT), DEFAULT_LIMIT);
  work(list, registration, async () => (await load()).runTokenList);

  const show = group
    .command('show')
    .description('one token: its terms, its curve, the totals of its trades')
    .argument('<mint>', 'address of the token', address);
  work(show, registration, async () => (await load()).runTokenShow);

  const refetch = group
    .command('refetch')
    .description("fetch a token's metadata and picture again now")
    .argument('<mint>', 'address of the token', address);
  work(refetch, registration, async () => (await load()).runTokenRefetch);

  const hide = group
    .command('hide')
    .description(
      'hide what the creator of a token chose: it leaves the board and has no name and no picture; trading goes on',
    )
    .argument('<mint>', 'address of the token', address)
    .option('--reason <text>', 'why, for the operators', 'not given');
  work(hide, registration, async () => (await load()).runTokenHide);

  const unhide = group
    .command('unhide')
    .description('show a token again')
    .argument('<mint>', 'address of the token', address);
  work(unhide, registration, async () => (await load()).runTokenUnhide);
}
