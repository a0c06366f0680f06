// The program with one of its constants changed wherever its code has it: whatever compares two builds must see that.
import { GRADUATION_VIRTUAL_TOKEN } from '@curvekit/sdk';

/** The constants to change, and to what. Error codes: to the next one, an error like any other. */
const CONSTANTS: readonly (readonly [what: string, constant: bigint])[] = [
  ...[102, 2000, 2012, 2014, 2015, 3001, 3002, 3005, 3007, 3008, 3010, 3012, 4100].map(
    (code) => [`Anchor's error ${code}`, BigInt(code)] as const,
  ),
  ...[6000, 6001, 6002, 6003, 6004, 6005].map((code) => [`error ${code}`, BigInt(code)] as const),
  ['basis points of a whole', 10_000n],
  ['the graduation reserve', GRADUATION_VIRTUAL_TOKEN],
];

export interface Mutant {
  readonly what: string;
  readonly binary: Uint8Array;
  /** Instructions that were changed. */
  readonly changed: number;
}

export function mutantsOf(binary: Uint8Array): readonly Mutant[] {
  return CONSTANTS.map(([what, constant]) => ({ what, ...withNext(binary, constant) }));
}

/** `mov64 register, constant`, and `div64` of one. */
const SHORT_FORMS: ReadonlySet<number> = new Set([0xb7, 0x37]);
/** `lddw register, constant`, over two instructions. */
const LONG_FORM = 0x18;
const INSTRUCTION_BYTES = 8;

/** Adds one to a constant wherever the program's code loads it. */
function withNext(binary: Uint8Array, constant: bigint): { binary: Uint8Array; changed: number } {
  const mutant = Buffer.from(binary);
  const { from, to } = codeOf(mutant);
  const [low, high] = [Number(constant & 0xffff_ffffn), Number(constant >> 32n)];
  let changed = 0;
  for (let at = from; at + INSTRUCTION_BYTES < to; at += INSTRUCTION_BYTES) {
    const isShort = high === 0 && SHORT_FORMS.has(mutant[at]!);
    const isLong = mutant[at] === LONG_FORM && mutant.readUInt32LE(at + 12) === high;
    if (!(isShort || isLong) || mutant.readUInt32LE(at + 4) !== low) continue;
    mutant.writeUInt32LE(low + 1, at + 4);
    changed += 1;
  }
  return { binary: mutant, changed };
}

/** Where the ELF file has its section of code. */
function codeOf(elf: Buffer): { readonly from: number; readonly to: number } {
  const table = Number(elf.readBigUInt64LE(0x28));
  const [size, count, nameSection] = [0x3a, 0x3c, 0x3e].map((at) => elf.readUInt16LE(at)) as [
    number,
    number,
    number,
  ];
  const section = (index: number) => {
    const at = table + index * size;
    const [from, bytes] = [Number(elf.readBigUInt64LE(at + 0x18)), Number(elf.readBigUInt64LE(at + 0x20))];
    return { name: elf.readUInt32LE(at), from, to: from + bytes };
  };
  const names = section(nameSection).from;
  for (let index = 0; index < count; index += 1) {
    const { name, from, to } = section(index);
    if (elf.toString('latin1', names + name, names + name + 6) === '.text\0') return { from, to };
  }
  throw new Error('the program has no section .text');
}
