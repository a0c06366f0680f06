// Generated from programs/artifacts/bonding_curve.json by scripts/generate-sdk. Do not edit: run `npm run generate:sdk`.

import { decodeLayout, encodeLayout, type Layout } from '../codec/instruction.js';

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

const PROPERTIES: Layout<Properties> = {
  name: 'Properties',
  discriminator: PROPERTIES_DISCRIMINATOR,
  fields: {
    initialized: 'u8',
    bump: 'u8',
    initialVirtualSol: 'u64',
    initialVirtualToken: 'u64',
    platformFeeBps: 'u16',
  },
};

/** Reads a Properties, discriminator included; bytes after it are ignored. @throws DecodeError when they are not one. */
export function decodeProperties(bytes: Uint8Array): Properties {
  return decodeLayout(PROPERTIES, bytes);
}

/** Writes a Properties, discriminator included. @throws InvalidArgumentError that names a field out of range. */
export function encodeProperties(value: Properties): Uint8Array {
  return encodeLayout(PROPERTIES, 'value', value);
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

const TOKEN_OWNER_DATA: Layout<TokenOwnerData> = {
  name: 'TokenOwnerData',
  discriminator: TOKEN_OWNER_DATA_DISCRIMINATOR,
  fields: {
    initialized: 'u8',
    virtualSol: 'u64',
    virtualToken: 'u64',
    afterMigrationFee: 'u16',
    afterMigrationBurnBp: 'u16',
  },
};

/** Reads a TokenOwnerData, discriminator included; bytes after it are ignored. @throws DecodeError when they are not one. */
export function decodeTokenOwnerData(bytes: Uint8Array): TokenOwnerData {
  return decodeLayout(TOKEN_OWNER_DATA, bytes);
}

/** Writes a TokenOwnerData, discriminator included. @throws InvalidArgumentError that names a field out of range. */
export function encodeTokenOwnerData(value: TokenOwnerData): Uint8Array {
  return encodeLayout(TOKEN_OWNER_DATA, 'value', value);
}
