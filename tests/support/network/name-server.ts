// A name server that answers as the test decides.
import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';

export interface NameServer {
  /** As `address:port`. */
  readonly address: string;
  /** Names whose IPv4 address was requested, in order. */
  readonly asked: readonly string[];
  stop(): Promise<void>;
}

const TYPE_A = 1;
const HEADER_BYTES = 12;
const NO_SUCH_NAME = 3;

/**
 * Starts it on a free port.
 *
 * @param addressesOf IPv4 addresses of a name; empty if the name does not exist, undefined to send no answer
 */
export async function startNameServer(
  addressesOf: (name: string) => readonly string[] | undefined,
): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    if (type === TYPE_A) asked.push(name);
    const addresses = addressesOf(name);
    if (addresses !== undefined)
      socket.send(answerTo(query.subarray(0, end), type === TYPE_A ? addresses : []), port, address);
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

/** Parses the first question of a query: a name in labels, then type and class. */
function questionOf(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** A reply that repeats the question, with one answer per address and a TTL of 0. */
function answerTo(question: Buffer, addresses: readonly string[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  question.copy(header, 0, 0, 2);
  header.writeUInt16BE(0x8180 | (addresses.length === 0 ? NO_SUCH_NAME : 0), 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  const answers = addresses.map((address) => {
    if (!isIPv4(address)) throw new Error(`${address} is no IPv4 address`);
    return Buffer.from([
      0xc0,
      HEADER_BYTES,
      0,
      TYPE_A,
      0,
      1,
      0,
      0,
      0,
      0,
      0,
      4,
      ...address.split('.').map(Number),
    ]);
  });
  return Buffer.concat([header, question.subarray(HEADER_BYTES), ...answers]);
}
