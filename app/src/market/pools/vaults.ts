// Finds pools with new swaps: every swap changes the balance of the pool's wrapped SOL vault.
import { AMM } from '@curvekit/sdk';
import { PublicKey, type Connection } from '@solana/web3.js';
import { BoundedMap } from '../../base/bounded-map.js';
import { askNode } from '../../chain/ask-node.js';
import type { OpenPool } from './open-pools.js';

/** Maximum accounts in one RPC request. */
const ACCOUNTS_PER_CALL = 100;
/** A pool beyond it is read each time, as if it had moved. */
const MOST_POOLS = 100_000;
/** Offset of the amount in a token account. */
const AMOUNT = { offset: 64, length: 8 } as const;

export class Vaults {
  /** By mint. */
  readonly #addresses = new BoundedMap<string, PublicKey>(MOST_POOLS);
  readonly #amounts = new BoundedMap<string, bigint>(MOST_POOLS);

  constructor(private readonly connection: Connection) {}

  /** The pools whose vault balance has changed since the last call, or is read for the first time. */
  async moved(pools: readonly OpenPool[]): Promise<OpenPool[]> {
    const moved: OpenPool[] = [];
    for (let start = 0; start < pools.length; start += ACCOUNTS_PER_CALL) {
      const part = pools.slice(start, start + ACCOUNTS_PER_CALL);
      const accounts = await askNode(
        this.connection.getMultipleAccountsInfo(
          part.map((pool) => this.#addressOf(pool)),
          { commitment: 'confirmed', dataSlice: AMOUNT },
        ),
      );
      for (const [index, pool] of part.entries()) {
        const data = accounts[index]?.data;
        // The account is missing: this RPC node lags behind the one that returned the graduation.
        if (data?.length !== AMOUNT.length) continue;
        const amount = data.readBigUInt64LE();
        if (this.#amounts.get(pool.mint) === amount) continue;
        this.#amounts.set(pool.mint, amount);
        moved.push(pool);
      }
    }
    return moved;
  }

  #addressOf({ mint, pool }: OpenPool): PublicKey {
    let address = this.#addresses.get(mint);
    if (address === undefined) {
      address = AMM.addresses(new PublicKey(pool), new PublicKey(mint)).vaults.sol;
      this.#addresses.set(mint, address);
    }
    return address;
  }
}
