// Compares a run with the committed compute units (`compute-units.json`).
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Conditions } from './conditions.js';
import type { Spread } from '../driver/measure.js';

export const BASELINE_PATH = fileURLToPath(new URL('compute-units.json', import.meta.url));

/** Allowed growth of a median, in basis points of the committed median. */
const MAX_GROWTH_BPS = 100;

export interface Baseline {
  readonly mints: number;
  readonly seed: number;
  readonly conditions: Conditions;
  /** Size of the program's binary. */
  readonly programBytes: number;
  readonly figures: readonly BaselineFigure[];
}

export interface BaselineFigure {
  readonly name: string;
  readonly computeUnits: Spread;
  /** Size of the longest transaction. Null for an inner call. */
  readonly bytes: number | null;
}

export function readBaseline(): Baseline {
  return JSON.parse(readFileSync(BASELINE_PATH, 'utf8')) as Baseline;
}

/**
 * Lists the problems of a run, one per line: medians that grew by more than 1 %, and instructions that only one side
 * has. For a run under other conditions the only line says that it cannot be compared.
 */
export function growthOver(baseline: Baseline, run: Baseline): string[] {
  const difference = differenceOf(baseline, run);
  if (difference !== undefined)
    return [`not comparable with scripts/bench/program/compute-units.json: ${difference}`];
  const names = new Set([...baseline.figures, ...run.figures].map(({ name }) => name));
  return [...names].flatMap((name) => {
    const [before, now] = [baseline, run].map(
      ({ figures }) => figures.find((figure) => figure.name === name)?.computeUnits.median,
    );
    if (before === undefined || now === undefined) return [`${name} is in only one of the two`];
    const grew = now * 10_000 > before * (10_000 + MAX_GROWTH_BPS);
    return grew ? [`${name}: median ${now} CU, was ${before} CU: more than 1 % above`] : [];
  });
}

/** Ignores the program's hash and compiler, because those are measured. */
function differenceOf(baseline: Baseline, run: Baseline): string | undefined {
  const conditions = ({ mints, seed, conditions: { cluster, tokenProgram } }: Baseline) =>
    `${mints} mints of seed ${seed} on ${cluster} with token program ${tokenProgram.sha256}`;
  const [before, now] = [conditions(baseline), conditions(run)];
  return before === now ? undefined : `measured were ${now}, committed are ${before}`;
}
