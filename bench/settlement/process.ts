// The measured process: settles one token. It reports each step to the bench when it is done, because the bench may kill it.
import { readConfig } from '#app/config/config.js';
import { createContext } from '#app/context.js';
import { settleOne } from '#tests/service/paying.js';
import type { Progress } from './run.js';
import { ownCpuSeconds } from '../driver/own-cpu.js';
import { ownPeakBytes } from '../driver/own-peak.js';

/** Many batches of credits are done in a second. */
const LEAST_MS_BETWEEN_REPORTS = 100;

const context = await createContext(readConfig(process.env));
let reportedAt = 0;
tell({ step: 'started' });
const { outcome, problems, settlement } = await settleOne(context, process.argv[2] ?? '', {
  signal: new AbortController().signal,
  afterStep: (step) => {
    if (step !== 'credited' || Date.now() - reportedAt >= LEAST_MS_BETWEEN_REPORTS) tell({ step });
  },
});
await context.database.close();
tell({ step: 'ended', outcome, problems, settlement: settlement?.id });
process.disconnect();

function tell(progress: Pick<Progress, 'step' | 'outcome' | 'problems' | 'settlement'>): void {
  reportedAt = Date.now();
  const report: Progress = {
    ...progress,
    at: reportedAt,
    bytes: process.memoryUsage().rss,
    peakBytes: ownPeakBytes(),
    cpuSeconds: ownCpuSeconds(),
  };
  process.send?.(report);
}
