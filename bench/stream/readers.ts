// A process with readers of the market's stream.
import type { Socket } from 'node:net';
import { percentile } from '../driver/statistics.js';
import { readStream } from './socket.js';

export interface ReadersTask {
  readonly port: number;
  readonly path: string;
  readonly readers: number;
}

export interface ReadersReport {
  /** The fewest events that any reader received. */
  readonly fewest: number;
  readonly most: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly largestMs: number;
}

const CONNECTED_AT_ONCE = 50;

const lags: number[] = [];
const counts: number[] = [];
const sockets: Socket[] = [];

process.on('message', (message: ReadersTask | 'report') => {
  void (message === 'report' ? report() : open(message).then(() => process.send!('open')));
});

async function open({ port, path, readers }: ReadersTask): Promise<void> {
  for (let start = 0; start < readers; start += CONNECTED_AT_ONCE) {
    const some = Array.from({ length: Math.min(CONNECTED_AT_ONCE, readers - start) }, (_, index) =>
      read(port, path, start + index),
    );
    await Promise.all(some);
  }
}

async function read(port: number, path: string, reader: number): Promise<void> {
  counts[reader] = 0;
  const socket = await readStream(port, path, (lagMs) => {
    lags.push(lagMs);
    counts[reader]! += 1;
  });
  sockets.push(socket);
}

function report(): Promise<void> {
  for (const socket of sockets) socket.destroy();
  let [fewest, most, largestMs] = [Infinity, 0, 0];
  for (const count of counts) [fewest, most] = [Math.min(fewest, count), Math.max(most, count)];
  for (const lag of lags) largestMs = Math.max(largestMs, lag);
  const answer: ReadersReport = {
    fewest,
    most,
    medianMs: percentile(lags, 0.5) ?? 0,
    p99Ms: percentile(lags, 0.99) ?? 0,
    largestMs,
  };
  process.send!(answer);
  return Promise.resolve();
}
