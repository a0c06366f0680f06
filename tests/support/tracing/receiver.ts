// Receivers of OTLP over HTTP.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

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
  const server = createServer((request, response) => {
    requests.push({ path: request.url!, authorization: request.headers.authorization });
    void text(request).then((body) => {
      exports.push(JSON.parse(body) as Export);
      if (answers) response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const all = () => exports.flatMap(({ resourceSpans }) => resourceSpans);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    spans: () => all().flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
    resource: (key) => all()[0]?.resource.attributes.find((one) => one.key === key)?.value.stringValue,
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
