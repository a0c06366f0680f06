// Parses JSON without losing digits of integers.
import { CurvekitError } from '../errors/index.js';

/** A JSON value. An integer that a double cannot hold is a bigint. */
export type JsonValue =
  null | boolean | number | bigint | string | readonly JsonValue[] | { readonly [name: string]: JsonValue };

/** Text that is not JSON. */
export class JsonError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'JsonError';
  constructor(message: string) {
    super(message);
  }
}

const DEEPEST = 64;
const SPACE = /[\t\n\r ]*/y;
// oxlint-disable-next-line no-control-regex -- control characters are what a JSON string may not hold
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

/** Like `JSON.parse`, but integers beyond 2^53 become bigints. @throws JsonError */
export function parseJson(text: string): JsonValue {
  let at = 0;

  function token(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (found === null) return undefined;
    at = pattern.lastIndex;
    return found;
  }

  function skip(): string | undefined {
    token(SPACE);
    return text[at];
  }

  function expect(character: string): void {
    if (skip() !== character) throw unexpected();
    at += 1;
  }

  const unexpected = () =>
    new JsonError(
      at >= text.length ? 'the JSON ends too early' : `unexpected text at position ${at} of the JSON`,
    );

  function value(depth: number): JsonValue {
    if (depth > DEEPEST) throw new JsonError(`the JSON is nested more than ${DEEPEST} deep`);
    const first = skip();
    if (first === '{') return object(depth);
    if (first === '[') return array(depth);
    if (first === '"') return string();
    const word = token(WORD);
    if (word !== undefined) return word[0] === 'null' ? null : word[0] === 'true';
    const number = token(NUMBER);
    if (number === undefined) throw unexpected();
    return toNumber(number);
  }

  function string(): string {
    const found = token(STRING);
    if (found === undefined) throw unexpected();
    return JSON.parse(found[0]) as string;
  }

  function list(close: string, item: () => void): void {
    at += 1;
    if (skip() === close) {
      at += 1;
      return;
    }
    for (;;) {
      item();
      if (skip() === close) {
        at += 1;
        return;
      }
      expect(',');
    }
  }

  function array(depth: number): JsonValue[] {
    const items: JsonValue[] = [];
    list(']', () => items.push(value(depth + 1)));
    return items;
  }

  function object(depth: number): { readonly [name: string]: JsonValue } {
    const fields: [string, JsonValue][] = [];
    list('}', () => {
      skip();
      const name = string();
      expect(':');
      fields.push([name, value(depth + 1)]);
    });
    // Unlike an assignment, this also creates a field for `__proto__`.
    return Object.fromEntries(fields);
  }

  const parsed = value(0);
  skip();
  if (at < text.length) throw unexpected();
  return parsed;
}

function toNumber([text, fraction, exponent]: RegExpExecArray): number | bigint {
  const number = Number(text);
  const isWhole = fraction === undefined && exponent === undefined;
  return isWhole && !Number.isSafeInteger(number) ? BigInt(text) : number;
}
