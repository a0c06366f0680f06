// Holds answers against the OpenAPI document that the service publishes.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

interface Response {
  readonly $ref?: string;
  /** The service's answers have all those that are not said to be optional. */
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

/** Clients turn what their fetch throws into errors of their own, which tests may expect: faults are kept for the end. */
const faults: Error[] = [];

// Loaded by a test file, this is a hook around all tests of the run.
after('every answer to a client was as documented', () => {
  const all = takeFaults();
  if (all.length > 0) throw new Error(all.map(({ message }) => message).join('\n'));
});

/** The faults that `fetch` found since the last call. */
export function takeFaults(): readonly Error[] {
  return faults.splice(0);
}

export class DocumentedAnswers {
  readonly #document: OpenApi;
  readonly #ajv = new Ajv2020({ strict: false, allErrors: true });
  readonly #validators = new Map<string, ValidateFunction>();
  readonly #templates: readonly { readonly template: string; readonly pattern: RegExp }[];
  /** `/rewards`, `/v1`: what begins so belongs to an API. */
  readonly #prefixes: ReadonlySet<string>;

  constructor(document: object) {
    this.#document = document;
    for (const format of ['uint64', 'byte', 'int64', 'date-time']) this.#ajv.addFormat(format, true);
    this.#ajv.addSchema(document, 'document');
    const templates = Object.keys(this.#document.paths ?? {});
    this.#templates = templates.map((template) => ({
      template,
      pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
    }));
    this.#prefixes = new Set(templates.map(firstSegment));
  }

  /** Of the service that listens there. */
  static async of(url: string): Promise<DocumentedAnswers> {
    return new DocumentedAnswers((await (await fetch(`${url}/openapi.json`)).json()) as object);
  }

  /** Whether the document has an operation for such requests. */
  knows(method: string, path: string): boolean {
    return this.#operationOf(method, path) !== undefined;
  }

  /**
   * For the service's clients: throws when an answer is not one that the document promises. So that nobody can take that
   * for a broken connection, the run fails as well.
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
   * @param undocumented whether the document must have nothing for such a request; the answer is a refusal then
   * @throws when the answer is not one that the document promises
   */
  check(method: string, path: string, answer: Answered, undocumented = false): void {
    const operation = this.#operationOf(method, path);
    if (undocumented !== (operation === undefined) && this.#prefixes.has(firstSegment(path))) {
      throw new Error(`${method} ${path} is ${undocumented ? '' : 'not '}in the document`);
    }
    if (operation === undefined) {
      if (undocumented && !(answer.status >= 400 && answer.status < 500))
        throw new Error(`${method} ${path} is answered with ${answer.status}, not refused`);
      return;
    }
    const { template, responses } = operation;
    const where = `${method} ${template} ${answer.status}`;
    const promised = this.#resolve(responses[answer.status]);
    if (promised === undefined) throw new Error(`${where} is not in the document: ${answer.text}`);
    for (const [name, { required = true }] of Object.entries(promised.headers ?? {})) {
      if (required && !answer.headers.has(name)) throw new Error(`${where} has no header ${name}`);
    }
    if (promised.content === undefined) {
      if (answer.text !== '') throw new Error(`${where} has a body, which the document does not promise`);
      return;
    }
    if (!(answer.headers.get('content-type') ?? '').startsWith(JSON_TYPE))
      throw new Error(`${where} is not JSON`);
    if (method === 'HEAD') return;
    const validate = this.#validator(template, operation.method, answer.status);
    // Amounts beyond 2^53 lose digits here, which no schema minds; tests look at the exact ones.
    if (validate(JSON.parse(answer.text)) !== true) {
      throw new Error(
        `${where} is not as documented: ${this.#ajv.errorsText(validate.errors)}\n${answer.text}`,
      );
    }
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

function firstSegment(path: string): string {
  return /^\/[^/?]*/.exec(path)?.[0] ?? '';
}
