// HTTP as it is sent: answers without the decoding of `fetch`, and requests byte by byte.
import { once } from 'node:events';
import { request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';

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

/** Sockets to servers, which are destroyed after each test of the surrounding `describe`. */
export function useSockets() {
  const sockets: Socket[] = [];
  const closeAll = () => sockets.splice(0).forEach((socket) => socket.destroy());
  afterEach(closeAll);
  /** Connects and sends a text. @returns the socket, and what it has received */
  async function send(url: string, text: string): Promise<{ socket: Socket; answer: () => string }> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    let got = '';
    socket.on('error', () => undefined).on('data', (chunk) => (got += chunk.toString('latin1')));
    await once(socket, 'connect');
    socket.write(text);
    return { socket, answer: () => got };
  }
  return { sockets, send, closeAll };
}
