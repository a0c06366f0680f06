// HTTP answers as they are sent.
import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

export interface RawAnswer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
}

/** Without the decoding and the headers of `fetch`. */
export async function rawGet(url: string, headers: Record<string, string>): Promise<RawAnswer> {
  const sent = request(url, { headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks = (await response.toArray()) as Buffer[];
  return { status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) };
}
