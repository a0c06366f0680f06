// The alerts and the dashboard in deploy/ are of the metrics that the service has.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { startLocalLaunchpad, type LocalLaunchpad } from '#app/operator/local/launchpad.js';
import { ALERTS, DEPLOY } from '#tests/deploy/kit.js';
import { temporaryFolder } from '#tests/process/temporary-folder.js';

const QUERIES = [
  ...readFileSync(join(DEPLOY, 'grafana/curvekit.json'), 'utf8').matchAll(/"expr": ("[^"]*")/g),
].map(([, expr]) => JSON.parse(expr!) as string);

/** Made by Prometheus itself. */
const OF_PROMETHEUS = new Set(['up']);
const FUNCTIONS = new Set(['max', 'min', 'sum', 'rate', 'increase', 'time', 'histogram_quantile']);
const OTHER_WORDS = new Set(['by', 'le', 'key', 'pool', 'e7', 'e9']);

describe("the operator's kit", () => {
  let launchpad: LocalLaunchpad;
  let metrics: Awaited<
    ReturnType<LocalLaunchpad['service']['context']['metrics']['registry']['getMetricsAsJSON']>
  >;

  before(async () => {
    launchpad = await startLocalLaunchpad({
      environment: { PORT: '0' },
      log: () => undefined,
      // The repository's own belongs to an `npm start` that may be running.
      folder: temporaryFolder('kit'),
    });
    metrics = await launchpad.service.context.metrics.registry.getMetricsAsJSON();
  });
  after(() => launchpad?.stop());

  it('asks for metrics that the service has, by labels that they have', () => {
    const names = new Set(
      metrics.flatMap(({ name, type }) =>
        String(type) === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    );
    expect(QUERIES).not.to.deep.equal([]);
    for (const expr of [...ALERTS.map(({ expr: of }) => of), ...QUERIES]) {
      const words = [...expr.replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, '').matchAll(/[a-z]\w*/g)].map(String);
      const unknown = words.filter(
        (word) => ![names, FUNCTIONS, OTHER_WORDS, OF_PROMETHEUS].some((known) => known.has(word)),
      );
      expect(unknown, expr).to.deep.equal([]);
      expect(
        words.some((word) => names.has(word) || OF_PROMETHEUS.has(word)),
        expr,
      ).to.equal(true);
    }
  });

  it('shows each metric of the service in a panel', () => {
    const shown = QUERIES.join(' ');
    const own = metrics.filter(({ name }) => name.startsWith('curvekit_'));
    expect(own.filter(({ name }) => !new RegExp(`\\b${name}(_bucket|\\b)`).test(shown))).to.deep.equal([]);
  });

  it('alerts to everything that an operator must end: each gauge of a problem has an alert', () => {
    const said = ALERTS.map(({ expr }) => expr).join(' ');
    const problems = metrics.filter(
      ({ name, type }) =>
        String(type) === 'gauge' &&
        /_(held|problems|undecidable|waiting|troubled|mismatched_curves|unreadable_transactions|unfunded_lamports|lag_slots)$/.test(
          name,
        ) &&
        // Settlements wait for their period, which is no problem.
        name !== 'curvekit_settlements_waiting',
    );
    expect(problems.length).to.be.at.least(9);
    expect(problems.filter(({ name }) => !said.includes(name))).to.deep.equal([]);
  });
});
