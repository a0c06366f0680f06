import { InvalidArgumentError, Option, type Command } from 'commander';
import { ROLES, type Role } from '../../config/roles.js';
import type { Registration } from '../command.js';

export interface StartOptions {
  readonly local?: boolean;
  readonly json?: boolean;
  readonly role?: Role;
}

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
    .addOption(
      new Option('--role <role>', `what this process does: ${ROLES.join(', ')}; as ROLE, which it overrides`)
        .argParser(role)
        .conflicts('local'),
    )
    .action(async (options: StartOptions) => {
      const { runStart } = await import('../work/start.js');
      await runStart(terminal, options);
    });
}

function role(text: string): Role {
  const known = ROLES.find((one) => one === text);
  if (known !== undefined) return known;
  throw new InvalidArgumentError(`It must be one of ${ROLES.join(', ')}; a worker also indexes.`);
}
