// The ledger's accounts. The database enforces their rules: `ledger/sql`.
import type { ASSETS, LEDGER_KINDS, SOURCE_KINDS } from '../db/schema/index.js';

/** Lamports, or the token's base units. */
export type Asset = (typeof ASSETS)[number];
/** Sources of rewards. The balance of a source is minus the amount that it has credited. */
export type SourceKind = (typeof SOURCE_KINDS)[number];
/** The three states of a wallet's rewards: for a token, asset and origin, their sum is minus the source's balance. */
type WalletKind = Exclude<(typeof LEDGER_KINDS)[number], SourceKind>;

export interface TokenAsset {
  readonly mint: string;
  readonly asset: Asset;
}

export interface WalletAsset extends TokenAsset {
  readonly wallet: string;
}

export interface Account extends TokenAsset {
  readonly kind: WalletKind | SourceKind;
  /** The source of the reward; for a source, its own kind. */
  readonly origin: SourceKind;
  /** The wallet; null for a source. */
  readonly owner: string | null;
}

export type ByOrigin = Readonly<Record<SourceKind, bigint>>;
