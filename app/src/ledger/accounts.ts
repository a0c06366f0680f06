// The ledger's accounts. The database enforces their rules: `app/database/0001_rules.sql`.
import type { ASSETS, SOURCE_KINDS, WALLET_KINDS } from '../db/schema/index.js';

/** Lamports, or the token's base units. */
export type Asset = (typeof ASSETS)[number];
export type WalletKind = (typeof WALLET_KINDS)[number];
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** State of an amount. */
export interface TokenAsset {
  readonly mint: string;
  readonly asset: Asset;
}

/** A wallet's rewards of one token and asset. */
export interface WalletAsset extends TokenAsset {
  readonly wallet: string;
}

/** An account by its name. */
export interface Account extends TokenAsset {
  readonly kind: WalletKind | SourceKind;
  /** What the reward came from; for a source, its own kind. */
  readonly origin: SourceKind;
  /** The wallet; null for a source. */
  readonly owner: string | null;
}

/** An amount by what it came from. */
export type ByOrigin = Readonly<Record<SourceKind, bigint>>;
