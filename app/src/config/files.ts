// Reads a .env file as any editor saves it: Notepad and PowerShell write byte order marks, UTF-16 and CRLF.

import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

export function envFileVariables(bytes: Uint8Array): Record<string, string> {
  // Files that were put together from others have marks inside, too.
  const text = decodeText(bytes).replaceAll('\uFEFF', '').replaceAll(/\r\n?/g, '\n');
  return parseEnv(text) as Record<string, string>;
}

/** Adds the variables of a file. Variables that are already set override the file. */
export function loadEnvFile(path: string, environment: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(envFileVariables(readFileSync(path))))
    environment[name] ??= value;
}

// Decodes text files as editors save them: with or without a byte order mark, in UTF-8, UTF-16, UTF-32 or an older encoding.

/** @param charset of the content type, used for what is not UTF-8 */
export function decodeText(bytes: Uint8Array, charset?: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  if (startsWith(bytes, [0, 0, 0xfe, 0xff])) return utf32(bytes.subarray(4), false);
  if (startsWith(bytes, [0xff, 0xfe, 0, 0])) return utf32(bytes.subarray(4), true);
  if (startsWith(bytes, [0xfe, 0xff])) return as('utf-16be', bytes);
  if (startsWith(bytes, [0xff, 0xfe])) return as('utf-16le', bytes);
  // JSON and .env files begin with ASCII, so without a mark its zero bytes tell the encoding (RFC 4627).
  if (bytes.length >= 4) {
    if (a === 0 && b === 0 && c === 0 && d > 0) return utf32(bytes, false);
    if (a > 0 && b === 0 && c === 0 && d === 0) return utf32(bytes, true);
    if (a === 0 && b > 0 && c === 0) return as('utf-16be', bytes);
    if (a > 0 && b === 0 && c > 0) return as('utf-16le', bytes);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return as(charset ?? 'windows-1252', bytes);
  }
}

function startsWith(bytes: Uint8Array, mark: readonly number[]): boolean {
  return mark.every((byte, index) => bytes[index] === byte);
}

function as(encoding: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(encoding).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

function utf32(bytes: Uint8Array, littleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = '';
  for (let at = 0; at + 4 <= bytes.length; at += 4) {
    const code = view.getUint32(at, littleEndian);
    text += code > 0x10_ff_ff ? '\uFFFD' : String.fromCodePoint(code);
  }
  return text;
}
