// Checks answers against the service's OpenAPI document.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface Response {
  readonly $ref?: string;
  /** The service must send every header that the document does not mark as optional. */
  readonly headers?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly content?: Readonly<Record<string, unknown>>;
}

interface Operation {
  readonly responses: Readonly<Record<string, Response>>;
}

interface OpenApi {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly responses?: Readonly<Record<string, Response>> };
}

const JSON_TYPE = 'application/json';

/** Clients wrap what their fetch throws, and a test may expect that. So every fault also fails the run at its end. */
const faults: Error[] = [];

// At the top level of a module this hook applies to all tests of the run.
after('every answer to a client was as documented', () => {
  const all = takeFaults();
  if (all.length > 0) throw new Error(all.map(({ message }) => message).join('\n'));
});

/** The faults that `fetch` has found since the last call. */
const takeFaults = (): readonly Error[] => faults.splice(0);

export class DocumentedAnswers {
  readonly #document: OpenApi;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #templates: readonly { readonly template: string; readonly pattern: RegExp }[];
  /** First segments of the APIs' paths: `/rewards`, `/v1`. */
  readonly #prefixes: ReadonlySet<string>;

  constructor(document: object) {
    this.#document = document;
    for (const format of ['byte', 'double', 'int32', 'int64', 'date-time']) this.#ajv.addFormat(format, true);
    this.#ajv.addSchema(closed(document) as object, 'document');
    const templates = Object.keys(this.#document.paths ?? {});
    this.#templates = templates.map((template) => ({
      template,
      pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
    }));
    this.#prefixes = new Set(templates.map(firstSegment));
  }

  static async of(url: string): Promise<DocumentedAnswers> {
    return new DocumentedAnswers((await (await fetch(`${url}/openapi.json`)).json()) as object);
  }

  /** Whether the document has an operation for such requests. */
  knows(method: string, path: string): boolean {
    return this.#operationOf(method, path) !== undefined;
  }

  /**
   * A fetch for the service's clients. It throws if an answer does not match the document. The run then fails too, in case the client
   * takes the error for a broken connection.
   */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const response = await fetch(input, init);
    const text = await response.clone().text();
    try {
      const { status, headers } = response;
      this.check(request.method, new URL(request.url).pathname, { status, headers, text });
    } catch (error) {
      faults.push(error as Error);
      throw error;
    }
    return response;
  };

  /**
   * @param undocumented the document must lack the request, and the answer must be a refusal
   * @throws if the answer does not match the document
   */
  check(method: string, path: string, answer: Answered, undocumented = false): void {
    const operation = this.#operationOf(method, path);
    if (undocumented !== (operation === undefined) && this.#prefixes.has(firstSegment(path)))
      throw new Error(`${method} ${path} is ${undocumented ? '' : 'not '}in the document`);
    if (operation === undefined) {
      if (undocumented && !(answer.status >= 400 && answer.status < 500))
        throw new Error(`${method} ${path} is answered with ${answer.status}, not refused`);
      return;
    }
    const { template, responses } = operation;
    const where = `${method} ${template} ${answer.status}`;
    const promised = this.#resolve(responses[answer.status]);
    if (promised === undefined) throw new Error(`${where} is not in the document: ${answer.text}`);
    for (const [name, { required = true }] of Object.entries(promised.headers ?? {}))
      if (required && !answer.headers.has(name)) throw new Error(`${where} has no header ${name}`);
    if (promised.content === undefined) {
      if (answer.text !== '') throw new Error(`${where} has a body, which the document does not promise`);
      return;
    }
    if (!(answer.headers.get('content-type') ?? '').startsWith(JSON_TYPE))
      throw new Error(`${where} is not JSON`);
    if (method === 'HEAD') return;
    const validate = this.#validator(template, operation.method, answer.status);
    // JSON.parse loses digits beyond 2^53. The schemas accept that, and the tests read the exact amounts.
    if (validate(JSON.parse(answer.text)) !== true)
      throw new Error(
        `${where} is not as documented: ${this.#ajv.errorsText(validate.errors)}\n${answer.text}`,
      );
  }

  #operationOf(method: string, path: string) {
    const [bare = ''] = path.split('?');
    const template = this.#templates.find(({ pattern }) => pattern.test(bare))?.template;
    if (template === undefined) return undefined;
    const asked = method === 'HEAD' ? 'get' : method.toLowerCase();
    const operation = this.#document.paths?.[template]?.[asked];
    return operation && { template, method: asked, responses: operation.responses };
  }

  #resolve(response: Response | undefined): Response | undefined {
    const name = response?.$ref?.split('/').at(-1);
    return name === undefined ? response : this.#document.components?.responses?.[name];
  }

  #validator(template: string, method: string, status: number): ValidateFunction {
    const key = `${method} ${template} ${status}`;
    const made = this.#validators.get(key);
    if (made !== undefined) return made;
    const reference = this.#document.paths?.[template]?.[method]?.responses[status]?.$ref;
    const response =
      reference === undefined
        ? ['paths', template, method, 'responses', String(status)]
        : reference.replace(/^#\//, '').split('/');
    const pointer = [...response, 'content', JSON_TYPE, 'schema']
      .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
      .join('/');
    const validator = this.#ajv.compile({ $ref: `document#/${pointer}` });
    this.#validators.set(key, validator);
    return validator;
  }
}

/**
 * Clients must accept a field that the document does not have, because later versions add some. This version must not send one:
 * here an object has only its documented fields, unless the schema of others is there.
 */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]));
  return parts['additionalProperties'] === true ? { ...parts, additionalProperties: false } : parts;
}

const firstSegment = (path: string): string => /^\/[^/?]*/.exec(path)?.[0] ?? '';
