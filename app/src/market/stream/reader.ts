import type { Response } from 'express';

/** What a reader may leave unread. */
const MOST_UNREAD_BYTES = 1_024 * 1_024;

/** One client of the stream. */
export class Reader {
  /** What came while the past was read; undefined once that is done. */
  #waiting: string[] | undefined = [];

  constructor(private readonly response: Response) {}

  send(text: string | Buffer): void {
    if (this.#waiting !== undefined) this.#waiting.push(String(text));
    else this.#write(text);
  }

  /** Sends what there was before, then what has come since. */
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

  /** A reader that does not read gets no more: it comes back with the last id that it has. */
  #write(text: string | Buffer): void {
    if (this.response.destroyed || this.response.writableEnded) return;
    if (this.response.writableLength > MOST_UNREAD_BYTES) this.response.destroy();
    else this.response.write(text);
  }
}
