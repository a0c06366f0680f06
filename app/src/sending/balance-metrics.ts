import { Gauge, Counter } from 'prom-client';
import { withTimeout } from '@curvekit/sdk';
import { CachedValue } from '../base/cached-value.js';
import type { Context } from '../context.js';
import { SIGNER_FAILURES } from '../keys/signer.js';

/** Scrapes within this time share one request to the RPC node. */
const KEPT_MS = 10_000;
/** Shorter than Prometheus waits for the other metrics. */
const TIMEOUT_MS = 2_000;

/** Measures what the service's keys hold. Only addresses and balances are shown. */
export function measureBalances({
  config,
  connection,
  metrics,
}: Pick<Context, 'config' | 'connection' | 'metrics'>): void {
  const keys = config.signers.map(({ variable, signer: { publicKey } }) => ({ variable, publicKey }));
  /** NaN while the node does not answer: an old balance would look like a good one. */
  async function ask(): Promise<readonly number[]> {
    const dataSlice = { offset: 0, length: 0 };
    const accounts = connection.getMultipleAccountsInfo(
      keys.map(({ publicKey }) => publicKey),
      { dataSlice },
    );
    return withTimeout(accounts, TIMEOUT_MS, 'the node').then(
      (found) => found.map((account) => account?.lamports ?? 0),
      () => keys.map(() => NaN),
    );
  }
  const kept = new CachedValue(KEPT_MS, ask);
  new Gauge({
    name: 'curvekit_key_balance_lamports',
    help: "Lamports of the service's keys, by the variable of each; NaN while the RPC node does not answer",
    labelNames: ['key', 'address'],
    registers: [metrics.registry],
    async collect() {
      if (keys.length === 0) return;
      const balances = await kept.get();
      for (const [index, { variable, publicKey }] of keys.entries())
        this.set({ key: variable, address: publicKey.toBase58() }, balances[index] ?? NaN);
    },
  });
}

/** Counts what the signers of the service's keys failed to sign. */
export function countSignerFailures({ config, metrics }: Context): void {
  new Counter({
    name: 'curvekit_signer_failures_total',
    help: 'Signatures that a signer of a key did not give, by variable of the key and by reason',
    labelNames: ['key', 'reason'],
    registers: [metrics.registry],
    collect() {
      this.reset();
      for (const { variable, signer } of config.signers)
        for (const reason of SIGNER_FAILURES) this.inc({ key: variable, reason }, signer.failures[reason]);
    },
  });
}
