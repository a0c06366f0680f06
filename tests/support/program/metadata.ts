import { getMetadataAccountDataSerializer } from '@metaplex-foundation/mpl-token-metadata';
import type { LocalCluster } from '@curvekit/testing';
import type { Token } from '#tests/program/tokens.js';

/** A token's Metaplex metadata. */
export async function metadataOf({ connection }: LocalCluster, { metadata }: Pick<Token, 'metadata'>) {
  const account = await connection.getAccountInfo(metadata.address);
  return getMetadataAccountDataSerializer().deserialize(account!.data)[0];
}
