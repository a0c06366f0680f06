// Stands for chain/keys.ts in the entries for Kit. It has only what the core uses.
import { findProgramAddress } from '../../accounts/derive.js';
import { decodeBase58, encodeBase58 } from '../../encoding/base58.js';

export const KEY_TYPE = 'an Address, 32 bytes in base58';

const KEY_SIZE = 32;

/** An address, as bytes and as text. */
export class PublicKey {
  readonly #bytes: Uint8Array;
  #text: string | undefined;

  constructor(value: string | Uint8Array) {
    this.#bytes = typeof value === 'string' ? decodeBase58(value) : value.slice();
    if (this.#bytes.length !== KEY_SIZE)
      throw new TypeError(`an address has ${KEY_SIZE} bytes, this one ${this.#bytes.length}`);
  }

  static get default(): PublicKey {
    return new PublicKey(new Uint8Array(KEY_SIZE));
  }

  static findProgramAddressSync(seeds: readonly Uint8Array[], programId: PublicKey): [PublicKey, number] {
    const { address, bump } = findProgramAddress(seeds, programId.#bytes);
    return [new PublicKey(address), bump];
  }

  toBytes(): Uint8Array {
    return this.#bytes.slice();
  }

  toBase58(): string {
    return (this.#text ??= encodeBase58(this.#bytes));
  }

  equals(other: { toBase58(): string }): boolean {
    return this.toBase58() === other.toBase58();
  }
}

interface AccountMeta {
  readonly pubkey: PublicKey;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
}

/** An instruction with the fields of web3.js that the core uses. */
export function newInstruction(programId: PublicKey, keys: readonly AccountMeta[], data: Uint8Array) {
  return { programId, keys, data };
}
