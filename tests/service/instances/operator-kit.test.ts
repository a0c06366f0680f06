// The alerts and the dashboard in deploy/ are of the metrics that the service has, and each alert has its paragraph.
import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startLocalLaunchpad, type LocalLaunchpad } from '#app/local/launchpad.js';
import { ALERTS, runbookOf } from '../../../scripts/operator-kit/alerts.js';
import type { MetricInfo } from '../../../scripts/operator-kit/dashboard.js';
import { operatorKit } from '../../../scripts/operator-kit/files.js';

/** Made by Prometheus itself. */
const OF_PROMETHEUS = new Set(['up']);
const FUNCTIONS = new Set(['max', 'min', 'sum', 'rate', 'increase', 'time', 'histogram_quantile']);
const OTHER_WORDS = new Set(['by', 'le', 'key', 'pool', 'e7', 'e9']);

describe("the operator's kit", function () {
  this.timeout(120_000);
  let launchpad: LocalLaunchpad;
  let metrics: readonly MetricInfo[];

  before(async () => {
    launchpad = await startLocalLaunchpad({
      environment: { PORT: '0' },
      log: () => undefined,
      // The repository's own belongs to an `npm start` that may be running.
      folder: await mkdtemp(join(tmpdir(), 'curvekit-kit-')),
    });
    metrics =
      (await launchpad.service.context.metrics.registry.getMetricsAsJSON()) as unknown as MetricInfo[];
  });
  after(() => launchpad?.stop());

  it('is what `npm run build:operator-kit` makes of the metrics', () => {
    for (const [path, text] of operatorKit(metrics)) expect(readFileSync(path, 'utf8'), path).to.equal(text);
  });

  it('asks for metrics that the service has, by labels that they have', () => {
    const names = new Set(
      metrics.flatMap(({ name, type }) =>
        type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name],
      ),
    );
    for (const { name, expr } of ALERTS) {
      const asked = [...expr.replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, '').matchAll(/[a-z]\w*/g)].map(String);
      const unknown = asked.filter(
        (word) => ![names, FUNCTIONS, OTHER_WORDS, OF_PROMETHEUS].some((known) => known.has(word)),
      );
      expect(unknown, name).to.deep.equal([]);
      expect(
        asked.some((word) => names.has(word) || OF_PROMETHEUS.has(word)),
        name,
      ).to.equal(true);
    }
  });

  it('alerts to everything that an operator must end: each gauge of a problem has an alert', () => {
    const said = ALERTS.map(({ expr }) => expr).join(' ');
    const problems = metrics.filter(
      ({ name, type }) =>
        type === 'gauge' &&
        /_(held|problems|undecidable|waiting|troubled|mismatched_curves|unreadable_transactions|unfunded_lamports|lag_slots)$/.test(
          name,
        ) &&
        // Settlements wait for their period, which is no problem.
        name !== 'curvekit_settlements_waiting',
    );
    expect(problems.length).to.be.at.least(9);
    expect(problems.filter(({ name }) => !said.includes(name))).to.deep.equal([]);
  });

  it('names a paragraph for each alert, which says what it means and what to do', () => {
    const sections = readFileSync('docs/recover.md', 'utf8').split(/^## /m).slice(1);
    const byName = new Map(sections.map((section) => [section.split('\n', 1)[0]!, section]));
    for (const alert of ALERTS) {
      const section = byName.get(alert.name);
      expect(section, runbookOf(alert)).to.be.a('string');
      expect(section, alert.name).to.contain('**Do**');
    }
  });
});
