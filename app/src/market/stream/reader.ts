import type { Response } from 'express';

/** Maximum bytes buffered for a slow reader. */
const MOST_UNREAD_BYTES = 1_024 * 1_024;

export class Reader {
  /** Events that arrived while past events were being read; undefined afterwards. */
  #waiting: string[] | undefined = [];
  #waitingLength = 0;

  constructor(private readonly response: Response) {}

  send(text: string | Buffer): void {
    if (this.#waiting === undefined) return this.#write(text);
    this.#waitingLength += text.length;
    // The database takes too long to answer.
    if (this.#waitingLength > MOST_UNREAD_BYTES) this.response.destroy();
    else this.#waiting.push(String(text));
  }

  /** Sends past events, then the events that arrived meanwhile. */
  begin(past: string): void {
    const text = past + (this.#waiting ?? []).join('');
    this.#waiting = undefined;
    this.#write(text);
  }

  beat(heartbeat: Buffer): void {
    if (this.#waiting === undefined) this.#write(heartbeat);
  }

  end(): void {
    this.response.end();
  }

  /** Disconnects a slow reader. It reconnects with the last id that it received. */
  #write(text: string | Buffer): void {
    if (this.response.destroyed || this.response.writableEnded) return;
    if (this.response.writableLength > MOST_UNREAD_BYTES) this.response.destroy();
    else this.response.write(text);
  }
}
