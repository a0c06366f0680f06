import { Gauge, type Registry } from 'prom-client';
import { CheckWarning, looksAt, type Check } from './health.js';
import type { LimitStores } from './rate-limit-store.js';

/** Whether Redis answers, if it is configured. Without it each instance counts requests by itself, so it is only a warning. */
export function redisCheck(stores: LimitStores, registry: Registry): Check {
  const check: Check = {
    name: 'redis',
    run: async () => {
      const answers = await stores.answers();
      unanswered.set(answers ? 0 : 1);
      if (!answers)
        throw new CheckWarning(
          'Redis does not answer; each instance counts requests by itself. Check REDIS_URL',
        );
    },
  };
  const unanswered = new Gauge({
    name: 'curvekit_redis_unanswered',
    help: '1 while Redis does not answer: each instance counts requests by itself',
    registers: [registry],
    collect: looksAt(check),
  });
  return check;
}
