// The error codes in the service's document and in other files.
import { readFile } from 'node:fs/promises';

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

interface Schema {
  readonly properties?: Readonly<Record<string, { readonly enum?: readonly string[] }>>;
}

/** Sorted `STATUS CODE` of every error that an OpenAPI document describes for paths with this prefix. */
export function documentedErrors(document: unknown, prefix: string, field: 'code' | 'error'): string[] {
  const found = new Set<string>();
  for (const [path, operations] of Object.entries((document as Described).paths)) {
    if (!path.startsWith(prefix)) continue;
    for (const { responses } of Object.values(operations))
      for (const [status, { content }] of Object.entries(responses)) {
        if (status === '200') continue;
        const codes = content?.['application/json']?.schema.properties?.[field]?.enum ?? [];
        for (const code of codes) found.add(`${status} ${code}`);
      }
  }
  return [...found].sort();
}

/** Sorted `STATUS CODE` of every row of a Markdown table that begins with both. */
export async function tabledErrors(file: string): Promise<string[]> {
  const text = await readFile(new URL(`../../../${file}`, import.meta.url), 'utf8');
  return [...text.matchAll(/^\| (\d{3}) +\| ([^|]+?) +\|/gm)]
    .flatMap(([, status, codes = '']) =>
      [...codes.matchAll(/`(\w+)`/g)].map(([, code]) => `${status} ${code}`),
    )
    .sort();
}
