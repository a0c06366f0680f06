import type { Command } from 'commander';
import type { Registration } from '../command.js';

export function registerStart(program: Command, { terminal }: Registration): void {
  program
    .command('start')
    .description('run the service until it is interrupted')
    .option(
      '--local',
      'run everything: a local cluster with the program, tokens that simulated wallets trade, a partner, the database in memory',
    )
    .option(
      '--json',
      'print the addresses as JSON on standard output; without --local one line, after the log lines so far',
    )
    .action(async (options: { readonly local?: boolean; readonly json?: boolean }) => {
      const { runStart } = await import('../work/start.js');
      await runStart(terminal, options);
    });
}
