// A process with wallets that claim and wallets that read, each at a steady rate that slow answers do not reduce.
import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import bs58 from 'bs58';
import { percentile } from '../driver/statistics.js';

export type ClaimsLoadOrder =
  | { readonly kind: 'wallets'; readonly claimers: number; readonly readers: number }
  | { readonly kind: 'run'; readonly run: ClaimsRun };

export interface ClaimsRun {
  readonly ports: readonly number[];
  readonly mint: string;
  readonly seconds: number;
  /** 0: as fast as claims are answered. */
  readonly claimsPerSecond: number;
  readonly readsPerSecond: number;
}

export interface ClaimsRunResult {
  /** Claims per second that were answered with 200. */
  readonly claimed: number;
  readonly refused: Readonly<Record<string, number>>;
  /** Milliseconds. Null when no claim was answered. */
  readonly claimP50: number | null;
  readonly claimP99: number | null;
  readonly read: number;
  readonly readP50: number | null;
  readonly readP99: number | null;
  readonly readFailures: number;
}

interface Wallet {
  readonly address: string;
  readonly privateKey: KeyObject;
}

const DER_PREFIX_BYTES = 12;
const CONNECTIONS = 64;
/** Concurrent claims when they are sent as fast as they are answered. */
const AT_ONCE = 32;

const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
let claimers: Wallet[] = [];
let readers: Wallet[] = [];
let timestamp = 0;

process.on('message', (order: ClaimsLoadOrder) => {
  void (order.kind === 'wallets' ? makeWallets(order) : run(order.run)).then((answer) =>
    process.send?.(answer),
  );
});
process.on('disconnect', () => process.exit(0));

function makeWallets(count: { readonly claimers: number; readonly readers: number }) {
  const make = (): Wallet => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const bytes = publicKey.export({ format: 'der', type: 'spki' }).subarray(DER_PREFIX_BYTES);
    return { address: bs58.encode(bytes), privateKey };
  };
  claimers = Array.from({ length: count.claimers }, make);
  readers = Array.from({ length: count.readers }, make);
  return Promise.resolve({
    claimers: claimers.map(({ address }) => address),
    readers: readers.map(({ address }) => address),
  });
}

async function run({
  ports,
  mint,
  seconds,
  claimsPerSecond,
  readsPerSecond,
}: ClaimsRun): Promise<ClaimsRunResult> {
  const claimMs: number[] = [];
  const readMs: number[] = [];
  const refused: Record<string, number> = {};
  let readFailures = 0;
  let turn = 0;
  const body = JSON.stringify({ tokenAddress: mint, claimType: 'SOL' });
  const port = () => ports[turn++ % ports.length]!;
  const claim = async (): Promise<void> => {
    const wallet = claimers.pop();
    if (wallet === undefined) throw new Error('there are no more wallets to claim');
    const path = `/rewards/${wallet.address}/initiate`;
    const { ms, status, text } = await send('POST', port(), path, wallet, body);
    if (status === 200) claimMs.push(ms);
    else refused[text.slice(0, 120)] = (refused[text.slice(0, 120)] ?? 0) + 1;
  };
  const read = async (): Promise<void> => {
    const wallet = readers[turn % readers.length]!;
    const { ms, status } = await send('GET', port(), `/rewards/${wallet.address}`, wallet);
    readMs.push(ms);
    if (status !== 200) readFailures += 1;
  };
  const began = performance.now();
  const over = () => performance.now() - began >= seconds * 1_000;
  await Promise.all([
    claimsPerSecond === 0 ? asFastAsAnswered(claim, over) : steadily(claim, claimsPerSecond, seconds),
    steadily(read, readsPerSecond, seconds),
  ]);
  const took = (performance.now() - began) / 1_000;
  return {
    claimed: claimMs.length / took,
    refused,
    claimP50: percentile(claimMs, 0.5),
    claimP99: percentile(claimMs, 0.99),
    read: readMs.length / took,
    readP50: percentile(readMs, 0.5),
    readP99: percentile(readMs, 0.99),
    readFailures,
  };
}

async function steadily(work: () => Promise<void>, perSecond: number, seconds: number): Promise<void> {
  const began = performance.now();
  const running: Promise<void>[] = [];
  for (let count = 0; count < perSecond * seconds; count += 1) {
    const wait = began + (count * 1_000) / perSecond - performance.now();
    if (wait > 0) await sleep(wait);
    running.push(work());
  }
  await Promise.all(running);
}

async function asFastAsAnswered(work: () => Promise<void>, over: () => boolean): Promise<void> {
  const worker = async (): Promise<void> => {
    while (!over()) await work();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function send(
  method: string,
  port: number,
  path: string,
  { privateKey }: Wallet,
  body = '',
): Promise<{ readonly ms: number; readonly status: number; readonly text: string }> {
  // The service accepts each signature once, so every request needs a new timestamp.
  timestamp = Math.max(timestamp + 1, Date.now());
  const headers = {
    'X-Timestamp': String(timestamp),
    'X-Signature': bs58.encode(sign(null, Buffer.from(String(timestamp)), privateKey)),
    ...(body === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(body.length) }),
  };
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const asked = request({ agent, method, port, path, headers, host: '127.0.0.1' }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () =>
        resolve({ ms: performance.now() - began, status: response.statusCode ?? 0, text }),
      );
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
