/** `npm run build:operator-kit`: writes the alerts and the dashboard from the metrics of a local launchpad. */
import { writeFile } from 'node:fs/promises';
import { startLocalLaunchpad } from '#app/local/launchpad.js';
import { operatorKit } from './files.js';
import type { MetricInfo } from './dashboard.js';

const launchpad = await startLocalLaunchpad({
  environment: { PORT: '0' },
  log: (line) => console.error(line),
});
try {
  const metrics = await launchpad.service.context.metrics.registry.getMetricsAsJSON();
  for (const [path, text] of operatorKit(metrics as unknown as readonly MetricInfo[])) {
    await writeFile(path, text);
    console.log(path);
  }
} finally {
  await launchpad.stop();
}
