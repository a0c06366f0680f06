// An HTTP client that checks every answer against the service's OpenAPI document.
import { parseJson } from '#sdk/http/json.js';
import { httpFetch } from '#testing/http-fetch.js';
import { DocumentedAnswers, type Answered } from './documented-answers.js';

export interface ApiAnswer extends Answered {
  /** Integers beyond 2^53 are bigints. */
  readonly body: JsonFields;
}

/** Tests read any field of a JSON object. */
// oxlint-disable-next-line typescript/no-explicit-any -- answers are checked against the document, tests read them
export type JsonFields = Record<string, any>;

export interface ApiCall {
  readonly headers?: Readonly<Record<string, string>>;
  /** Strings and bytes are sent unchanged, everything else as JSON. */
  readonly body?: unknown;
  /** Expects the document to lack the request: its path, or its method on that path. */
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

  /** @throws if the answer does not match the document */
  async call(
    method: string,
    path: string,
    { headers = {}, body, undocumented }: ApiCall = {},
  ): Promise<ApiAnswer> {
    const isRaw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await httpFetch(this.url + path, {
      method,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const answered = { status: response.status, headers: response.headers, text };
    this.answers.check(method, path, answered, undocumented);
    return { ...answered, body: (text === '' ? {} : parseJson(text)) as JsonFields };
  }
}

export function fieldsOf({ body }: ApiAnswer): string[] {
  const problems = (body['errors'] ?? []) as readonly { readonly field: string }[];
  return problems.map(({ field }) => field);
}
