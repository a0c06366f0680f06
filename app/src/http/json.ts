const quotedNames = new Map<string, string>();
/** Only field names of the API are cached. The limit protects the memory if other names ever get here. */
const MOST_NAMES = 1_000;
/** Text that needs no escaping, the common case. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** A value that is JSON text already. */
export class JsonText {
  constructor(readonly text: string) {}
}

/** JSON text of a value. A bigint of any size becomes an exact number. Undefined fields are omitted. */
export function toJson(value: unknown): string {
  if (typeof value === 'string') return PLAIN.test(value) ? `"${value}"` : JSON.stringify(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (value instanceof JsonText) return value.text;
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += text === '' ? toJson(item) : `,${toJson(item)}`;
    return `[${text}]`;
  }
  for (const name of Object.keys(value)) {
    const field = (value as Readonly<Record<string, unknown>>)[name];
    if (field !== undefined) text += `${text === '' ? '' : ','}${quoted(name)}:${toJson(field)}`;
  }
  return `{${text}}`;
}

function quoted(name: string): string {
  const known = quotedNames.get(name);
  if (known !== undefined) return known;
  const text = JSON.stringify(name);
  if (quotedNames.size < MOST_NAMES) quotedNames.set(name, text);
  return text;
}
