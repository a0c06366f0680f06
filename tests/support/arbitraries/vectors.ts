// Trades made by the Rust curve. programs/bonding-curve/examples/vectors.rs documents the format of the bytes.
import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { requireCargo } from '#tests/process/cargo.js';
import { IDL_BUILD_ENVIRONMENT } from '../../../scripts/program/toolchain.js';

/** A trade, and the Rust curve's result. In lamports and token base units. */
export interface Vector {
  readonly isBuy: boolean;
  readonly virtualSol: bigint;
  readonly virtualToken: bigint;
  readonly feeBps: number;
  /** Without effect on a sell. */
  readonly graduationReserve: bigint;
  readonly amount: bigint;
  readonly minimum: bigint;
  readonly outcome: Outcome;
}

/** The result of a trade, or the error code of the refusal. */
export type Outcome =
  | { readonly refusal: 6003 | 6005 }
  | {
      readonly refusal?: undefined;
      /** Tokens out, net and fee of a buy; gross, fee and SOL out of a sell. */
      readonly amounts: readonly [bigint, bigint, bigint];
      readonly virtualSol: bigint;
      readonly virtualToken: bigint;
      readonly graduates: boolean;
    };

const VECTOR_BYTES = 85;

/**
 * The same seed gives the same vectors. Compiles the generator first if needed.
 *
 * @throws Error when cargo is missing, or the generator fails or ends early
 */
export async function* rustVectors(count: number, seed: bigint): AsyncGenerator<Vector> {
  requireCargo('the Rust curve makes the trades that the TypeScript one is checked against');
  const command = [
    'run',
    '--quiet',
    '--profile',
    'test',
    '--example',
    'vectors',
    '--',
    `${count}`,
    `${seed}`,
  ];
  const generator = spawn('cargo', command, {
    env: { ...process.env, ...IDL_BUILD_ENVIRONMENT },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | null>((resolve) => generator.once('close', resolve));
  let made = 0;
  try {
    for await (const record of records(generator.stdout)) {
      made += 1;
      yield decode(record);
    }
    const code = await ended;
    if (code !== 0 || made !== count) {
      throw new Error(`cargo ${command.join(' ')} made ${made} vectors and ended with code ${code}`);
    }
  } finally {
    generator.kill();
  }
}

async function* records(stream: Readable): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream) {
    const bytes = Buffer.concat([rest, chunk as Buffer]);
    const whole = bytes.length - (bytes.length % VECTOR_BYTES);
    for (let at = 0; at < whole; at += VECTOR_BYTES) yield bytes.subarray(at, at + VECTOR_BYTES);
    rest = bytes.subarray(whole);
  }
  if (rest.length > 0) throw new Error(`the last vector has ${rest.length} of ${VECTOR_BYTES} bytes`);
}

function decode(record: Buffer): Vector {
  const u64 = (at: number) => record.readBigUInt64LE(at);
  return {
    isBuy: record.readUInt8(0) === 0,
    virtualSol: u64(1),
    virtualToken: u64(9),
    feeBps: record.readUInt16LE(17),
    graduationReserve: u64(19),
    amount: u64(27),
    minimum: u64(35),
    outcome: outcomeOf(record.readUInt8(43), u64, record.readUInt8(84) === 1),
  };
}

function outcomeOf(code: number, u64: (at: number) => bigint, graduates: boolean): Outcome {
  if (code === 1) return { refusal: 6003 };
  if (code === 2) return { refusal: 6005 };
  return { amounts: [u64(44), u64(52), u64(60)], virtualSol: u64(68), virtualToken: u64(76), graduates };
}
