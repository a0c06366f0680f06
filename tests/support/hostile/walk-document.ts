// Requests for every operation of the OpenAPI document, in which one field at a time has a hostile value.
import { HEADER_VALUES, JSON_VALUES, URL_VALUES } from './hostile-values.js';

/** In place of a field: the body itself. */
const WHOLE = 'whole body';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
}

interface Schema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

export interface HostileRequest {
  /** The operation, the field, and what is wrong with it. */
  readonly what: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text. */
  readonly body?: string;
  /** Values of a form, as text. */
  readonly form?: Readonly<Record<string, string>>;
}

/** @param known valid values, by the name of the field */
export function hostileRequests(
  document: Document,
  known: Readonly<Record<string, string>>,
): HostileRequest[] {
  return Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      ofOperation(document, { template, method: method.toUpperCase(), operation }, known),
    ),
  );
}

interface Place {
  readonly template: string;
  readonly method: string;
  readonly operation: Operation;
}

function ofOperation(
  document: Document,
  { template, method, operation }: Place,
  known: Readonly<Record<string, string>>,
): HostileRequest[] {
  const { parameters = [], requestBody } = operation;
  const [type, content] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  const fields = Object.keys(resolved(document, content?.schema).properties ?? {});
  const isForm = type === 'multipart/form-data';
  const valid = (name: string) => known[name] ?? 'x';

  function request(what: string, changed: Readonly<Record<string, string>>): HostileRequest {
    const valueOf = (name: string) => changed[name] ?? encodeURIComponent(valid(name));
    const query = parameters.filter((each) => each.in === 'query' && (each.required || each.name in changed));
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) => valueOf(name));
    const search = query.map(({ name }) => `${name}=${valueOf(name)}`).join('&');
    const headers = parameters
      .filter((each) => each.in === 'header' && each.name in changed)
      .map(({ name }) => [name, changed[name]!] as const);
    return {
      what: `${method} ${template}: ${what}`,
      method,
      path: search === '' ? path : `${path}?${search}`,
      headers: Object.fromEntries(headers),
      ...(type !== undefined && !isForm && { body: bodyOf(changed) }),
      ...(isForm && { form: Object.fromEntries(fields.map((name) => [name, changed[name] ?? valid(name)])) }),
    };
  }

  function bodyOf(changed: Readonly<Record<string, string>>): string {
    const { [WHOLE]: whole } = changed;
    if (whole !== undefined) return whole;
    return `{${fields.map((name) => `${JSON.stringify(name)}:${changed[name] ?? JSON.stringify(valid(name))}`).join(',')}}`;
  }

  const each = (name: string, values: Readonly<Record<string, string>>) =>
    Object.entries(values).map(([kind, value]) => request(`${name} is ${kind}`, { [name]: value }));
  return [
    ...parameters.flatMap(({ name, in: where }) =>
      each(name, where === 'header' ? HEADER_VALUES : URL_VALUES),
    ),
    ...(isForm
      ? fields.filter((name) => name !== 'image').flatMap((name) => each(name, FORM_VALUES))
      : fields.flatMap((name) => each(name, JSON_VALUES))),
    ...(type === undefined || isForm ? [] : each(WHOLE, { ...JSON_VALUES, 'no JSON': '{"a":' })),
  ];
}

/** The JSON texts as the values that they mean. */
const FORM_VALUES = Object.fromEntries(
  Object.entries(JSON_VALUES)
    .filter(([, text]) => text.startsWith('"'))
    .map(([kind, text]) => [kind, JSON.parse(text) as string]),
);

function resolved({ components }: Document, schema: Schema = {}): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return name === undefined ? schema : (components?.schemas?.[name] ?? {});
}
