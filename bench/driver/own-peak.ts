import { readFileSync } from 'node:fs';

const KIB = 1_024;

/**
 * The most memory that this process has had, in bytes. Linux counts in `maxRSS` also what the parent had when it started the process, so
 * that a small process of a large one seems large.
 */
export function ownPeakBytes(): number {
  try {
    const [, kib] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
    if (kib !== undefined) return Number(kib) * KIB;
  } catch {
    // Other systems have no /proc.
  }
  return process.resourceUsage().maxRSS * KIB;
}
