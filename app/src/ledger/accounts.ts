// The ledger's accounts. The database enforces their rules: `ledger/sql`.
import type { ASSETS, SOURCE_KINDS, WALLET_KINDS } from '../db/schema/index.js';

/** Lamports, or the token's base units. */
export type Asset = (typeof ASSETS)[number];
export type WalletKind = (typeof WALLET_KINDS)[number];
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** A token and one of its assets. */
export interface TokenAsset {
  readonly mint: string;
  readonly asset: Asset;
}

/** A wallet's rewards of one token and asset. */
export interface WalletAsset extends TokenAsset {
  readonly wallet: string;
}

/** Identity of an account. */
export interface Account extends TokenAsset {
  readonly kind: WalletKind | SourceKind;
  /** The source of the reward; for a source, its own kind. */
  readonly origin: SourceKind;
  /** The wallet; null for a source. */
  readonly owner: string | null;
}

/** An amount, divided by origin. */
export type ByOrigin = Readonly<Record<SourceKind, bigint>>;
