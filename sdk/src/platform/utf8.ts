// Text and bytes, also where TextDecoder or TextEncoder is missing: Hermes has no decoder, jsdom neither.
const BYTE_ORDER_MARK = '\ufeff';
const REPLACEMENT = '\ufffd';
/** The second byte of a sequence is narrower after these first bytes, so that each character has one form. */
const SECOND_BYTES: ReadonlyMap<number, readonly [number, number]> = /* @__PURE__ */ new Map([
  [0xe0, [0xa0, 0xbf]],
  [0xed, [0x80, 0x9f]],
  [0xf0, [0x90, 0xbf]],
  [0xf4, [0x80, 0x8f]],
]);
const LATER_BYTES = [0x80, 0xbf] as const;

/** Text of UTF-8 bytes. Malformed sequences become U+FFFD, as TextDecoder writes them. */
export function decodeUtf8(bytes: Uint8Array): string {
  return typeof TextDecoder === 'undefined' ? decoded(bytes) : new TextDecoder().decode(bytes);
}

/** UTF-8 bytes of a text. Half of a surrogate pair becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array<ArrayBuffer> {
  return typeof TextEncoder === 'undefined' ? encoded(text) : new TextEncoder().encode(text);
}

function decoded(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const [character, size] = characterAt(bytes, at);
    text += character;
    at += size;
  }
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

function characterAt(bytes: Uint8Array, at: number): [character: string, size: number] {
  const first = bytes[at]!;
  if (first < 0x80) return [String.fromCharCode(first), 1];
  const length = first < 0xc2 || first > 0xf4 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  if (length === 1) return [REPLACEMENT, 1];
  let code = first & (0x7f >> length);
  for (let index = 1; index < length; index += 1) {
    const [least, most] = (index === 1 && SECOND_BYTES.get(first)) || LATER_BYTES;
    const next = bytes[at + index];
    if (next === undefined || next < least || next > most) return [REPLACEMENT, index];
    code = (code << 6) | (next & 0x3f);
  }
  return [String.fromCodePoint(code), length];
}

function encoded(text: string): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  for (const character of text) {
    const given = character.codePointAt(0)!;
    const code = given >= 0xd800 && given <= 0xdfff ? 0xfffd : given;
    const later = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x1_0000 ? 2 : 3;
    if (later === 0) bytes.push(code);
    else bytes.push(((0xff00 >> (later + 1)) & 0xff) | (code >> (6 * later)));
    for (let left = later - 1; left >= 0; left -= 1) bytes.push(0x80 | ((code >> (6 * left)) & 0x3f));
  }
  return Uint8Array.from(bytes);
}
