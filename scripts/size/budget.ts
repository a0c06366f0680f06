/** Compares the hand-written lines with scripts/size/budget.json. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../program/paths.js';
import type { Kind, Lines } from './count.js';

export const BUDGET_FILE = join(ROOT, 'scripts', 'size', 'budget.json');

export interface Sums {
  /** Lines of all rooms, by kind. */
  readonly kinds: Readonly<Record<string, number>>;
  /** Lines of all kinds, by room. */
  readonly rooms: Readonly<Record<string, number>>;
}

/** The most lines of each kind and room. They only fall. */
export interface Budget extends Sums {
  /** What an issue has granted a kind or a room over its number, by the reason. */
  readonly granted: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export function readBudget(): Budget {
  return JSON.parse(readFileSync(BUDGET_FILE, 'utf8')) as Budget;
}

export function sums(lines: Lines): Sums {
  const kinds: Record<Kind, number> = { product: 0, tests: 0, tools: 0, prose: 0 };
  const rooms: Record<string, number> = {};
  for (const [room, byKind] of Object.entries(lines).sort(([a], [b]) => a.localeCompare(b))) {
    rooms[room] = 0;
    for (const [kind, count] of Object.entries(byKind) as [Kind, number][]) {
      kinds[kind] += count;
      rooms[room] += count;
    }
  }
  return { kinds, rooms };
}

/** Undefined for a room without a budget. */
export function budgetOf(name: string, { kinds, rooms, granted }: Budget): number | undefined {
  const own = kinds[name] ?? rooms[name];
  if (own === undefined) return undefined;
  return Object.values(granted).reduce((sum, grant) => sum + (grant[name] ?? 0), own);
}

/** A sentence for each kind or room over its budget. */
export function overBudget(found: Sums, budget: Budget): string[] {
  return [...Object.entries(found.kinds), ...Object.entries(found.rooms)].flatMap(([name, lines]) => {
    const most = budgetOf(name, budget);
    if (most === undefined) return [`${name} has no budget: add it to scripts/size/budget.json`];
    if (lines <= most) return [];
    return [
      `${name} has ${lines} hand-written lines, and ${most} are allowed: take out what the change replaces`,
    ];
  });
}

/** Today's lines where they are fewer. Rooms that are gone have no budget any more. */
export function lowered(budget: Budget, found: Sums): Budget {
  const lower = (most: Sums['rooms'], now: Sums['rooms']) =>
    Object.fromEntries(
      Object.entries(most).flatMap(([name, lines]) =>
        now[name] === undefined ? [] : [[name, Math.min(lines, now[name])]],
      ),
    );
  return { ...budget, kinds: lower(budget.kinds, found.kinds), rooms: lower(budget.rooms, found.rooms) };
}
