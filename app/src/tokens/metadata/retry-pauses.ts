// When a token's metadata is fetched again after a part of it was missing.
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const FIRST_PAUSE_MS = MINUTE_MS / 2;
/** Servers ask for a pause with `Retry-After`. A wrong one must not keep a picture away for days. */
const LONGEST_ASKED_MS = 60 * MINUTE_MS;
/** In days. */
const LONGEST_PAUSE = 30;

export interface Failure {
  /** Whether the same request may succeed soon. */
  readonly temporary: boolean;
  /** How long the server asks to wait; at most an hour of it is waited for. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * Milliseconds to wait. After temporary problems from 30 s to a day, doubling; after permanent ones a day longer each time.
 *
 * @param failures attempts in a row that left a part out, 1 or more
 */
export function pauseMs(failures: number, { temporary, retryAfterMs = 0 }: Failure): number {
  if (!temporary) return Math.min(failures, LONGEST_PAUSE) * DAY_MS;
  const own = Math.min(FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 20), DAY_MS);
  return Math.max(own, Math.min(retryAfterMs, LONGEST_ASKED_MS));
}
