// Connections and requests of an attacker. Each attack has its own addresses, and everything it has open can be closed.
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import bs58 from 'bs58';

export type Headers = Readonly<Record<string, string>>;

export interface Answer {
  /** 0: the connection broke. */
  readonly status: number;
  readonly text: string;
}

/** Headers of an upload, which pass every check that comes before its body. */
export const unverifiedUpload = (): Record<string, string> => ({
  'Content-Type': 'multipart/form-data; boundary=b',
  ...unverified(),
});

/** Headers that only a look at the body can refuse. */
export const unverified = () => ({
  'X-Signature-Scheme': 'bound',
  'X-Timestamp': String(Date.now()),
  'X-Signature': bs58.encode(new Uint8Array(64).fill(7)),
});

export class Attacker {
  readonly #sockets = new Set<Socket>();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 200 });
  readonly answers: Answer[] = [];

  constructor(private readonly url: string) {}

  /** Opens a connection and writes to it. @param reads whether answers are read */
  send(bytes: string | Buffer, { reads = false } = {}): Socket {
    const { hostname, port } = new URL(this.url);
    const socket = connect(Number(port), hostname);
    this.#sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => this.#sockets.delete(socket));
    if (reads) socket.on('data', (data: Buffer) => this.#note(data.toString('latin1')));
    else socket.pause();
    socket.write(bytes);
    return socket;
  }

  /** A request that is read. @param from the attacker's address */
  ask(
    method: string,
    path: string,
    from: string,
    { headers = {}, body }: { headers?: Headers; body?: string | Buffer } = {},
  ): Promise<Answer> {
    return new Promise((resolve) => {
      const done = (answer: Answer) => {
        this.answers.push(answer);
        resolve(answer);
      };
      const sent = request(
        this.url + path,
        {
          method,
          agent: this.#agent,
          headers: {
            'X-Forwarded-For': from,
            ...headers,
            ...(body && { 'Content-Length': Buffer.byteLength(body) }),
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response
            .on('data', (chunk: Buffer) => chunks.push(chunk))
            .on('error', () => done({ status: 0, text: '' }))
            .on('end', () =>
              done({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
            );
        },
      );
      sent.on('error', () => done({ status: 0, text: '' }));
      sent.end(body);
    });
  }

  /** Requests without a pause, so many at a time, until the time is over. @param most requests in all */
  async flood(
    seconds: number,
    atOnce: number,
    ask: (index: number) => Promise<unknown>,
    most = Infinity,
  ): Promise<void> {
    const until = performance.now() + seconds * 1_000;
    let index = 0;
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (performance.now() < until && index < most) await ask(index++);
      }),
    );
  }

  close(): void {
    for (const socket of this.#sockets) socket.destroy();
    this.#agent.destroy();
  }

  #note(text: string): void {
    for (const [, status] of text.matchAll(/HTTP\/1\.1 (\d{3}) /g))
      this.answers.push({ status: Number(status), text });
  }
}

export function headOf(method: string, path: string, from: string, headers: Headers = {}): string {
  return (
    [`${method} ${path} HTTP/1.1`, 'Host: x', `X-Forwarded-For: ${from}`]
      .concat(Object.entries(headers).map(([name, value]) => `${name}: ${value}`))
      .join('\r\n') + '\r\n\r\n'
  );
}
