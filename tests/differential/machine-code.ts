// Makes changes in a program's machine code (SBPF).

const INSTRUCTION_BYTES = 8;
/** `add64`, `div64`, `or64` and `mov64` with a constant. */
const SHORT_FORMS: ReadonlySet<number> = new Set([0x07, 0x37, 0x47, 0xb7]);
/** `lddw register, constant`, over two instructions. */
const LONG_FORM = 0x18;
const JUMP = 0x05;
const JUMP_IF_EQUAL = 0x1d;
const JUMP_IF_NOT_EQUAL = 0x5d;

/** Replaces every occurrence of a constant in the code. Undefined when there is none. */
export function replacing(binary: Uint8Array, constant: bigint, by: bigint): Uint8Array | undefined {
  const mutant = Buffer.from(binary);
  const found = constantsIn(mutant).filter(({ value }) => value === constant);
  for (const { at } of found) {
    mutant.writeUInt32LE(Number(by & 0xffff_ffffn), at + 4);
    if (mutant[at] === LONG_FORM) mutant.writeUInt32LE(Number(by >> 32n), at + 12);
  }
  return found.length > 0 ? mutant : undefined;
}

/** Makes every comparison with one of these constants succeed. Undefined when there is none. */
export function assumingEqual(binary: Uint8Array, constants: readonly bigint[]): Uint8Array | undefined {
  const mutant = Buffer.from(binary);
  let changed = false;
  for (const { at, value } of constantsIn(mutant)) {
    if (mutant[at] !== LONG_FORM || !constants.includes(value)) continue;
    const register = mutant[at + 1]! & 0x0f;
    const jump = at + 2 * INSTRUCTION_BYTES;
    const { left, right } = registersOf(mutant, jump);
    if (left === register || right === register) changed = assumeEqual(mutant, jump) || changed;
  }
  return changed ? mutant : undefined;
}

function registersOf(code: Buffer, at: number): { readonly left: number; readonly right: number } {
  return { left: code[at + 1]! & 0x0f, right: code[at + 1]! >> 4 };
}

/** Returns false when the instruction is not such a jump. */
function assumeEqual(code: Buffer, jump: number): boolean {
  const operation = code[jump];
  if (operation !== JUMP_IF_EQUAL && operation !== JUMP_IF_NOT_EQUAL) return false;
  code[jump] = JUMP;
  code[jump + 1] = 0;
  if (operation === JUMP_IF_NOT_EQUAL) code.writeInt16LE(0, jump + 2);
  return true;
}

function constantsIn(code: Buffer): readonly { readonly at: number; readonly value: bigint }[] {
  const { from, to } = codeOf(code);
  const constants: { at: number; value: bigint }[] = [];
  for (let at = from; at + INSTRUCTION_BYTES < to; at += INSTRUCTION_BYTES) {
    const low = BigInt(code.readUInt32LE(at + 4));
    if (SHORT_FORMS.has(code[at]!)) constants.push({ at, value: low });
    else if (code[at] === LONG_FORM)
      constants.push({ at, value: low + (BigInt(code.readUInt32LE(at + 12)) << 32n) });
  }
  return constants;
}

/** The position of the `.text` section in the ELF file. */
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
