// Generated from programs/artifacts/bonding_curve.json by scripts/generate-sdk. Do not edit: run `npm run generate:sdk`.

import type { PublicKey } from '../chain/types.js';
import { decodeLayout, encodeLayout, type Layout } from '../codec/instruction.js';

/** A token was created. */
export interface CreateRecord {
  readonly mint: PublicKey;
  readonly creator: PublicKey;
  /** The curve account. */
  readonly tokenOwnerPda: PublicKey;
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

/** First bytes of a CreateRecord. */
export const CREATE_RECORD_DISCRIMINATOR: Uint8Array = /* @__PURE__ */ new Uint8Array([
  215, 219, 57, 58, 149, 231, 70, 147,
]);

const CREATE_RECORD: Layout<CreateRecord> = {
  name: 'CreateRecord',
  discriminator: CREATE_RECORD_DISCRIMINATOR,
  fields: {
    mint: 'pubkey',
    creator: 'pubkey',
    tokenOwnerPda: 'pubkey',
    name: 'string',
    symbol: 'string',
    uri: 'string',
    afterMigrationFee: 'u16',
    burnBp: 'u16',
    holdersBp: 'u16',
    lpBp: 'u16',
    virtualSol: 'u64',
    virtualToken: 'u64',
    platformFeeBps: 'u16',
    timestamp: 'i64',
  },
};

/** Reads a CreateRecord, discriminator included; bytes after it are ignored. @throws DecodeError when they are not one. */
export function decodeCreateRecord(bytes: Uint8Array): CreateRecord {
  return decodeLayout(CREATE_RECORD, bytes);
}

/** Writes a CreateRecord, discriminator included. @throws InvalidArgumentError that names a field out of range. */
export function encodeCreateRecord(value: CreateRecord): Uint8Array {
  return encodeLayout(CREATE_RECORD, 'value', value);
}

/** A graduated curve was emptied. Logged with `solLogData`: the instruction has no log authority in its accounts. */
export interface MigrateRecord {
  readonly mint: PublicKey;
  readonly feeAccount: PublicKey;
  /** Lamports moved to the fee receiver. */
  readonly solAmount: bigint;
  /** Token units moved to the fee receiver's token account. */
  readonly tokenAmount: bigint;
  /** Unix seconds of the cluster's clock. */
  readonly timestamp: bigint;
}

/** First bytes of a MigrateRecord. */
export const MIGRATE_RECORD_DISCRIMINATOR: Uint8Array = /* @__PURE__ */ new Uint8Array([
  156, 225, 187, 205, 220, 254, 47, 216,
]);

/** Bytes of a MigrateRecord, discriminator included. */
export const MIGRATE_RECORD_SIZE = 96;

const MIGRATE_RECORD: Layout<MigrateRecord> = {
  name: 'MigrateRecord',
  discriminator: MIGRATE_RECORD_DISCRIMINATOR,
  fields: { mint: 'pubkey', feeAccount: 'pubkey', solAmount: 'u64', tokenAmount: 'u64', timestamp: 'i64' },
};

/** Reads a MigrateRecord, discriminator included; bytes after it are ignored. @throws DecodeError when they are not one. */
export function decodeMigrateRecord(bytes: Uint8Array): MigrateRecord {
  return decodeLayout(MIGRATE_RECORD, bytes);
}

/** Writes a MigrateRecord, discriminator included. @throws InvalidArgumentError that names a field out of range. */
export function encodeMigrateRecord(value: MigrateRecord): Uint8Array {
  return encodeLayout(MIGRATE_RECORD, 'value', value);
}

/** Tokens were bought or sold. */
export interface TradeRecord {
  readonly mint: PublicKey;
  readonly trader: PublicKey;
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

/** First bytes of a TradeRecord. */
export const TRADE_RECORD_DISCRIMINATOR: Uint8Array = /* @__PURE__ */ new Uint8Array([
  190, 168, 133, 228, 17, 212, 185, 128,
]);

/** Bytes of a TradeRecord, discriminator included. */
export const TRADE_RECORD_SIZE = 122;

const TRADE_RECORD: Layout<TradeRecord> = {
  name: 'TradeRecord',
  discriminator: TRADE_RECORD_DISCRIMINATOR,
  fields: {
    mint: 'pubkey',
    trader: 'pubkey',
    isBuy: 'bool',
    solAmount: 'u64',
    tokenAmount: 'u64',
    fee: 'u64',
    virtualSol: 'u64',
    virtualToken: 'u64',
    finalized: 'bool',
    timestamp: 'i64',
  },
};

/** Reads a TradeRecord, discriminator included; bytes after it are ignored. @throws DecodeError when they are not one. */
export function decodeTradeRecord(bytes: Uint8Array): TradeRecord {
  return decodeLayout(TRADE_RECORD, bytes);
}

/** Writes a TradeRecord, discriminator included. @throws InvalidArgumentError that names a field out of range. */
export function encodeTradeRecord(value: TradeRecord): Uint8Array {
  return encodeLayout(TRADE_RECORD, 'value', value);
}

/** Every record this version knows, by name. */
export const RECORDS = {
  CreateRecord: { discriminator: CREATE_RECORD_DISCRIMINATOR, decode: decodeCreateRecord },
  MigrateRecord: { discriminator: MIGRATE_RECORD_DISCRIMINATOR, decode: decodeMigrateRecord },
  TradeRecord: { discriminator: TRADE_RECORD_DISCRIMINATOR, decode: decodeTradeRecord },
} as const;
