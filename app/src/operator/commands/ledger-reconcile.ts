// `ledger reconcile`: payments on chain that the tables lack, and what holds payments.
import type { Command } from 'commander';
import { work, type Registration } from '../command.js';

export function registerReconcile(ledger: Command, registration: Registration): void {
  const command = ledger
    .command('reconcile')
    .description(
      'compare payments of the treasury and the DEX owner on chain with the tables, and say what holds payments; exit code 1 when a payment is not booked',
    )
    .option(
      '--repair',
      'book what the tables lack, including what the service refuses to book by itself. An amount that was credited to nobody is booked as a loss',
    )
    .option(
      '--take-over',
      'make this database the one that pays from the treasury; the database that pays now stops. Use it after a restore, or when the wrong database has taken over',
    );
  work(command, registration, async () => (await import('../work/ledger-reconcile.js')).runLedgerReconcile);
}
