import type { Command } from 'commander';
import { work, type Registration } from '../command.js';

export function registerDoctor(program: Command, registration: Registration): void {
  const command = program
    .command('doctor')
    .description(
      'check the configuration and everything it names; say what is wrong and how to fix it. Exit code 1 for failures',
    );
  work(command, registration, async () => (await import('../work/doctor.js')).runDoctor);
}
