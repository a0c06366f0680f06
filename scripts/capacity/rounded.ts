import { grouped } from '#app/cli/table.js';

/** Two digits below ten, none above. */
export function rounded(value: number): string {
  return value < 10 ? String(Math.round(value * 100) / 100) : grouped(Math.round(value));
}
