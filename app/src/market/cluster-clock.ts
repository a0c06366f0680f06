// The cluster's clock, as programs see it. On a simulated cluster it lags or jumps.
import { SYSVAR_CLOCK_PUBKEY, type Connection } from '@solana/web3.js';
import { NodeError } from '../chain/node-errors.js';
import { CachedValue } from '../base/cached-value.js';

const MAX_AGE_MS = 5_000;
const UNIX_TIMESTAMP_OFFSET = 32;

export class ClusterClock {
  readonly #read: CachedValue<{ readonly seconds: number; readonly at: number }>;

  constructor(connection: Pick<Connection, 'getAccountInfo'>) {
    this.#read = new CachedValue(MAX_AGE_MS, async () => {
      const account = await connection.getAccountInfo(SYSVAR_CLOCK_PUBKEY, 'confirmed');
      if (account === null) throw new NodeError('the node has no clock sysvar');
      const seconds = Number(Buffer.from(account.data).readBigInt64LE(UNIX_TIMESTAMP_OFFSET));
      return { seconds, at: performance.now() };
    });
  }

  /** Unix seconds. @throws when the RPC node does not answer */
  async now(): Promise<number> {
    const { seconds, at } = await this.#read.get();
    return seconds + Math.floor((performance.now() - at) / 1_000);
  }
}
