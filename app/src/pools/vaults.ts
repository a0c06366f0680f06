// Which pools have moved: every swap changes what their vaults of wrapped SOL hold.
import { AMM } from '@curvekit/sdk';
import { PublicKey, type Connection } from '@solana/web3.js';
import { askNode } from '../rpc/ask-node.js';
import type { OpenPool } from './open-pools.js';

/** Most accounts in one RPC request. */
const ACCOUNTS_PER_CALL = 100;
/** Where a token account has its amount. */
const AMOUNT = { offset: 64, length: 8 } as const;

export class Vaults {
  /** By mint. */
  readonly #addresses = new Map<string, PublicKey>();
  readonly #amounts = new Map<string, bigint>();

  constructor(private readonly connection: Connection) {}

  /** Those of the pools whose vault holds another amount than at the last look, or is seen for the first time. */
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
        // Not there yet: the node is behind the one that told of the graduation.
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
