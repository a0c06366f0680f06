// An HTTP client that holds every answer against the OpenAPI document that the service publishes.
import { parseJson } from '#sdk/http/json.js';
import { DocumentedAnswers, type Answered } from './documented-answers.js';

export interface ApiAnswer extends Answered {
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
  /** The document must have nothing for the request: a path that is none, or a method that it does not take. */
  readonly undocumented?: boolean;
}

export class ApiClient {
  readonly answers: DocumentedAnswers;

  constructor(
    readonly url: string,
    readonly document: object,
  ) {
    this.answers = new DocumentedAnswers(document);
  }

  get(path: string, call: ApiCall = {}): Promise<ApiAnswer> {
    return this.call('GET', path, call);
  }

  post(path: string, body: unknown, headers: ApiCall['headers'] = {}): Promise<ApiAnswer> {
    return this.call('POST', path, { body, headers });
  }

  /** @throws when the answer is not one that the document promises */
  async call(
    method: string,
    path: string,
    { headers = {}, body, undocumented }: ApiCall = {},
  ): Promise<ApiAnswer> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(this.url + path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
    } as RequestInit);
    const text = await response.text();
    const answered = { status: response.status, headers: response.headers, text };
    this.answers.check(method, path, answered, undocumented);
    return { ...answered, body: (text === '' ? {} : parseJson(text)) as JsonFields };
  }
}

/** The fields that an answer of the rewards API finds fault with. */
export function fieldsOf({ body }: ApiAnswer): string[] {
  const problems = (body['errors'] ?? []) as readonly { readonly field: string }[];
  return problems.map(({ field }) => field);
}
