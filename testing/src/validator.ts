import { accessSync, constants } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair, type PublicKey } from '@solana/web3.js';
import type { Backend, Genesis, GenesisAccount, Pace } from './backend.js';
import { ClusterStartError } from './errors.js';
import { clusterFolder } from './files.js';
import { calmLoops } from './calm-loops.js';
import { callRpc } from './json-rpc.js';
import { findFreePorts } from './ports.js';
import { startSupervised, type Supervised } from './supervised.js';

const BINARY = 'solana-test-validator';

/** RPC, its websocket (always the next port), faucet, gossip. After these the dynamic ports, at least 25. */
const FIXED_PORTS = 4;
const DYNAMIC_PORTS = 36;

/** Another process can take a port before the validator does. Then other ports are tried. */
const START_ATTEMPTS = 3;
const PORT_TAKEN = /already in use|No available UDP ports/i;
/** A ledger that starts at slot 0 drops version 0 transactions for its first 14 seconds. */
const FIRST_SLOT = 50;
/** With the default of 10,000 it deletes blocks after some minutes, which a long test may still read. */
const KEPT_SHREDS = 10_000_000;

/** The validator's clock ticks every 6.25 ms. */
const TICKS_PER_SECOND = 160;

const START_TIMEOUT_MS = 60_000;
const POLL_INTERVAL_MS = 50;
const LOG_TAIL_LINES = 20;

const PACE: Pace = { maxInFlight: 128, resendAfterMs: 1_000 };

/** Path of `solana-test-validator`, or undefined when it isn't on PATH. */
export function findValidator(path = process.env['PATH'] ?? ''): string | undefined {
  return path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .map((folder) => join(folder, BINARY))
    .find(isExecutable);
}

/**
 * Starts `solana-test-validator` from PATH with the programs and accounts in its genesis, with its own ports and
 * ledger. It ends, and its ledger is deleted, with `stop()` or with this process. Its RPC, websocket and faucet ports
 * listen on every network interface, because it has no option to bind them to one.
 *
 * @throws ClusterStartError when it is not on PATH or not healthy in time. The message quotes the end of its log.
 */
export async function startValidator(genesis: Genesis, slotTimeMs: number): Promise<Backend> {
  const binary = findValidator();
  if (binary === undefined) {
    throw new ClusterStartError(
      `${BINARY} is not on PATH; install the Solana CLI, or choose the default cluster (\`--cluster surfpool\`)`,
    );
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnce(binary, genesis, slotTimeMs);
    } catch (error) {
      const mayRetry = error instanceof ClusterStartError && PORT_TAKEN.test(error.message);
      if (!mayRetry || attempt === START_ATTEMPTS) throw error;
    }
  }
}

async function startOnce(
  binary: string,
  { programs, accounts }: Genesis,
  slotTimeMs: number,
): Promise<Backend> {
  const port = await findFreePorts(FIXED_PORTS + DYNAMIC_PORTS);
  const payer = Keypair.generate();
  const folder = await clusterFolder('validator');
  const ledger = join(folder, 'ledger');
  const output = join(folder, 'output.log');
  const accountFiles = await Promise.all(accounts.map((account) => writeAccount(folder, account)));
  const validator = startSupervised(folder, output, [
    binary,
    ...['--ledger', ledger, '--reset', '--quiet', '--mint', payer.publicKey.toBase58()],
    ...['--bind-address', '127.0.0.1', '--rpc-port', `${port}`, '--faucet-port', `${port + 2}`],
    ...['--gossip-port', `${port + 3}`],
    ...['--dynamic-port-range', `${port + FIXED_PORTS}-${port + FIXED_PORTS + DYNAMIC_PORTS - 1}`],
    ...['--ticks-per-slot', `${Math.max(1, Math.round((slotTimeMs * TICKS_PER_SECOND) / 1_000))}`],
    ...['--warp-slot', `${FIRST_SLOT}`, '--limit-ledger-size', `${KEPT_SHREDS}`],
    ...programs.flatMap(({ programId, so }) => ['--bpf-program', programId.toBase58(), so]),
    ...accounts.flatMap(({ address }, index) => ['--account', address.toBase58(), accountFiles[index]!]),
  ]);
  const rpcUrl = `http://127.0.0.1:${port}`;
  try {
    await becomeReady(rpcUrl, payer.publicKey, validator);
    calmLoops(validator.pid);
  } catch (cause) {
    const log = await tailOf(output, join(ledger, 'validator.log'));
    await validator.stop();
    throw new ClusterStartError(`${BINARY} did not start: ${(cause as Error).message}${log}`, { cause });
  }
  return {
    kind: 'validator',
    rpcUrl,
    wsUrl: `ws://127.0.0.1:${port + 1}`,
    payer,
    pace: PACE,
    stop: validator.stop,
  };
}

/** Writes an account in the validator's file format, and returns the path. */
async function writeAccount(folder: string, account: GenesisAccount): Promise<string> {
  const pubkey = account.address.toBase58();
  const path = join(folder, `${pubkey}.json`);
  const { lamports, owner, data } = account;
  const content = {
    lamports: Number(lamports),
    data: [data, 'base64'],
    owner: owner.toBase58(),
    executable: false,
    rentEpoch: 0,
  };
  await writeFile(path, JSON.stringify({ pubkey, account: content }));
  return path;
}

async function becomeReady(rpcUrl: string, mint: PublicKey, validator: Supervised): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  // It reports healthy before it makes blocks. A transaction sent before that would wait for seconds.
  while (!((await processedSlot(rpcUrl)) > FIRST_SLOT)) {
    const ended = validator.ended();
    if (ended !== undefined) throw new ClusterStartError(`it ended by itself (${ended})`);
    if (Date.now() > deadline) throw new ClusterStartError(`it made no block within ${START_TIMEOUT_MS} ms`);
    await sleep(POLL_INTERVAL_MS);
  }
  // Only our own genesis has this mint.
  const { value } = (await callRpc(rpcUrl, 'getBalance', [mint.toBase58()])) as { value: number };
  if (value === 0) throw new ClusterStartError(`${rpcUrl} is already in use by another validator`);
}

/** The current slot. NaN while the validator does not answer. */
async function processedSlot(rpcUrl: string): Promise<number> {
  return Number(await callRpc(rpcUrl, 'getSlot', [{ commitment: 'processed' }]).catch(() => NaN));
}

async function tailOf(...files: readonly string[]): Promise<string> {
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8').catch(() => '')));
  const lines = texts
    .flatMap((text) => text.trimEnd().split('\n').slice(-LOG_TAIL_LINES))
    .filter((line) => line !== '');
  return lines.length === 0 ? '' : `\nThe end of its log:\n${lines.join('\n')}`;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
