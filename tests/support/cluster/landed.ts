import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '@solana/web3.js';
import { expect } from 'chai';

const LOOK_AGAIN_MS = 20;

/** Waits until a transaction has landed, which takes a validator one slot. Expects it to have succeeded. */
export async function expectLanded(connection: Connection, signature: string): Promise<void> {
  for (;;) {
    const { value } = await connection.getSignatureStatuses([signature]);
    const status = value[0] ?? null;
    if (status !== null) return void expect(status.err).to.equal(null);
    await sleep(LOOK_AGAIN_MS);
  }
}
