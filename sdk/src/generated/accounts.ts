// Generated from artifacts/bonding_curve.json by scripts/generate-sdk. Do not edit: run `npm run generate:sdk`.

import { ByteReader, ByteWriter, startsWith } from '../codec.js';
import { DecodeError } from '../errors.js';
import { requireObject } from '../options.js';

/** The launchpad's settings: one account, changed by the admin only. */
export interface Properties {
  /** 1 once the admin has set the properties. */
  readonly initialized: number;
  /** Canonical bump of this account's address. */
  readonly bump: number;
  /** Virtual SOL reserve of new curves in lamports. */
  readonly initialVirtualSol: bigint;
  /** Virtual token reserve of new curves in smallest units. */
  readonly initialVirtualToken: bigint;
  /** Platform fee of every trade in basis points, read live. */
  readonly platformFeeBps: number;
}

/** First bytes of a Properties. */
export const PROPERTIES_DISCRIMINATOR: Uint8Array = /* @__PURE__ */ new Uint8Array([
  159, 174, 50, 69, 56, 172, 223, 135,
]);

/** Bytes of a Properties, discriminator included. */
export const PROPERTIES_SIZE = 28;

/** Reads a Properties, discriminator included; bytes after it are ignored. @throws DecodeError when they are not one. */
export function decodeProperties(bytes: Uint8Array): Properties {
  if (!startsWith(bytes, PROPERTIES_DISCRIMINATOR))
    throw new DecodeError('these bytes are no Properties: the discriminator differs');
  const reader = new ByteReader(bytes, PROPERTIES_DISCRIMINATOR.length);
  return {
    initialized: reader.u8(),
    bump: reader.u8(),
    initialVirtualSol: reader.u64(),
    initialVirtualToken: reader.u64(),
    platformFeeBps: reader.u16(),
  };
}

/** Writes a Properties, discriminator included. @throws InvalidArgumentError that names a field out of range. */
export function encodeProperties(value: Properties): Uint8Array {
  requireObject('value', value);
  return new ByteWriter(PROPERTIES_DISCRIMINATOR)
    .u8('initialized', value.initialized)
    .u8('bump', value.bump)
    .u64('initialVirtualSol', value.initialVirtualSol)
    .u64('initialVirtualToken', value.initialVirtualToken)
    .u16('platformFeeBps', value.platformFeeBps)
    .finish();
}

/**
 * One token's curve. Its account is a PDA that also holds the SOL of the curve and owns the vault.
 *
 * `initialized` runs 0 (none) → 1 (trading) → 2 (finalized: graduated, no trades) → 3 (migrated), never back.
 */
export interface TokenOwnerData {
  /** State of the curve: 1 trading, 2 finalized, 3 migrated. */
  readonly initialized: number;
  /** Virtual SOL reserve in lamports. Moves with trades only, never with lamports sent to the account. */
  readonly virtualSol: bigint;
  /** Virtual token reserve in smallest units. */
  readonly virtualToken: bigint;
  /** Share of the migrated liquidity that the operator contributes to the community storages, in basis points. */
  readonly afterMigrationFee: number;
  /** Share of the token side of a community settlement that is burned, in basis points. */
  readonly afterMigrationBurnBp: number;
}

/** First bytes of a TokenOwnerData. */
export const TOKEN_OWNER_DATA_DISCRIMINATOR: Uint8Array = /* @__PURE__ */ new Uint8Array([
  83, 18, 112, 20, 26, 99, 35, 89,
]);

/** Bytes of a TokenOwnerData, discriminator included. */
export const TOKEN_OWNER_DATA_SIZE = 29;

/** Reads a TokenOwnerData, discriminator included; bytes after it are ignored. @throws DecodeError when they are not one. */
export function decodeTokenOwnerData(bytes: Uint8Array): TokenOwnerData {
  if (!startsWith(bytes, TOKEN_OWNER_DATA_DISCRIMINATOR))
    throw new DecodeError('these bytes are no TokenOwnerData: the discriminator differs');
  const reader = new ByteReader(bytes, TOKEN_OWNER_DATA_DISCRIMINATOR.length);
  return {
    initialized: reader.u8(),
    virtualSol: reader.u64(),
    virtualToken: reader.u64(),
    afterMigrationFee: reader.u16(),
    afterMigrationBurnBp: reader.u16(),
  };
}

/** Writes a TokenOwnerData, discriminator included. @throws InvalidArgumentError that names a field out of range. */
export function encodeTokenOwnerData(value: TokenOwnerData): Uint8Array {
  requireObject('value', value);
  return new ByteWriter(TOKEN_OWNER_DATA_DISCRIMINATOR)
    .u8('initialized', value.initialized)
    .u64('virtualSol', value.virtualSol)
    .u64('virtualToken', value.virtualToken)
    .u16('afterMigrationFee', value.afterMigrationFee)
    .u16('afterMigrationBurnBp', value.afterMigrationBurnBp)
    .finish();
}
