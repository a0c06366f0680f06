// The program with one of its constants changed wherever its code has it: whatever compares two builds must see that.
import { BASIS_POINTS, GRADUATION_VIRTUAL_TOKEN, PROGRAM_ERRORS } from '@curvekit/sdk';

/** The constants to change. Of the errors: what one becomes is an error like any other. */
const CONSTANTS: readonly (readonly [what: string, constant: bigint])[] = [
  ...[102, 2000, 2012, 2014, 2015, 2040, 3001, 3002, 3005, 3007, 3008, 3010, 3012, 4100].map(
    (code) => [`Anchor's error ${code}`, BigInt(code)] as const,
  ),
  ...Object.keys(PROGRAM_ERRORS).map((code) => [`its error ${code}`, BigInt(code)] as const),
  ['the basis points of a whole', BigInt(BASIS_POINTS)],
  ['the graduation reserve', GRADUATION_VIRTUAL_TOKEN],
];

export interface Mutant {
  readonly what: string;
  readonly binary: Uint8Array;
}

/** One for each constant that the compiler has left in the code. */
export function mutantsOf(binary: Uint8Array): readonly Mutant[] {
  return CONSTANTS.flatMap(([what, constant]) => {
    const mutant = withNext(binary, constant);
    return mutant === undefined ? [] : [{ what, binary: mutant }];
  });
}

/** `add64`, `div64`, `or64` and `mov64` with a constant. */
const SHORT_FORMS: ReadonlySet<number> = new Set([0x07, 0x37, 0x47, 0xb7]);
/** `lddw register, constant`, over two instructions. */
const LONG_FORM = 0x18;
const INSTRUCTION_BYTES = 8;

/** Adds one to a constant wherever the program's code has it; undefined where it nowhere does. */
function withNext(binary: Uint8Array, constant: bigint): Uint8Array | undefined {
  const mutant = Buffer.from(binary);
  const { from, to } = codeOf(mutant);
  const [low, high] = [Number(constant & 0xffff_ffffn), Number(constant >> 32n)];
  let changed = false;
  for (let at = from; at + INSTRUCTION_BYTES < to; at += INSTRUCTION_BYTES) {
    const isShort = high === 0 && SHORT_FORMS.has(mutant[at]!);
    const isLong = mutant[at] === LONG_FORM && mutant.readUInt32LE(at + 12) === high;
    if (!(isShort || isLong) || mutant.readUInt32LE(at + 4) !== low) continue;
    mutant.writeUInt32LE(low + 1, at + 4);
    changed = true;
  }
  return changed ? mutant : undefined;
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
