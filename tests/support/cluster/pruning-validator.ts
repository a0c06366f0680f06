// solana-test-validator with a pruned ledger that survives restarts. Its slots take 50 ms, and it keeps few blocks.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Keypair } from '@solana/web3.js';
import { KEY_HELD_DEPLOYMENT } from '@curvekit/sdk';
import { TOKEN_METADATA_PROGRAM_ADDRESS } from '#sdk/generated/program.js';
import { programBinary } from '#testing/artifacts.js';
import { callRpc } from '#testing/json-rpc.js';
import { ensureMetaplexProgram } from '#testing/metaplex.js';
import { findFreePorts } from '#testing/ports.js';
import { calmLoops } from '#testing/calm-loops.js';
import { startSupervised, type Supervised } from '#testing/supervised.js';

const DYNAMIC_PORTS = 36;
/** Some seconds of blocks: with fewer, the validator would prune them before a test could read them. */
const KEPT_SHREDS = 4_000;
const TICKS_PER_SLOT = 8;
const FIRST_SLOT = 50;
const START_TIMEOUT_MS = 60_000;

export class PruningValidator {
  readonly payer = Keypair.generate();
  #running: Supervised | undefined;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
    private readonly metaplexSo: string,
  ) {}

  static async start(): Promise<PruningValidator> {
    const folder = await mkdtemp(join(tmpdir(), 'curvekit-pruning-'));
    const { path } = await ensureMetaplexProgram({ log: () => undefined });
    const validator = new PruningValidator(folder, await findFreePorts(4 + DYNAMIC_PORTS), path);
    await validator.#run([
      '--reset',
      ...['--mint', validator.payer.publicKey.toBase58(), '--warp-slot', `${FIRST_SLOT}`],
      ...['--ticks-per-slot', `${TICKS_PER_SLOT}`],
    ]);
    return validator;
  }

  get rpcUrl(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  get wsUrl(): string {
    return `ws://127.0.0.1:${this.port + 1}`;
  }

  /** Restarts it on the same ledger. Only blocks written to files before count against the ledger's limit. */
  async restart(): Promise<void> {
    await this.#running?.stop();
    await this.#run([]);
  }

  async firstBlock(): Promise<number> {
    return (await callRpc(this.rpcUrl, 'getFirstAvailableBlock', [])) as number;
  }

  async stop(): Promise<void> {
    await this.#running?.stop();
    await rm(this.folder, { recursive: true, force: true });
  }

  async #run(more: readonly string[]): Promise<void> {
    const before = await this.#slot();
    const output = await mkdtemp(join(this.folder, 'output-'));
    const { port } = this;
    this.#running = startSupervised(output, join(output, 'log'), [
      'solana-test-validator',
      ...['--ledger', join(this.folder, 'ledger'), '--quiet', '--bind-address', '127.0.0.1'],
      ...['--rpc-port', `${port}`, '--faucet-port', `${port + 2}`, '--gossip-port', `${port + 3}`],
      ...['--dynamic-port-range', `${port + 4}-${port + 3 + DYNAMIC_PORTS}`],
      ...['--limit-ledger-size', `${KEPT_SHREDS}`],
      ...['--bpf-program', KEY_HELD_DEPLOYMENT.programId.toBase58(), programBinary('keyHeldCurve')],
      ...['--bpf-program', TOKEN_METADATA_PROGRAM_ADDRESS.toBase58(), this.metaplexSo],
      ...more,
    ]);
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!((await this.#slot()) > Math.max(FIRST_SLOT, before))) {
      const ended = this.#running.ended();
      if (ended !== undefined) throw new Error(`the validator ended by itself (${ended})`);
      if (Date.now() > deadline) throw new Error(`the validator made no block in ${START_TIMEOUT_MS} ms`);
      await sleep(50);
    }
    calmLoops(this.#running.pid);
  }

  /** The current slot; 0 while the validator does not answer. */
  async #slot(): Promise<number> {
    return Number(await callRpc(this.rpcUrl, 'getSlot', [{ commitment: 'processed' }]).catch(() => 0));
  }
}
