import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { alertRules } from './alerts.js';
import { dashboardOf, type MetricInfo } from './dashboard.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Absolute paths of the generated files, and their text. @param metrics all that a service with every key has */
export function operatorKit(metrics: readonly MetricInfo[]): ReadonlyMap<string, string> {
  return new Map([
    [join(ROOT, 'deploy/alerts.yml'), alertRules()],
    [join(ROOT, 'deploy/grafana/curvekit.json'), dashboardOf(metrics)],
  ]);
}
