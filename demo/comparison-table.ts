import { grouped, renderTable, type Column } from '#app/cli/table.js';
import type { Comparison } from './comparison.js';

const COLUMNS: readonly Column[] = [
  { title: 'value' },
  { title: 'from the records', align: 'right' },
  { title: 'on chain', align: 'right' },
  { title: '' },
];

/** Every value of a token as its records and the chain tell it. */
export function comparisonTable({ checks }: Comparison, colour: boolean): string {
  const rows = checks.map(({ what, fromRecords, onChain }) => ({
    cells: [what, grouped(fromRecords), grouped(onChain), fromRecords === onChain ? 'equal' : 'DIFFERENT'],
    style: fromRecords === onChain ? undefined : ('red' as const),
  }));
  return renderTable(COLUMNS, rows, colour);
}
