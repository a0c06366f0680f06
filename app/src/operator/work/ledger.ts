import type { Database } from '../../db/database.js';
import { sumAccounts } from '../../ledger/balances.js';
import { checkLedger } from '../../ledger/check.js';
import type { Invocation, Result } from '../command.js';
import { withDatabase } from '../database.js';
import { grouped, sol, tableOr, tokens } from '../format.js';

export function runLedgerCheck({ terminal }: Invocation<object>): Promise<Result> {
  return withDatabase(terminal, check);
}

async function check(database: Database): Promise<Result> {
  const problems = await checkLedger(database.queries, { whole: true });
  const totals = await sumAccounts(database.queries);
  const table = tableOr(
    'The ledger is empty.',
    [
      { title: 'asset' },
      { title: 'credited', unit: 'SOL, tokens', align: 'right' },
      { title: 'claimable', unit: 'SOL, tokens', align: 'right' },
      { title: 'reserved', unit: 'SOL, tokens', align: 'right' },
      { title: 'claimed', unit: 'SOL, tokens', align: 'right' },
    ],
    totals.map(({ asset, credited, claimable, reserved, claimed }) => {
      const shown = asset === 'SOL' ? sol : tokens;
      return { cells: [asset, shown(credited), shown(claimable), shown(reserved), shown(claimed)] };
    }),
  );
  const verdict =
    problems.length === 0
      ? 'The ledger adds up.'
      : `The ledger does NOT add up (${grouped(problems.length)} findings):\n${problems
          .map(({ rule, detail }) => `  ${rule}: ${detail}`)
          .join('\n')}\nStop claims (restart without TREASURY_KEYPAIR) and find out why before going on.`;
  return { document: { problems, totals }, text: `${table}\n\n${verdict}`, failed: problems.length > 0 };
}
