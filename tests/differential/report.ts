// The printed report of a run.
import { renderTable, grouped } from '#app/cli/table.js';
import type { Finding } from './explore.js';
import type { Lab } from './lab.js';
import type { Tally } from './outcomes.js';
import { INSTRUCTIONS } from './steps.js';

/** A table of outcome counts per instruction. */
export function tableOf(tally: Tally, colour: boolean): string {
  const rows = INSTRUCTIONS.flatMap((instruction) =>
    tally.of(instruction).map(([outcome, count]) => ({ cells: [instruction, outcome, grouped(count)] })),
  );
  return renderTable(
    [{ title: 'instruction' }, { title: 'outcome on both builds' }, { title: 'steps', align: 'right' }],
    rows,
    colour,
  );
}

/** The steps of a finding, and the difference at their end. */
export function explain(lab: Lab, { seed, spec, steps }: Finding): string {
  const { played, difference } = lab.run(spec, steps);
  const lines = played.map(({ what, result }, index) => `  ${index + 1}. ${what}\n     ${result}`);
  const end = difference === undefined ? 'no difference when taken again' : difference.message;
  return [
    `The two builds differ (repeat: --seed ${seed}). The shortest sequence, in an arena of`,
    `  ${Object.entries(spec)
      .map(([name, value]) => `${name} ${value}`)
      .join(', ')}`,
    ...lines,
    `  ${played.length + 1}. ${end}`,
  ].join('\n');
}
