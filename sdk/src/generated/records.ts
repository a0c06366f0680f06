// Generated from artifacts/bonding_curve.json by scripts/generate-sdk. Do not edit: run `npm run generate:sdk`.

import type { PublicKey } from '@solana/web3.js';
import { ByteReader, ByteWriter, startsWith } from '../codec.js';
import { DecodeError } from '../errors.js';
import { requireObject } from '../options.js';

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

/** Reads a CreateRecord, discriminator included; bytes after it are ignored. @throws DecodeError when they are not one. */
export function decodeCreateRecord(bytes: Uint8Array): CreateRecord {
  if (!startsWith(bytes, CREATE_RECORD_DISCRIMINATOR))
    throw new DecodeError('these bytes are no CreateRecord: the discriminator differs');
  const reader = new ByteReader(bytes, CREATE_RECORD_DISCRIMINATOR.length);
  return {
    mint: reader.pubkey(),
    creator: reader.pubkey(),
    tokenOwnerPda: reader.pubkey(),
    name: reader.string(),
    symbol: reader.string(),
    uri: reader.string(),
    afterMigrationFee: reader.u16(),
    burnBp: reader.u16(),
    holdersBp: reader.u16(),
    lpBp: reader.u16(),
    virtualSol: reader.u64(),
    virtualToken: reader.u64(),
    platformFeeBps: reader.u16(),
    timestamp: reader.i64(),
  };
}

/** Writes a CreateRecord, discriminator included. @throws InvalidArgumentError that names a field out of range. */
export function encodeCreateRecord(value: CreateRecord): Uint8Array {
  requireObject('value', value);
  return new ByteWriter(CREATE_RECORD_DISCRIMINATOR)
    .pubkey('mint', value.mint)
    .pubkey('creator', value.creator)
    .pubkey('tokenOwnerPda', value.tokenOwnerPda)
    .string('name', value.name)
    .string('symbol', value.symbol)
    .string('uri', value.uri)
    .u16('afterMigrationFee', value.afterMigrationFee)
    .u16('burnBp', value.burnBp)
    .u16('holdersBp', value.holdersBp)
    .u16('lpBp', value.lpBp)
    .u64('virtualSol', value.virtualSol)
    .u64('virtualToken', value.virtualToken)
    .u16('platformFeeBps', value.platformFeeBps)
    .i64('timestamp', value.timestamp)
    .finish();
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

/** Reads a MigrateRecord, discriminator included; bytes after it are ignored. @throws DecodeError when they are not one. */
export function decodeMigrateRecord(bytes: Uint8Array): MigrateRecord {
  if (!startsWith(bytes, MIGRATE_RECORD_DISCRIMINATOR))
    throw new DecodeError('these bytes are no MigrateRecord: the discriminator differs');
  const reader = new ByteReader(bytes, MIGRATE_RECORD_DISCRIMINATOR.length);
  return {
    mint: reader.pubkey(),
    feeAccount: reader.pubkey(),
    solAmount: reader.u64(),
    tokenAmount: reader.u64(),
    timestamp: reader.i64(),
  };
}

/** Writes a MigrateRecord, discriminator included. @throws InvalidArgumentError that names a field out of range. */
export function encodeMigrateRecord(value: MigrateRecord): Uint8Array {
  requireObject('value', value);
  return new ByteWriter(MIGRATE_RECORD_DISCRIMINATOR)
    .pubkey('mint', value.mint)
    .pubkey('feeAccount', value.feeAccount)
    .u64('solAmount', value.solAmount)
    .u64('tokenAmount', value.tokenAmount)
    .i64('timestamp', value.timestamp)
    .finish();
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

/** Reads a TradeRecord, discriminator included; bytes after it are ignored. @throws DecodeError when they are not one. */
export function decodeTradeRecord(bytes: Uint8Array): TradeRecord {
  if (!startsWith(bytes, TRADE_RECORD_DISCRIMINATOR))
    throw new DecodeError('these bytes are no TradeRecord: the discriminator differs');
  const reader = new ByteReader(bytes, TRADE_RECORD_DISCRIMINATOR.length);
  return {
    mint: reader.pubkey(),
    trader: reader.pubkey(),
    isBuy: reader.bool(),
    solAmount: reader.u64(),
    tokenAmount: reader.u64(),
    fee: reader.u64(),
    virtualSol: reader.u64(),
    virtualToken: reader.u64(),
    finalized: reader.bool(),
    timestamp: reader.i64(),
  };
}

/** Writes a TradeRecord, discriminator included. @throws InvalidArgumentError that names a field out of range. */
export function encodeTradeRecord(value: TradeRecord): Uint8Array {
  requireObject('value', value);
  return new ByteWriter(TRADE_RECORD_DISCRIMINATOR)
    .pubkey('mint', value.mint)
    .pubkey('trader', value.trader)
    .bool('isBuy', value.isBuy)
    .u64('solAmount', value.solAmount)
    .u64('tokenAmount', value.tokenAmount)
    .u64('fee', value.fee)
    .u64('virtualSol', value.virtualSol)
    .u64('virtualToken', value.virtualToken)
    .bool('finalized', value.finalized)
    .i64('timestamp', value.timestamp)
    .finish();
}

/** Every record this version knows, by name. */
export const RECORDS = {
  CreateRecord: { discriminator: CREATE_RECORD_DISCRIMINATOR, decode: decodeCreateRecord },
  MigrateRecord: { discriminator: MIGRATE_RECORD_DISCRIMINATOR, decode: decodeMigrateRecord },
  TradeRecord: { discriminator: TRADE_RECORD_DISCRIMINATOR, decode: decodeTradeRecord },
} as const;
