import { Counter, type Registry } from 'prom-client';
import type { Job } from './job.js';

/** Counts the steps of the jobs that took too long. */
export function countOverruns(jobs: readonly Job[], registry: Registry): void {
  new Counter({
    name: 'curvekit_job_overruns_total',
    help: 'Steps of a job that took longer than its limit, or did not end when the job was told to, by job',
    labelNames: ['job'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { name, overruns = 0 } of jobs) this.inc({ job: name }, overruns);
    },
  });
}
