/** `npm run size`: the hand-written lines of each room beside their budget. */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { CommandError, runCommand } from '../command-line.js';
import { renderTable, right, showsColour } from '#app/operator/table.js';
import { BUDGET_FILE, budgetOf, lowered, overBudget, readBudget, sums } from './budget.js';
import { countLines } from './count.js';

const HELP = `npm run size [-- --lower] [-- --json]

Prints the hand-written lines of each room and of each kind beside scripts/size/budget.json, and fails above it.
Locked, generated and recorded files do not count.

  --lower  writes today's lines where they are below the budget; the budget never rises by itself
  --json   one JSON object`;

const { values } = parseArgs({
  options: { lower: { type: 'boolean' }, json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
});
runCommand(HELP, () => {
  if (values.help) return console.log(HELP);
  const found = sums(countLines());
  const budget = readBudget();
  if (values.lower) writeFileSync(BUDGET_FILE, `${JSON.stringify(lowered(budget, found), null, 2)}\n`);
  if (values.json) console.log(JSON.stringify({ ...found, budget }));
  else {
    const rows = [...Object.entries(found.kinds), ...Object.entries(found.rooms)].map(([name, lines]) => [
      name,
      String(lines),
      String(budgetOf(name, budget) ?? 'none'),
    ]);
    const columns = ['kind or room', right('lines'), right('budget')] as const;
    console.log(renderTable(columns, rows, showsColour(process.stdout)));
  }
  const over = overBudget(found, budget);
  if (over.length > 0) throw new CommandError(over.join('\n'));
});
