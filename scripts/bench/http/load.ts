// A process with HTTP clients. Each connection sends its next request when it has its answer. Requests are built and
// signed before the clock starts, and answers are parsed only as far as needed: on a small machine the clients must
// leave the CPU to the service.
import { generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import { connect, type Socket } from 'node:net';
import bs58 from 'bs58';

/** The orders of the parent process, one at a time. */
export type LoadOrder =
  | { readonly kind: 'wallets'; readonly count: number }
  | { readonly kind: 'verify'; readonly seconds: number }
  | { readonly kind: 'round'; readonly round: Round };

export interface Round {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  readonly target:
    | { readonly name: 'version'; readonly apiKey: string }
    /** Every request has its own signature. */
    | { readonly name: 'rewards'; readonly mostPerSecond: number }
    /** Requests these paths in turn, repeatedly. */
    | { readonly name: 'paths'; readonly paths: readonly string[] };
}

export interface RoundResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

const ED25519_DER_PREFIX_BYTES = 12;
/** Timestamps are spread over this time before now, so that they are unique and within the limit of five minutes. */
const TIMESTAMP_SPREAD_MS = 60_000;
/** The header that every browser and Node's `fetch` send. */
const COMPRESSED = 'Accept-Encoding: gzip\r\n';
const ANSWERED = 'HTTP/1.1 200 ';

const wallets: { readonly address: string; readonly privateKey: KeyObject; readonly publicKey: KeyObject }[] =
  [];
let signed = 0;

process.on('message', (order: LoadOrder) => {
  void run(order).then((answer) => process.send?.(answer));
});

async function run(order: LoadOrder): Promise<unknown> {
  if (order.kind === 'wallets') return makeWallets(order.count);
  if (order.kind === 'verify') return verifyRate(order.seconds);
  return load(order.round);
}

function makeWallets(count: number): string[] {
  while (wallets.length < count) {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const bytes = publicKey.export({ format: 'der', type: 'spki' }).subarray(ED25519_DER_PREFIX_BYTES);
    wallets.push({ address: bs58.encode(bytes), privateKey, publicKey });
  }
  return wallets.map(({ address }) => address);
}

/** Signatures that one thread verifies per second, with already parsed keys. */
function verifyRate(seconds: number): number {
  const samples = wallets.slice(0, 256).map(({ privateKey, publicKey }, index) => {
    const message = Buffer.from(String(Date.now() + index));
    return { publicKey, message, signature: sign(null, message, privateKey) };
  });
  const start = performance.now();
  let count = 0;
  while (performance.now() - start < seconds * 1_000) {
    for (const { publicKey, message, signature } of samples) {
      if (!verify(null, message, publicKey, signature)) throw new Error('a good signature was refused');
    }
    count += samples.length;
  }
  return (count / (performance.now() - start)) * 1_000;
}

async function load({ port, connections, seconds, target }: Round): Promise<RoundResult> {
  const requests = Array.from({ length: connections }, (_, index) =>
    requestsOf(target, seconds, connections, index),
  );
  const endless = target.name !== 'rewards';
  const clients = await Promise.all(requests.map((own) => Client.open(port, own, endless)));
  const start = performance.now();
  const until = start + seconds * 1_000;
  await Promise.all(clients.map((client) => client.run(until)));
  const elapsed = Math.min(performance.now(), until) - start;
  const latencies = Float64Array.from(clients.flatMap((client) => client.latencies)).sort();
  const at = (share: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))];
  const [p50, p99] = [at(0.5), at(0.99)];
  if (p50 === undefined || p99 === undefined) throw new Error('nothing was answered');
  return { perSecond: (latencies.length / elapsed) * 1_000, p50, p99 };
}

/** The requests of one connection. */
function requestsOf(target: Round['target'], seconds: number, connections: number, index: number): Buffer[] {
  if (target.name === 'version') return [request('/v1/internal', `x-api-key: ${target.apiKey}\r\n`)];
  if (target.name === 'paths') {
    // Each connection starts at another path.
    const from = Math.floor((index * target.paths.length) / connections);
    return [...target.paths.slice(from), ...target.paths.slice(0, from)].map((path) =>
      request(path, COMPRESSED),
    );
  }
  const count = Math.ceil((target.mostPerSecond * seconds) / connections);
  return Array.from({ length: count }, signedRequest);
}

/** A request for the rewards of a wallet with new headers. No two are equal. */
function signedRequest(): Buffer {
  const wallet = wallets[signed % wallets.length]!;
  // The next request of the same wallet has another timestamp.
  const turn = Math.floor(signed / wallets.length) % TIMESTAMP_SPREAD_MS;
  signed += 1;
  const timestamp = String(Date.now() - TIMESTAMP_SPREAD_MS + turn);
  const signature = bs58.encode(sign(null, Buffer.from(timestamp), wallet.privateKey));
  return request(`/rewards/${wallet.address}`, `X-Timestamp: ${timestamp}\r\nX-Signature: ${signature}\r\n`);
}

function request(path: string, headers: string): Buffer {
  return Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\n`, 'latin1');
}

/** One connection. */
class Client {
  readonly latencies: number[] = [];
  #unread: Buffer | undefined;
  #sentAt = 0;
  #next = 0;
  #until = 0;
  #finished: () => void = () => undefined;
  #failed: (error: Error) => void = () => undefined;

  private constructor(
    private readonly socket: Socket,
    private readonly requests: readonly Buffer[],
    /** Whether it starts again after its last request. */
    private readonly endless: boolean,
  ) {
    socket.on('data', (chunk) => this.#read(chunk));
    socket.on('error', (error) => this.#failed(error));
    socket.on('close', () => this.#failed(new Error('the connection was closed')));
  }

  static async open(port: number, requests: readonly Buffer[], endless: boolean): Promise<Client> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return new Client(socket, requests, endless);
  }

  /** Sends requests until the time `until`. @throws when an answer is not 200 */
  run(until: number): Promise<void> {
    this.#until = until;
    return new Promise((resolve, reject) => {
      this.#finished = resolve;
      this.#failed = reject;
      this.#send();
    });
  }

  #send(): void {
    const request = this.requests[this.endless ? this.#next % this.requests.length : this.#next];
    this.#sentAt = performance.now();
    if (request === undefined || this.#sentAt >= this.#until) {
      this.#finished();
      this.socket.destroy();
      return;
    }
    this.#next += 1;
    this.socket.write(request);
  }

  #read(chunk: Buffer): void {
    const bytes = this.#unread === undefined ? chunk : Buffer.concat([this.#unread, chunk]);
    const headEnd = bytes.indexOf('\r\n\r\n');
    if (headEnd === -1 || bytes.length < headEnd + 4 + bodyBytes(bytes, headEnd)) {
      this.#unread = bytes;
      return;
    }
    this.#unread = undefined;
    if (bytes.toString('latin1', 0, ANSWERED.length) !== ANSWERED) {
      this.#failed(new Error(`not answered with 200: ${bytes.toString()}`));
      return;
    }
    const now = performance.now();
    if (now < this.#until) this.latencies.push(now - this.#sentAt);
    this.#send();
  }
}

const LENGTH_HEADER = 'Content-Length: ';

function bodyBytes(bytes: Buffer, headEnd: number): number {
  const at = bytes.indexOf(LENGTH_HEADER);
  if (at === -1 || at > headEnd) throw new Error('an answer does not say how long it is');
  return parseInt(bytes.toString('latin1', at + LENGTH_HEADER.length, bytes.indexOf('\r', at)), 10);
}
