// The time of a service whose answers have a header `Date`, for devices whose clock is wrong.
import { ApiError } from './errors.js';

/** A smaller difference is left alone: the header has whole seconds, and an answer takes time. */
const LEAST_MS = 10_000;
/** A larger one is not believed: with signatures of a far future a false service could wait. */
const MOST_MS = 86_400_000;
const HALF_SECOND_MS = 500;
/** The service accepts older timestamps than that, less the time of a request. */
const AGE_LIMIT_MS = 4 * 60_000;

export class ServerClock {
  #offsetMs = 0;

  /** @param device milliseconds of the device's clock */
  constructor(private readonly device: () => number) {}

  /** Milliseconds of the service's clock, as far as it is known. */
  now(): number {
    return this.device() + this.#offsetMs;
  }

  /** Learns from an answer that has just arrived. */
  learn(headers: Headers): void {
    // A cached answer is as old as its cache says.
    if (headers.has('age')) return;
    const at = Date.parse(headers.get('date') ?? '') + HALF_SECOND_MS;
    const wrong = at - this.now();
    const offset = at - this.device();
    if (Math.abs(wrong) > LEAST_MS && Math.abs(offset) <= MOST_MS) this.#offsetMs = offset;
  }

  /**
   * Sends a signed request. When it is refused, and its timestamp is far from the time that the answer has told, it is signed
   * and sent once more.
   *
   * @param send passes the timestamp that it signs to `signed`
   */
  async inTime<T>(send: (signed: (timestamp: number) => void) => Promise<T>): Promise<T> {
    let timestamp = 0;
    const attempt = () => send((signed) => (timestamp = signed));
    try {
      return await attempt();
    } catch (error) {
      if (!isWrongTime(error, this.now() - timestamp)) throw error;
      return attempt();
    }
  }
}

/**
 * Whether a refusal may come of a wrong timestamp, so that another one helps.
 *
 * @param differenceMs between the timestamp and the time that is known now
 */
function isWrongTime(error: unknown, differenceMs: number): boolean {
  const isRefused = error instanceof ApiError && error.status === 401 && error.code === 'INVALID_SIGNATURE';
  return isRefused && (differenceMs > AGE_LIMIT_MS || differenceMs < -LEAST_MS);
}
