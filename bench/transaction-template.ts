// A real transaction as a template for made-up ones.
/** A transaction as a node answers `getTransaction`, and the call in it that carries its record. */
export interface Sample {
  /** JSON text of the whole result. */
  readonly json: string;
  /** Base58 of that call's data. */
  readonly call: string;
  /** What stands for whom in the text. */
  readonly signature: string;
  readonly mint: string;
  readonly trader: string;
  readonly slot: number;
}

type Place = 'call' | 'signature' | 'mint' | 'trader' | 'slot';
/** Texts, and between them what differs from transaction to transaction. */
export type Template = readonly (string | { readonly place: Place })[];

export function templateOf(sample: Sample): Template {
  let parts: (string | { readonly place: Place })[] = [sample.json];
  const cut = (text: string, place: Place) => {
    parts = parts.flatMap((part) => {
      if (typeof part !== 'string') return [part];
      return part.split(text).flatMap((piece, index) => (index === 0 ? [piece] : [{ place }, piece]));
    });
  };
  for (const place of ['call', 'signature', 'mint', 'trader'] as const) cut(sample[place], place);
  const before = parts.length;
  cut(String(sample.slot), 'slot');
  if (parts.length === before) throw new Error('the sample does not tell its slot');
  return parts;
}

/** JSON text. */
export function fill(template: Template, values: Readonly<Record<Place, string>>): string {
  return template.map((part) => (typeof part === 'string' ? part : values[part.place])).join('');
}
