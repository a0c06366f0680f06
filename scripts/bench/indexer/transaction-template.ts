// A real transaction as a template for artificial ones.
/** A result of `getTransaction`, and the values in it that the template replaces. */
export interface Sample {
  /** JSON text of the whole result. */
  readonly json: string;
  /** Data of the call with the record, in base58. */
  readonly call: string;
  readonly signature: string;
  readonly mint: string;
  readonly trader: string;
  readonly slot: number;
}

type Place = 'call' | 'signature' | 'mint' | 'trader' | 'slot';
/** Constant texts, and between them the places for the values of a transaction. */
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

/** The transaction with these values as JSON text. */
export function fill(template: Template, values: Readonly<Record<Place, string>>): string {
  return template.map((part) => (typeof part === 'string' ? part : values[part.place])).join('');
}
