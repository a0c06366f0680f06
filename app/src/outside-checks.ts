// Checks of `/ready` for those outside without whom an instance still serves most requests: each is only a warning.
import { Gauge } from 'prom-client';
import type { Context } from './context.js';
import { CheckWarning, looksAt, type Check } from './http/health.js';
import { PEER_NAMES, PEERS } from './base/peers.js';
import type { SpendingLimit } from './signer/spending-limit.js';

/** Longer than a signer may take. */
const SIGNERS_TIMEOUT_MS = 6_000;
/** A KMS bills each request. */
const SIGNERS_KEPT_MS = 20_000;

/** Whether the signers have their keys and sign. Without them an instance still serves all other requests, so it is only a warning. */
export function signersCheck({ config, logger, metrics }: Context): Check {
  const check: Check = {
    name: 'signers',
    keptMs: SIGNERS_KEPT_MS,
    timeoutMs: SIGNERS_TIMEOUT_MS,
    run: async () => {
      const problems = await Promise.all(
        config.signers.map(async ({ variable, signer }) => {
          const error = await signer.check().then(
            () => undefined,
            (cause: unknown) => cause as Error,
          );
          up.set({ key: variable }, error === undefined ? 1 : 0);
          if (error !== undefined)
            logger.warn({ err: error, key: variable }, 'a signer does not sign: see `err`');
          return error === undefined ? [] : [variable];
        }),
      );
      const down = problems.flat();
      if (down.length > 0)
        throw new CheckWarning(`the signer of ${down.join(', ')} does not sign; run \`curvekit doctor\``);
    },
  };
  const up = new Gauge({
    name: 'curvekit_signer_up',
    help: '0 while the signer of a key does not answer, lacks the key or refuses, by variable of the key',
    labelNames: ['key'],
    registers: [metrics.registry],
    collect: looksAt(check),
  });
  return check;
}

/** Whether the signer's limit of a day has refused nothing lately. */
export function limitCheck(limit: SpendingLimit): Check {
  return {
    name: 'limit',
    run: () =>
      limit.problem === undefined ? Promise.resolve() : Promise.reject(new CheckWarning(limit.problem)),
  };
}

/** The service works without them, so it is only a warning. */
export function peersCheck({ peers, metrics }: Context): Check {
  const check: Check = {
    name: 'peers',
    run: () => {
      const { failing } = peers;
      for (const peer of PEERS) unanswered.set({ peer }, failing.includes(peer) ? 1 : 0);
      return failing.length === 0
        ? Promise.resolve()
        : Promise.reject(
            new CheckWarning(`no answer: ${failing.map((peer) => PEER_NAMES[peer]).join(', ')}`),
          );
    },
  };
  const unanswered = new Gauge({
    name: 'curvekit_peer_unanswered',
    help: '1 after a call of the service that got no answer, until one does, by peer: bucket, price, traces, websocket',
    labelNames: ['peer'],
    registers: [metrics.registry],
    collect: looksAt(check),
  });
  return check;
}
