// One reader of the market's stream. A raw socket keeps the client's share of the measured time small.
import { connect, type Socket } from 'node:net';

const AT = /"at":(\d+)/g;

/**
 * Resolves when the stream has started.
 *
 * @param heard gets the age of each event in milliseconds, by the `at` in its data
 */
export function readStream(port: number, path: string, heard: (lagMs: number) => void): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', reject);
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      const now = Date.now();
      for (const [, at] of text.matchAll(AT)) heard(now - Number(at));
      resolve(socket);
    });
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  });
}
