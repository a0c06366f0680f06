import type { Command } from 'commander';
import { work, type Registration } from '../command.js';
import { registerReconcile } from './ledger-reconcile.js';

export function registerLedger(program: Command, registration: Registration): void {
  const group = program.command('ledger').description('the rewards of wallets');
  registerReconcile(group, registration);
  const command = group
    .command('check')
    .description('check from every entry and claim that the ledger adds up; exit code 1 when it does not');
  work(command, registration, async () => (await import('../work/ledger.js')).runLedgerCheck);
}
