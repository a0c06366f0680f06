import type { Command } from 'commander';
import { PublicKey } from '@solana/web3.js';
import { work, type Registration, type Invocation, type Result } from '../command.js';
import { address } from '../values.js';
import { migrateToken, type MigrationReport } from '../../graduation/migration/migrate-token.js';
import { whilePaymentsOpen } from '../../reconciliation/open-payments.js';
import { sayWaiting, withContext } from '../session.js';
import { facts, percent, sol, tokens } from '../format.js';

export function register(command: Command, registration: Registration): void {
  work(command.argument('<mint>', 'the token', address), registration, runMigrate);
}

async function runMigrate({ args: [mint = ''], terminal }: Invocation<object>): Promise<Result> {
  const signal = new AbortController().signal;
  const report = await withContext(terminal, (context) =>
    whilePaymentsOpen(
      context,
      signal,
      () => migrateToken(context, new PublicKey(mint), { signal }),
      sayWaiting(terminal),
    ),
  );
  return { document: report, text: describe(report) };
}

function describe(report: MigrationReport): string {
  const { moved, contributed, transactions } = report;
  return facts([
    ['mint', report.mint],
    ['migration', report.signature],
    ['moved', `${sol(moved.sol)} SOL and ${tokens(moved.token)} tokens`],
    [
      'contributed',
      `${sol(contributed.sol)} SOL and ${tokens(contributed.token)} tokens (${percent(report.afterMigrationFeeBps)}%)`,
    ],
    [
      'this run',
      transactions.length === 0 ? 'nothing was left to do' : `finalized ${transactions.join(', ')}`,
    ],
  ]);
}
