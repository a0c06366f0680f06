// The log records of the bonding curve and of the graduation program: what they are, where they come from, and one of them from its bytes.
import { startsWith } from '../codec.js';
import { DecodeError } from '../errors.js';
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

/** Where in a transaction a record was made. With the signature it identifies the record. */
export interface RecordPosition {
  /** Index of the outer instruction. */
  readonly outer: number;
  /** Index among the inner instructions of that one; −1 when the outer instruction itself made the record. */
  readonly inner: number;
}

/** Where a record comes from. */
export interface RecordSource {
  readonly signature: string;
  readonly slot: number;
  readonly position: RecordPosition;
}

/** A record without its source, told apart by `kind`. */
export type RecordContent =
  | { readonly kind: 'create'; readonly data: CreateRecord }
  | { readonly kind: 'trade'; readonly data: TradeRecord }
  | { readonly kind: 'migrate'; readonly data: MigrateRecord }
  | { readonly kind: 'graduate'; readonly data: GraduateRecord };

/** A record that a later version of the program may log; this version of the SDK cannot read it. */
export interface UnknownContent {
  readonly kind: 'unknown';
  /** Its first eight bytes. */
  readonly discriminator: Uint8Array;
  /** All of it, discriminator included. */
  readonly data: Uint8Array;
}

/** A record of the program with its source. */
export type CurveRecord = RecordContent & RecordSource;

/** A record this version cannot read, with its source. */
export type UnknownRecord = UnknownContent & RecordSource;

const KINDS = [
  { kind: 'trade', discriminator: TRADE_RECORD_DISCRIMINATOR, decode: decodeTradeRecord },
  { kind: 'create', discriminator: CREATE_RECORD_DISCRIMINATOR, decode: decodeCreateRecord },
  { kind: 'migrate', discriminator: MIGRATE_RECORD_DISCRIMINATOR, decode: decodeMigrateRecord },
  { kind: 'graduate', discriminator: GRADUATE_RECORD_DISCRIMINATOR, decode: decodeGraduateRecord },
] as const;

const DISCRIMINATOR_SIZE = TRADE_RECORD_DISCRIMINATOR.length;

/** One record from its bytes, discriminator included. A known one that does not fit its layout is unknown as well. */
export function decodeRecord(bytes: Uint8Array): RecordContent | UnknownContent {
  const known = KINDS.find(({ discriminator }) => startsWith(bytes, discriminator));
  try {
    if (known !== undefined) return { kind: known.kind, data: known.decode(bytes) } as RecordContent;
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
  }
  return { kind: 'unknown', discriminator: bytes.slice(0, DISCRIMINATOR_SIZE), data: bytes.slice() };
}

/** A text that identifies a record: store it to process each one exactly once. */
export function recordKey({ signature, position }: Omit<RecordSource, 'slot'>): string {
  return `${signature}:${position.outer}:${position.inner}`;
}
