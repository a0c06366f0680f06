import type { Socket } from 'node:net';
import type { Request, Response } from 'express';

/** Open requests of a connection. Pipelined requests share it, so one listener serves them all. */
const OPEN = Symbol('open requests');

interface Connection extends Socket {
  [OPEN]?: OpenRequest[];
}

/** Every request has one, so it is a place in a list: adding to a set takes ten times as long. */
class OpenRequest {
  #place: number;

  constructor(
    private readonly all: OpenRequest[],
    private readonly listener: () => void,
  ) {
    this.#place = all.length;
    all.push(this);
  }

  end(): void {
    if (this.#place === -1) return;
    const last = this.all.pop()!;
    if (last !== this) {
      this.all[this.#place] = last;
      last.#place = this.#place;
    }
    this.#place = -1;
    this.listener();
  }
}

/** Calls the listener once, when the answer is sent or its client is gone, also before this call. */
export function onRequestEnd(
  { socket }: Request,
  response: Response | undefined,
  listener: () => void,
): void {
  const request = new OpenRequest(openOf(socket), listener);
  response?.on('close', () => request.end());
  if (socket.destroyed) request.end();
}

/** A pipelined answer that never got the socket does not close with it. */
function openOf(socket: Connection): OpenRequest[] {
  const known = socket[OPEN];
  if (known !== undefined) return known;
  const open: OpenRequest[] = [];
  socket[OPEN] = open;
  socket.once('close', () => {
    while (open.length > 0) open.at(-1)!.end();
  });
  return open;
}
