// The measured process: settles one token, and reports the time of each step and the peak memory.
import { readConfig } from '#app/config/config.js';
import { createContext } from '#app/context.js';
import { settleOne } from '#tests/service/paying.js';

const context = await createContext(readConfig(process.env));
const start = performance.now();
const startCpu = process.cpuUsage();
const startBytes = process.memoryUsage().rss;
const steps: Record<string, number> = {};
const report = await settleOne(context, process.argv[2] ?? '', {
  signal: new AbortController().signal,
  afterStep: (step) => {
    steps[step] = (performance.now() - start) / 1_000;
  },
});
const seconds = (performance.now() - start) / 1_000;
const { user, system } = process.cpuUsage(startCpu);
await context.database.close();
const KIB = 1_024;
console.log(
  JSON.stringify({
    outcome: report.outcome,
    problems: report.problems,
    settlement: report.settlement?.id,
    seconds,
    cpuSeconds: (user + system) / 1_000_000,
    steps,
    startBytes,
    peakBytes: process.resourceUsage().maxRSS * KIB,
  }),
);
