import { createServer, connect, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { freePortOf } from '#tests/node/serve.js';

/** A TCP proxy whose connections a test can cut, as a failing network would. */
export class Proxy {
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #isFrozen = false;

  private constructor(
    readonly target: URL,
    readonly url: string,
  ) {}

  static async to(target: string): Promise<Proxy> {
    const probe = createServer();
    const port = await freePortOf(probe);
    probe.close();
    await once(probe, 'close');
    const { protocol } = new URL(target);
    const proxy = new Proxy(new URL(target), `${protocol}//127.0.0.1:${port}`);
    await proxy.restore();
    return proxy;
  }

  /** Drops every connection and refuses new ones. */
  async cut(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    await once(server, 'close');
  }

  /** Keeps every connection open, accepts new ones, and forwards nothing any more. */
  freeze(): void {
    this.#isFrozen = true;
    for (const socket of this.#sockets) socket.unpipe().pause();
  }

  async restore(): Promise<void> {
    this.#server = createServer((socket) => this.#forward(socket)).listen(
      Number(new URL(this.url).port),
      '127.0.0.1',
    );
    await once(this.#server, 'listening');
  }

  #forward(client: Socket): void {
    const server = connect(Number(this.target.port), this.target.hostname);
    for (const socket of [client, server]) {
      this.#sockets.add(socket);
      // A cut connection ends with an error on one side or the other.
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        this.#sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    if (this.#isFrozen) return;
    client.pipe(server);
    server.pipe(client);
  }
}
