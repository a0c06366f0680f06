// A warning for each cause and minute, with a count. What fails again and again would fill the log with one line of its own
// each time, and hide everything else.
import type { Logger } from '../../logging.js';

const PERIOD_MS = 60_000;
/** More causes than that at once are counted as one. */
const MOST_CAUSES = 20;

interface Seen {
  readonly timer: NodeJS.Timeout;
  /** Since its last line. */
  times: number;
  latest: object;
}

export class CauseLog {
  readonly #seen = new Map<string, Seen>();

  constructor(
    private readonly logger: Logger,
    private readonly periodMs = PERIOD_MS,
  ) {}

  /** Logs the first one of a cause at once; how many more there were, a minute later. */
  warn(cause: string, details: object, message: string): void {
    const key = this.#seen.has(cause) || this.#seen.size < MOST_CAUSES ? cause : 'other';
    const seen = this.#seen.get(key);
    if (seen !== undefined) {
      seen.times += 1;
      seen.latest = details;
      return;
    }
    this.logger.warn(details, message);
    const timer = setInterval(() => this.#summarize(key, message), this.periodMs);
    timer.unref();
    this.#seen.set(key, { timer, times: 0, latest: details });
  }

  stop(): void {
    for (const { timer } of this.#seen.values()) clearInterval(timer);
    this.#seen.clear();
  }

  #summarize(key: string, message: string): void {
    const seen = this.#seen.get(key)!;
    if (seen.times === 0) {
      clearInterval(seen.timer);
      this.#seen.delete(key);
      return;
    }
    this.logger.warn({ ...seen.latest, times: seen.times }, `${message} (in the last minute)`);
    seen.times = 0;
  }
}

/** What an error is of, as a key of {@link CauseLog.warn}: its message without numbers, addresses and signatures. */
export function causeOf(error: unknown): string {
  const text = error instanceof Error ? `${error.name} ${error.message}` : String(error);
  return text.replace(/[1-9A-HJ-NP-Za-km-z]{32,}|\d+/g, '');
}
