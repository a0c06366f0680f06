import { renderTable, grouped, type Column } from '#app/cli/table.js';
import { lamportsPerToken, percent, shortened, sol } from './format.js';
import type { Step } from './step.js';

const COLUMNS: readonly Column[] = [
  { title: '#', align: 'right' },
  { title: 'step' },
  { title: 'what changed' },
  { title: 'fee', unit: 'SOL', align: 'right' },
  { title: 'price', unit: 'lamports/token', align: 'right' },
  { title: 'progress', unit: '%', align: 'right' },
  { title: 'compute', unit: 'units', align: 'right' },
  { title: 'size', unit: 'bytes', align: 'right' },
  { title: 'signature' },
];

/** The steps of the story as a table. */
export function storyTable(steps: readonly Step[], colour: boolean): string {
  const rows = steps.map((step, index) => ({
    cells: [
      `${index + 1}`,
      step.title,
      step.change,
      step.platformFee === undefined ? '' : sol(step.platformFee),
      step.price === undefined ? '' : lamportsPerToken(step.price),
      step.progressBps === undefined ? '' : percent(step.progressBps),
      step.computeUnits === undefined ? '' : grouped(step.computeUnits),
      step.bytes === undefined ? '' : grouped(step.bytes),
      step.signature === undefined ? '' : shortened(step.signature),
    ],
    style: step.outcome === 'refused' ? ('yellow' as const) : undefined,
  }));
  return renderTable(COLUMNS, rows, colour);
}
