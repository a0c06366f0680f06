// One schedule: one intent of a caller on nodes that fail as the seed says, and what must be true of its end.
import { expect } from 'chai';
import type { RememberedOutcome } from '@curvekit/sdk/trade';
import { FaultyNode, type Faults, type TextResponse } from './faulty-node.js';
import { ModelChain } from './model-chain.js';
import { randomOf, type Random } from './random.js';
import type { Recording } from './recording.js';
import { VirtualTime } from './virtual-time.js';
import { createHash } from 'node:crypto';
import { PublicKey } from '@solana/web3.js';

export type Told =
  | { readonly kind: 'succeeded'; readonly signature: string }
  /** Nothing has happened, and nothing of it can happen any more. */
  | { readonly kind: 'nothing'; readonly error: unknown }
  /** The caller has to look it up. */
  | { readonly kind: 'unknown'; readonly error: unknown; readonly outcome?: RememberedOutcome };

export class World {
  readonly time = new VirtualTime();
  readonly chain: ModelChain;
  readonly random: Random;
  /** Signatures in the order in which the caller's wallet has made them. */
  readonly signed: string[] = [];
  /** From now on all nodes are well. */
  isWell = false;
  readonly #nodes = new Map<string, FaultyNode>();
  readonly #well: FaultyNode;
  /** The first rule that was broken while the schedule ran. */
  problem: string | undefined;

  constructor(
    readonly seed: number,
    recording: Recording,
  ) {
    this.random = randomOf(seed);
    const { time, random } = this;
    this.chain = new ModelChain(seed, time, random);
    const faults = (): Faults => ({
      answers: random.pick([0, 0.1, 0.3, 0.6]),
      lag: random.pick([0, 0, 5, 40]),
    });
    for (const host of ['a', 'b'])
      this.#nodes.set(host, new FaultyNode(this.chain, time, random, recording, faults()));
    this.#well = new FaultyNode(this.chain, time, random, recording, { answers: 0, lag: 0 });
    for (let moves = random.pick([0, 0, 0, 1, 2]); moves > 0; moves -= 1)
      time.after(random.pick([300, 3_000, 20_000]) * random.next(), () => (this.chain.price += 1));
  }

  /** Replaces fetch. @param url `http://a.test` or `http://b.test` */
  readonly fetch = (url: string | URL, init?: RequestInit): Promise<TextResponse> => {
    const { hostname } = new URL(url);
    const node = this.isWell ? this.#well : this.#nodes.get(hostname.split('.')[0]!)!;
    return node.fetch(init!.body as string);
  };

  note(signature: string): void {
    const open = this.signed.find((earlier) => earlier !== signature && this.chain.mayCount(earlier));
    if (open !== undefined) this.problem ??= `signed ${signature} while ${open} could count`;
    this.signed.push(signature);
  }

  /** Checks what the caller was told, once nothing can happen any more. */
  async check(told: Told): Promise<void> {
    await this.chain.end();
    const succeeded = [...new Set(this.signed)].filter((signature) => this.chain.hasSucceeded(signature));
    if (succeeded.length > 1) this.problem ??= `${succeeded.length} transactions of one intent succeeded`;
    if (told.kind === 'succeeded' && !succeeded.includes(told.signature))
      this.problem ??= `told that ${told.signature} has succeeded, which it has not`;
    const outcome = told.kind === 'unknown' ? told.outcome : undefined;
    if (outcome !== undefined && (outcome === 'succeeded') !== (succeeded.length === 1))
      this.problem ??= `looked up as ${outcome}, with ${succeeded.length} that have succeeded`;
    if (told.kind === 'nothing' && succeeded.length > 0)
      this.problem ??= `told "${String(told.error)}", and ${succeeded[0]} has succeeded`;
  }
}

/**
 * Runs one schedule.
 *
 * @throws AssertionError that names the seed, when a rule is broken
 */
export async function runSchedule(
  seed: number,
  recording: Recording,
  intent: (world: World) => Promise<Told>,
): Promise<Told['kind']> {
  const world = new World(seed, recording);
  const real = globalThis.fetch;
  globalThis.fetch = world.fetch as unknown as typeof fetch;
  const restore = rememberDerivations();
  try {
    const told = await world.time.run(async () => {
      const end = await intent(world);
      await world.check(end);
      return end;
    });
    expect(world.problem, `seed ${seed}`).to.equal(undefined);
    return told.kind;
  } finally {
    globalThis.fetch = real;
    restore();
  }
}

// Schedules derive the same few addresses again and again, which would take most of their time.

const hashes = new Map<string, ArrayBuffer>();
const addresses = new Map<string, [PublicKey, number]>();

/** Makes both libraries remember what they derive. @returns ends it */
function rememberDerivations(): () => void {
  const { subtle } = globalThis.crypto;
  const find = PublicKey.findProgramAddressSync.bind(PublicKey);
  // Kit hashes with the Web Crypto API, on another thread.
  const digest: SubtleCrypto['digest'] = (_, data) => {
    const bytes = Buffer.from(data as Uint8Array);
    const key = bytes.toString('latin1');
    let hash = hashes.get(key);
    if (hash === undefined) {
      const { buffer } = Uint8Array.from(createHash('sha256').update(bytes).digest());
      hashes.set(key, (hash = buffer));
    }
    return Promise.resolve(hash.slice(0));
  };
  Object.defineProperty(subtle, 'digest', { value: digest, configurable: true });
  PublicKey.findProgramAddressSync = (seeds, programId) => {
    const key = [programId.toBase58(), ...seeds.map((seed) => Buffer.from(seed).toString('latin1'))].join(
      '|',
    );
    let found = addresses.get(key);
    if (found === undefined) addresses.set(key, (found = find(seeds, programId)));
    return found;
  };
  return () => {
    Reflect.deleteProperty(subtle, 'digest');
    PublicKey.findProgramAddressSync = find;
  };
}
