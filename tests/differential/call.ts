// Calls of a program with any accounts and flags, right or wrong, and their transaction.
import { PublicKey, type TransactionInstruction } from '@solana/web3.js';

export interface Key {
  readonly bytes: Uint8Array;
  readonly hex: string;
}

export interface Meta {
  readonly key: Key;
  readonly isSigner: boolean;
  readonly isWritable: boolean;
}

export interface Call {
  readonly program: Key;
  readonly metas: readonly Meta[];
  readonly data: Uint8Array;
}

export function keyOf(address: PublicKey | Uint8Array): Key {
  const bytes = address instanceof PublicKey ? address.toBytes() : address;
  return { bytes, hex: Buffer.from(bytes).toString('hex') };
}

export function publicKeyOf({ bytes }: Key): PublicKey {
  return new PublicKey(bytes);
}

export function callOf({ programId, keys, data }: TransactionInstruction): Call {
  const metas = keys.map(({ pubkey, isSigner, isWritable }) => ({
    key: keyOf(pubkey),
    isSigner,
    isWritable,
  }));
  return { program: keyOf(programId), metas, data };
}

/** A transaction in wire format. Signatures and blockhash are blank, because the machine does not check them. */
export function compile(calls: readonly Call[], feePayer: Key): Uint8Array {
  const metas = new Map<string, Meta>();
  const add = (meta: Meta): void => {
    const other = metas.get(meta.key.hex);
    const isSigner = meta.isSigner || other?.isSigner === true;
    const isWritable = meta.isWritable || other?.isWritable === true;
    metas.set(meta.key.hex, { key: meta.key, isSigner, isWritable });
  };
  add({ key: feePayer, isSigner: true, isWritable: true });
  for (const call of calls) {
    call.metas.forEach(add);
    add({ key: call.program, isSigner: false, isWritable: false });
  }

  // The sort is stable, so the fee payer stays first.
  const rank = (meta: Meta) => (meta.isSigner ? 0 : 2) + (meta.isWritable ? 0 : 1);
  const ordered = [...metas.values()].sort((a, b) => rank(a) - rank(b));
  const index = new Map(ordered.map(({ key }, position) => [key.hex, position]));
  const count = (wanted: number) => ordered.filter((meta) => rank(meta) === wanted).length;
  const signatures = count(0) + count(1);

  const bytes: number[] = [signatures, ...new Uint8Array(64 * signatures)];
  bytes.push(signatures, count(1), count(3), ...compact(ordered.length));
  for (const { key } of ordered) bytes.push(...key.bytes);
  bytes.push(...new Uint8Array(32), ...compact(calls.length));
  for (const call of calls) {
    bytes.push(index.get(call.program.hex)!, ...compact(call.metas.length));
    bytes.push(...call.metas.map(({ key }) => index.get(key.hex)!));
    bytes.push(...compact(call.data.length), ...call.data);
  }
  return Uint8Array.from(bytes);
}

/** A length as compact-u16. */
function compact(length: number): number[] {
  return length < 0x80 ? [length] : [(length & 0x7f) | 0x80, ...compact(length >> 7)];
}
