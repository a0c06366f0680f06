/** JSON text of a value, in which a bigint of any size is an exact number. Fields that are undefined are left out. */
export function toJson(value: unknown): string {
  if (typeof value === 'bigint') return value.toString();
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map((item) => toJson(item)).join(',')}]`;
  const fields: string[] = [];
  for (const [name, field] of Object.entries(value)) {
    if (field !== undefined) fields.push(`${JSON.stringify(name)}:${toJson(field)}`);
  }
  return `{${fields.join(',')}}`;
}
