import { age } from '../format.js';
import { clockWords } from '../words/clock.js';
import { useSecondsFast } from './device-clock.js';

/** By how much the device's clock is wrong, once an answer of the service has told it. */
export function ClockNote() {
  const fast = useSecondsFast();
  if (fast === 0) return null;
  return (
    <p className="muted small" role="status">
      {clockWords.off(age(Math.abs(fast)), fast > 0)}
    </p>
  );
}
