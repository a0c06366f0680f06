// Metaplex Token Metadata accounts, as far as the tests look at them: the fields that every version of the layout has.
import { PublicKey } from '@solana/web3.js';

/** `Key::MetadataV1`. */
const METADATA_V1 = 4;

export interface Metadata {
  readonly updateAuthority: string;
  readonly mint: string;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
  readonly sellerFeeBasisPoints: number;
  readonly hasCreators: boolean;
  readonly isMutable: boolean;
}

/** Reads a metadata account; the zeros that pad its strings are taken off. */
export function decodeMetadata(data: Buffer): Metadata {
  let offset = 1;
  const key = () => new PublicKey(data.subarray(offset, (offset += 32))).toBase58();
  const text = () => {
    const length = data.readUInt32LE(offset);
    const start = offset + 4;
    offset = start + length;
    return data.toString('utf8', start, offset).replace(/\0+$/, '');
  };
  if (data[0] !== METADATA_V1) throw new Error(`key ${data[0]} is none of a metadata account`);
  const updateAuthority = key();
  const mint = key();
  const [name, symbol, uri] = [text(), text(), text()];
  const sellerFeeBasisPoints = data.readUInt16LE(offset);
  const hasCreators = data[offset + 2] === 1;
  if (hasCreators) throw new Error('a metadata account with creators: none of ours');
  // After the creators' option: whether the primary sale has happened, whether the metadata is mutable.
  const isMutable = data[offset + 4] === 1;
  return { updateAuthority, mint, name, symbol, uri, sellerFeeBasisPoints, hasCreators, isMutable };
}
