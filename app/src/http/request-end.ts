import type { Request, Response } from 'express';

/** Calls the listener once, when the answer is sent or its client is gone, also before this call. */
export function onRequestEnd(
  { socket }: Request,
  response: Response | undefined,
  listener: () => void,
): void {
  let isOver = false;
  const end = () => {
    if (isOver) return;
    isOver = true;
    response?.off('close', end);
    socket.off('close', end);
    listener();
  };
  response?.once('close', end);
  // A pipelined answer that never got the socket does not close with it.
  socket.once('close', end);
  if (socket.destroyed) end();
}
