declare global {
  interface JSON {
    /** In ES2026, and in Node.js since 21. */
    rawJSON(text: string): unknown;
  }
}

export class JsonText {
  constructor(readonly text: string) {}
}

/** JSON text of a value. A bigint of any size becomes an exact number. Undefined fields are omitted. */
export function toJson(value: unknown): string {
  if (value instanceof JsonText) return value.text;
  const text = JSON.stringify(value, (_name, field: unknown) =>
    typeof field === 'bigint' ? JSON.rawJSON(field.toString()) : field,
  ) as string | undefined;
  return text ?? 'null';
}
