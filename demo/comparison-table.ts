import { grouped, renderTable, type Column } from '#app/cli/table.js';
import type { Comparison } from './comparison.js';

const COLUMNS: readonly Column[] = [
  { title: 'value' },
  { title: 'from the records', align: 'right' },
  { title: 'on chain', align: 'right' },
  { title: '' },
];

/** A table of a token's values according to its records and to the chain. */
export function comparisonTable({ checks }: Comparison, colour: boolean): string {
  const rows = checks.map(({ what, fromRecords, onChain }) => ({
    cells: [what, grouped(fromRecords), grouped(onChain), fromRecords === onChain ? 'equal' : 'DIFFERENT'],
    style: fromRecords === onChain ? undefined : ('red' as const),
  }));
  return renderTable(COLUMNS, rows, colour);
}
