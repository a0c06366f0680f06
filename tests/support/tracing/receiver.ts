// Receivers of OTLP over HTTP.
import { text } from 'node:stream/consumers';
import { serveHttp } from '#tests/node/serve.js';

/** A span in OTLP's JSON, as far as tests read it. */
interface ReceivedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
}

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly { key: string; value: { stringValue?: string } }[] };
    readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[];
  }[];
}

export interface Receiver {
  readonly url: string;
  /** Paths and headers of the requests so far. */
  readonly requests: readonly { readonly path: string; readonly authorization: string | undefined }[];
  readonly spans: () => ReceivedSpan[];
  /** An attribute of the process that sent the spans. */
  readonly resource: (key: string) => string | undefined;
  stop(): Promise<void>;
}

/** @param answers a receiver that does not answer keeps each request open */
export async function startReceiver({ answers = true } = {}): Promise<Receiver> {
  const exports: Export[] = [];
  const requests: { path: string; authorization: string | undefined }[] = [];
  const server = await serveHttp((request, response) => {
    requests.push({ path: request.url!, authorization: request.headers.authorization });
    void text(request).then((body) => {
      exports.push(JSON.parse(body) as Export);
      if (answers) response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  const all = () => exports.flatMap(({ resourceSpans }) => resourceSpans);
  return {
    ...server,
    requests,
    spans: () => all().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    resource: (key) => all()[0]?.resource.attributes.find((one) => one.key === key)?.value.stringValue,
  };
}
