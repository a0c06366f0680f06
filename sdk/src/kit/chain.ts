// Replaces ../chain.ts in the build of this entry, without web3.js. It has only what the core uses.
import { decodeBase58, encodeBase58 } from '../base58.js';
import { derived } from './derive.js';

export { deriving } from './derive.js';

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
    const [address, bump] = derived(seeds, programId.toBase58());
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

export class TransactionInstruction {
  readonly programId: PublicKey;
  readonly keys: readonly AccountMeta[];
  readonly data: Uint8Array;

  constructor(parts: { programId: PublicKey; keys: readonly AccountMeta[]; data: Uint8Array }) {
    this.programId = parts.programId;
    this.keys = parts.keys;
    this.data = parts.data;
  }
}

/** Bytes, with the interface that the core uses. */
export const Buffer = {
  from: (from: ArrayLike<number> | ArrayBufferLike, offset?: number, length?: number): Uint8Array =>
    'length' in from ? Uint8Array.from(from) : new Uint8Array(from, offset, length),
};

const writable = (pubkey: PublicKey, isSigner: boolean): AccountMeta => ({
  pubkey,
  isSigner,
  isWritable: true,
});
const u32 = (value: number) => little(4, (view) => view.setUint32(0, value, true));
const u64 = (value: number | bigint) => little(8, (view) => view.setBigUint64(0, BigInt(value), true));

/** The instructions of the System program that the core sends, by their numbers. */
export const SystemProgram = {
  get programId(): PublicKey {
    return PublicKey.default;
  },
  createAccount: (to: {
    fromPubkey: PublicKey;
    newAccountPubkey: PublicKey;
    lamports: number;
    space: number;
    programId: PublicKey;
  }) =>
    system(
      [writable(to.fromPubkey, true), writable(to.newAccountPubkey, true)],
      [u32(0), u64(to.lamports), u64(to.space), to.programId.toBytes()],
    ),
  assign: (to: { accountPubkey: PublicKey; programId: PublicKey }) =>
    system([writable(to.accountPubkey, true)], [u32(1), to.programId.toBytes()]),
  transfer: (to: { fromPubkey: PublicKey; toPubkey: PublicKey; lamports: number | bigint }) =>
    system([writable(to.fromPubkey, true), writable(to.toPubkey, false)], [u32(2), u64(to.lamports)]),
  allocate: (to: { accountPubkey: PublicKey; space: number }) =>
    system([writable(to.accountPubkey, true)], [u32(8), u64(to.space)]),
};

function system(keys: readonly AccountMeta[], parts: readonly Uint8Array[]): TransactionInstruction {
  const data = Uint8Array.from(parts.flatMap((part) => [...part]));
  return new TransactionInstruction({ programId: PublicKey.default, keys, data });
}

function little(size: number, write: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(size);
  write(new DataView(bytes.buffer));
  return bytes;
}
