// Generated from programs/artifacts/graduation.json by scripts/generate-sdk. Do not edit: run `npm run generate:sdk`.

import type { PublicKey } from '../../chain/types.js';
import { decodeLayout, encodeLayout, type Layout } from '../../codec/instruction.js';

/**
 * A curve went to its pool. While the rent is what it was at the token's creation, all lamports that left the curve
 * are `pool_sol + community_sol + costs`. All tokens are `pool_token + community_token + burnt`.
 */
export interface GraduateRecord {
  readonly mint: PublicKey;
  readonly pool: PublicKey;
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

/** First bytes of a GraduateRecord. */
export const GRADUATE_RECORD_DISCRIMINATOR: Uint8Array = /* @__PURE__ */ new Uint8Array([
  208, 221, 100, 92, 165, 146, 73, 102,
]);

/** Bytes of a GraduateRecord, discriminator included. */
export const GRADUATE_RECORD_SIZE = 136;

const GRADUATE_RECORD: Layout<GraduateRecord> = {
  name: 'GraduateRecord',
  discriminator: GRADUATE_RECORD_DISCRIMINATOR,
  fields: {
    mint: 'pubkey',
    pool: 'pubkey',
    poolSol: 'u64',
    poolToken: 'u64',
    communitySol: 'u64',
    communityToken: 'u64',
    burnt: 'u64',
    costs: 'u64',
    lpBurnt: 'u64',
    timestamp: 'i64',
  },
};

/** Reads a GraduateRecord, discriminator included; bytes after it are ignored. @throws DecodeError when they are not one. */
export function decodeGraduateRecord(bytes: Uint8Array): GraduateRecord {
  return decodeLayout(GRADUATE_RECORD, bytes);
}

/** Writes a GraduateRecord, discriminator included. @throws InvalidArgumentError that names a field out of range. */
export function encodeGraduateRecord(value: GraduateRecord): Uint8Array {
  return encodeLayout(GRADUATE_RECORD, 'value', value);
}

/** Every record this version knows, by name. */
export const RECORDS = {
  GraduateRecord: { discriminator: GRADUATE_RECORD_DISCRIMINATOR, decode: decodeGraduateRecord },
} as const;
