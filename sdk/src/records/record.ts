// The log records of the bonding curve and of the graduation program: their types, their source, and the decoding of
// one record.
import { requireObject } from '../checks/options.js';
import { startsWith } from '../codec/borsh.js';
import { DecodeError } from '../errors/index.js';
import {
  decodeGraduateRecord,
  GRADUATE_RECORD_DISCRIMINATOR,
  type GraduateRecord,
} from '../generated/graduation/records.js';
import {
  CREATE_RECORD_DISCRIMINATOR,
  decodeCreateRecord,
  decodeMigrateRecord,
  decodeTradeRecord,
  MIGRATE_RECORD_DISCRIMINATOR,
  TRADE_RECORD_DISCRIMINATOR,
  type CreateRecord,
  type MigrateRecord,
  type TradeRecord,
} from '../generated/records.js';

/** The position of a record in its transaction. Together with the signature it identifies the record. */
export interface RecordPosition {
  /** Index of the outer instruction. */
  readonly outer: number;
  /** Index among the inner instructions of the outer one; −1 when the outer instruction itself made the record. */
  readonly inner: number;
}

/** The source of a record. */
export interface RecordSource {
  readonly signature: string;
  readonly slot: number;
  readonly position: RecordPosition;
}

/** A record without its source. `kind` distinguishes the types. */
export type RecordContent =
  | { readonly kind: 'create'; readonly data: CreateRecord }
  | { readonly kind: 'trade'; readonly data: TradeRecord }
  | { readonly kind: 'migrate'; readonly data: MigrateRecord }
  | { readonly kind: 'graduate'; readonly data: GraduateRecord };

/** A record of a later program version. This version of the SDK cannot read it. */
export interface UnknownContent {
  readonly kind: 'unknown';
  /** The first eight bytes of the record. */
  readonly discriminator: Uint8Array;
  /** The whole record, including the discriminator. */
  readonly data: Uint8Array;
}

/** A record of the program with its source. */
export type CurveRecord = RecordContent & RecordSource;

/** A record that this version cannot read, with its source. */
export type UnknownRecord = UnknownContent & RecordSource;

const KINDS = [
  { kind: 'trade', discriminator: TRADE_RECORD_DISCRIMINATOR, decode: decodeTradeRecord },
  { kind: 'create', discriminator: CREATE_RECORD_DISCRIMINATOR, decode: decodeCreateRecord },
  { kind: 'migrate', discriminator: MIGRATE_RECORD_DISCRIMINATOR, decode: decodeMigrateRecord },
  { kind: 'graduate', discriminator: GRADUATE_RECORD_DISCRIMINATOR, decode: decodeGraduateRecord },
] as const;

const DISCRIMINATOR_SIZE = TRADE_RECORD_DISCRIMINATOR.length;

/**
 * Decodes one record from its bytes, including the discriminator. A known record with an invalid layout also counts as
 * unknown.
 */
export function decodeRecord(bytes: Uint8Array): RecordContent | UnknownContent {
  const known = KINDS.find(({ discriminator }) => startsWith(bytes, discriminator));
  try {
    if (known !== undefined) return { kind: known.kind, data: known.decode(bytes) } as RecordContent;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
  }
  return { kind: 'unknown', discriminator: bytes.slice(0, DISCRIMINATOR_SIZE), data: bytes.slice() };
}

/** The 32 bytes of the mint in a record that is not decoded; undefined for a record that this version does not know. */
export function recordMint(bytes: Uint8Array): Uint8Array | undefined {
  // Every known record begins with it.
  return KINDS.some(({ discriminator }) => startsWith(bytes, discriminator))
    ? bytes.subarray(DISCRIMINATOR_SIZE, DISCRIMINATOR_SIZE + 32)
    : undefined;
}

/** A text that identifies a record. Store it to process each record exactly once. */
export function recordKey(record: Omit<RecordSource, 'slot'>): string {
  requireObject('record', record);
  const { signature, position } = record;
  requireObject('record.position', position);
  return `${signature}:${position.outer}:${position.inner}`;
}
