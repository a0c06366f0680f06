// An HTTP client that holds every answer against the OpenAPI document that the service publishes.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { parseJson } from '../../sdk/src/http/json.js';

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Integers beyond 2^53 are bigints. */
  readonly body: JsonFields;
}

/** What tests look into: any field of a JSON object. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- answers are checked against the document, tests read them
export type JsonFields = Record<string, any>;

export interface ApiCall {
  readonly headers?: Readonly<Record<string, string>>;
  /** Text and bytes go out as they are; anything else as JSON. */
  readonly body?: unknown;
}

interface Operation {
  readonly responses: Readonly<Record<string, unknown>>;
}

interface OpenApi {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export class ApiClient {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #paths: readonly { readonly template: string; readonly pattern: RegExp }[];

  constructor(
    readonly url: string,
    readonly document: object,
  ) {
    for (const format of ['uint64', 'byte', 'int64', 'date-time']) this.#ajv.addFormat(format, true);
    this.#ajv.addSchema(document, 'document');
    this.#paths = Object.keys((document as OpenApi).paths ?? {}).map((template) => ({
      template,
      pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
    }));
  }

  get(path: string, call: ApiCall = {}): Promise<ApiAnswer> {
    return this.call('GET', path, call);
  }

  post(path: string, body: unknown, headers: ApiCall['headers'] = {}): Promise<ApiAnswer> {
    return this.call('POST', path, { body, headers });
  }

  /** @throws when the answer is not one that the document promises */
  async call(method: string, path: string, { headers = {}, body }: ApiCall = {}): Promise<ApiAnswer> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(this.url + path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
    } as RequestInit);
    const text = await response.text();
    const answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: (text === '' ? {} : parseJson(text)) as JsonFields,
    };
    this.#check(method, path, answer);
    return answer;
  }

  #check(method: string, path: string, { status, text, headers }: ApiAnswer): void {
    const [bare = ''] = path.split('?');
    const template = this.#paths.find(({ pattern }) => pattern.test(bare))?.template;
    const operation = template && (this.document as OpenApi).paths?.[template]?.[method.toLowerCase()];
    if (template === undefined || !operation) return;
    const where = `${method} ${template} ${status}`;
    if (operation.responses[status] === undefined)
      throw new Error(`${where} is not in the document: ${text}`);
    if (!/^application\/json\b/.test(headers.get('content-type') ?? ''))
      throw new Error(`${where} is not JSON`);
    const validate = this.#validator(template, method.toLowerCase(), status);
    // Amounts beyond 2^53 lose digits here, which no schema minds; tests look at the exact ones.
    if (validate(JSON.parse(text)) !== true) {
      throw new Error(`${where} is not as documented: ${this.#ajv.errorsText(validate.errors)}\n${text}`);
    }
  }

  #validator(template: string, method: string, status: number): ValidateFunction {
    const key = `${method} ${template} ${status}`;
    const made = this.#validators.get(key);
    if (made !== undefined) return made;
    const pointer = [
      'paths',
      template,
      method,
      'responses',
      String(status),
      'content',
      'application/json',
      'schema',
    ]
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const validator = this.#ajv.compile({ $ref: `document#/${pointer}` });
    this.#validators.set(key, validator);
    return validator;
  }
}

/** The fields that an answer of the rewards API finds fault with. */
export function fieldsOf({ body }: ApiAnswer): string[] {
  const problems = (body['errors'] ?? []) as readonly { readonly field: string }[];
  return problems.map(({ field }) => field);
}
