// Random requests from an OpenAPI document: mostly valid, with some faults, so that every check is reached.
import fc from 'fast-check';

/** Who sends a request. The signature is made when it is sent, because each works only once. */
export type Sender = 'the wallet' | 'the wallet, bound' | 'another wallet' | KeyName | 'nobody';
export type KeyName = 'any key' | 'writing key' | 'reading key';

export interface FuzzedRequest {
  /** In the document's form: `/rewards/{address}`. */
  readonly template: string;
  readonly method: string;
  readonly path: string;
  readonly sender: Sender;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
}

export interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema: Schema;
}

export interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** Valid values of fields and parameters, by name. */
export type KnownValues = Readonly<Record<string, readonly string[]>>;

/** Names that no operation has. */
export const UNKNOWN_PARAMETER = 'unknownParameter';
export const UNKNOWN_FIELD = 'unknownField';

/** Picks `common` `times` times as often as each of the others. */
function mostly<T>(times: number, common: fc.Arbitrary<T>, ...others: fc.Arbitrary<T>[]): fc.Arbitrary<T> {
  return fc.oneof({ weight: times, arbitrary: common }, ...others);
}

const GARBAGE = fc.oneof(
  fc.string({ maxLength: 100 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.base64String({ maxLength: 120 }),
  fc.constantFrom('0', '-1', 'null', '..', "' or 1=1 --", 'a'.repeat(2_000), '\u0000', '%', '1'.repeat(88)),
);
const HEADER_GARBAGE = mostly(4, GARBAGE, fc.nat().map(String)).map((text) =>
  text.replace(/[^\x20-\x7e]/g, '').trim(),
);
const SENT_HEADERS = [
  'x-signature',
  'x-signed-message',
  'x-timestamp',
  'x-signature-scheme',
  'x-api-key',
  'x-request-id',
];
const BAD_BODIES = fc.constantFrom(
  undefined,
  '',
  '{',
  '['.repeat(5_000),
  `"${'x'.repeat(17_000)}"`,
  '{"__proto__":{}}',
);
const WRONG_TYPES = fc.constantFrom('text/plain', 'application/json; charset=utf-16', 'garbage');
const METHODS = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH');

const WALLETS = mostly<Sender>(
  4,
  fc.constantFrom('the wallet', 'the wallet', 'the wallet, bound'),
  fc.constantFrom('another wallet', 'any key', 'nobody'),
);
const PARTNERS = mostly<Sender>(
  4,
  fc.constant('any key'),
  fc.constantFrom('writing key', 'reading key'),
  fc.constantFrom('nobody', 'the wallet'),
);

/** Requests of all operations, with equal weight. */
export function fuzzedRequests(document: OpenApi, known: KnownValues): fc.Arbitrary<FuzzedRequest> {
  const operations = Object.entries(document.paths).flatMap(([template, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      fuzzedRequest(document, known, template, method, operation),
    ),
  );
  return fc.oneof(...operations);
}

function fuzzedRequest(
  document: OpenApi,
  known: KnownValues,
  template: string,
  method: string,
  { parameters = [], requestBody, security = [] }: Operation,
): fc.Arbitrary<FuzzedRequest> {
  const named = (place: string) => parameters.filter((parameter) => parameter.in === place);
  const schema = requestBody?.content['application/json']?.schema;
  const partsOfPath = named('path').map((parameter) =>
    mostly(4, good(parameter.name, parameter.schema, known), GARBAGE)
      .map(String)
      .filter(isPathPart),
  );
  const isPartners = security.some((schemes) => 'apiKey' in schemes);
  return fc
    .record({
      template: fc.constant(template),
      method: mostly(40, fc.constant(method.toUpperCase()), METHODS),
      parts: fc.tuple(...partsOfPath),
      query: queryOf(named('query'), known),
      sender: isPartners ? PARTNERS : WALLETS,
      headers: headersOf(named('header'), known),
      body: schema === undefined ? fc.constant(undefined) : bodyOf(resolved(document, schema), known),
    })
    .map(({ parts, query, body, ...request }) => {
      const bare = parts.reduce((path, part) => path.replace(/\{\w+\}/, encodeURIComponent(part)), template);
      const path = query === '' ? bare : `${bare}?${query}`;
      return { ...request, path, body: request.method === 'GET' ? undefined : body };
    });
}

function queryOf(parameters: readonly Parameter[], known: KnownValues): fc.Arbitrary<string> {
  const values = Object.fromEntries(
    parameters.map(({ name, schema }) => [name, mostly(9, good(name, schema, known), GARBAGE).map(String)]),
  );
  const documented = fc.record(values, { requiredKeys: [] });
  const unknown = documented.chain((query) =>
    GARBAGE.map((text): Record<string, string> => ({ ...query, [UNKNOWN_PARAMETER]: text })),
  );
  return mostly(8, documented as fc.Arbitrary<Record<string, string>>, unknown).map((query) =>
    new URLSearchParams(Object.entries(query).filter(([, value]) => isEncodable(value))).toString(),
  );
}

function headersOf(parameters: readonly Parameter[], known: KnownValues) {
  // The sender determines the signature headers. Every other header is left out half of the time.
  const own = Object.fromEntries(
    parameters
      .filter(({ name }) => !SENT_HEADERS.includes(name))
      .map(({ name, schema }) => [name, mostly(4, good(name, schema, known).map(String), HEADER_GARBAGE)]),
  );
  const disturbing = fc.dictionary(fc.constantFrom(...SENT_HEADERS), HEADER_GARBAGE, {
    minKeys: 1,
    maxKeys: 1,
  });
  const type = WRONG_TYPES.map((text): Record<string, string> => ({ 'content-type': text }));
  const nothing = fc.constant<Record<string, string>>({});
  return fc
    .tuple(
      fc.record(own, { requiredKeys: [] }) as fc.Arbitrary<Record<string, string>>,
      mostly(20, nothing, disturbing),
      mostly(30, nothing, type),
    )
    .map(([others, ...more]) => Object.assign({ ...others }, ...more) as Record<string, string>);
}

function bodyOf({ properties = {} }: Schema, known: KnownValues): fc.Arbitrary<string | undefined> {
  const fields = (value: (name: string, schema: Schema) => fc.Arbitrary<unknown>) =>
    Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, value(name, schema)]));
  const right = fc.record(fields((name, schema) => good(name, schema, known)));
  const wrong = (name: string, schema: Schema) =>
    mostly<unknown>(1, good(name, schema, known), GARBAGE, fc.jsonValue());
  const text = (value: unknown) => JSON.stringify(value);
  return mostly<string | undefined>(
    8,
    right.map(text),
    fc.record(fields(wrong)).map(text),
    fc.record(fields(wrong), { requiredKeys: [] }).map(text),
    fc
      .tuple(right, fc.dictionary(fc.string(), fc.jsonValue()))
      .map(([value, more]) => text({ ...more, ...value, [UNKNOWN_FIELD]: 1 })),
    fc.oneof(fc.json(), GARBAGE),
    BAD_BODIES,
  );
}

/** A value that is valid for the schema; one of the known values of that name, if there are any. */
function good(name: string, { enum: words, type, minimum, maximum }: Schema, known: KnownValues) {
  const values: readonly unknown[] = known[name] ?? words ?? [];
  if (values.length > 0) return fc.constantFrom(...values);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.integer({ min: minimum ?? 0, max: maximum ?? 2 ** 31 });
  return fc.string({ minLength: 1 });
}

/** The field names under which a body's faults are reported. */
export function bodyFields(document: OpenApi, { requestBody }: Operation): readonly string[] {
  const schema = requestBody?.content['application/json']?.schema;
  if (schema === undefined) return [];
  return ['body', UNKNOWN_FIELD, ...Object.keys(resolved(document, schema).properties ?? {})];
}

function resolved({ components }: OpenApi, schema: Schema): Schema {
  return schema.$ref === undefined ? schema : (components?.schemas?.[schema.$ref.split('/').at(-1)!] ?? {});
}

/** The client would resolve dots as folders before it sends the request. */
function isPathPart(text: string): boolean {
  return text !== '' && text !== '.' && text !== '..' && isEncodable(text);
}

/** Half a surrogate pair has no UTF-8 encoding. */
function isEncodable(text: string): boolean {
  return !/[\ud800-\udfff]/u.test(text);
}
