import type { Command } from 'commander';
import { work, type Registration } from '../command.js';
import { address, wholeNumber } from '../values.js';

const LONGEST_SECONDS = 604_800;

export function registerSettle(program: Command, registration: Registration): void {
  const command = program
    .command('settle')
    .description(
      'settle the community storages of one token, or of all: finish open settlements, start new ones where due, sample holders, pay. Waits until done; exit code 1 when a settlement waits or failed',
    )
    .argument('[mint]', 'the token; all tokens without it', address)
    .option(
      '--period <seconds>',
      'length of new periods; without it SETTLEMENT_INTERVAL_SECONDS, or 60 where that is 0',
      wholeNumber(1, LONGEST_SECONDS),
    );
  work(command, registration, async () => (await import('../work/settle.js')).runSettle);
}
