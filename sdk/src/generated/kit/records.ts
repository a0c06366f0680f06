// Generated from programs/artifacts/bonding_curve.json by scripts/generate-sdk. Do not edit: run `npm run generate:sdk`.

// Generated from programs/artifacts/graduation.json by scripts/generate-sdk. Do not edit: run `npm run generate:sdk`.

import type { Address } from '@solana/kit';

/** A token was created. */
export interface CreateRecord {
  readonly mint: Address;
  readonly creator: Address;
  /** The curve account. */
  readonly tokenOwnerPda: Address;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  /** Share of the migrated liquidity for the community storages, in basis points. */
  readonly afterMigrationFee: number;
  /** Burned share of a settlement's tokens, in basis points. */
  readonly burnBp: number;
  /** Holders' share of a settlement, in basis points. Kept here only, not on chain. */
  readonly holdersBp: number;
  /** Liquidity's share of a settlement, in basis points. Kept here only, not on chain. */
  readonly lpBp: number;
  /** Initial virtual SOL reserve in lamports. */
  readonly virtualSol: bigint;
  /** Initial virtual token reserve in smallest units. */
  readonly virtualToken: bigint;
  /** Platform fee at creation, in basis points. */
  readonly platformFeeBps: number;
  /** Unix seconds of the cluster's clock. */
  readonly timestamp: bigint;
}

/** A graduated curve was emptied. Logged with `solLogData`: the instruction has no log authority in its accounts. */
export interface MigrateRecord {
  readonly mint: Address;
  readonly feeAccount: Address;
  /** Lamports moved to the fee receiver. */
  readonly solAmount: bigint;
  /** Token units moved to the fee receiver's token account. */
  readonly tokenAmount: bigint;
  /** Unix seconds of the cluster's clock. */
  readonly timestamp: bigint;
}

/** Tokens were bought or sold. */
export interface TradeRecord {
  readonly mint: Address;
  readonly trader: Address;
  readonly isBuy: boolean;
  /** Lamports that the trader paid or received, fee and all. */
  readonly solAmount: bigint;
  /** Token units that the trader received or paid. */
  readonly tokenAmount: bigint;
  /** Lamports that went to the fee receiver. */
  readonly fee: bigint;
  /** Virtual SOL reserve afterwards. */
  readonly virtualSol: bigint;
  /** Virtual token reserve afterwards. */
  readonly virtualToken: bigint;
  /** Whether this trade graduated the curve. */
  readonly finalized: boolean;
  /** Unix seconds of the cluster's clock. */
  readonly timestamp: bigint;
}

/**
 * A curve went to its pool. While the rent is what it was at the token's creation, all lamports that left the curve
 * are `pool_sol + community_sol + costs`. All tokens are `pool_token + community_token + burnt`.
 */
export interface GraduateRecord {
  readonly mint: Address;
  readonly pool: Address;
  /** Lamports that the pool was opened with. What somebody sent ahead to its vault is in it besides. */
  readonly poolSol: bigint;
  /** Token units that the pool was opened with. */
  readonly poolToken: bigint;
  /** Lamports that the community's WSOL storage gained, after a change of the rent by what its reserve moved too. */
  readonly communitySol: bigint;
  /** Token units that the community's own storage gained. */
  readonly communityToken: bigint;
  /** Token units burnt. */
  readonly burnt: bigint;
  /** Lamports that opening the pool costs: the AMM's fee and the rents of its accounts. */
  readonly costs: bigint;
  /** LP units burnt: all that there were. */
  readonly lpBurnt: bigint;
  /** Unix seconds of the cluster's clock. */
  readonly timestamp: bigint;
}
