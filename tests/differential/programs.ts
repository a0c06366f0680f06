// The binaries for the two machines.
import {
  ATA_PROGRAM_ADDRESS,
  PROGRAM_ADDRESS,
  TOKEN_METADATA_PROGRAM_ADDRESS,
  TOKEN_PROGRAM_ADDRESS,
} from '@curvekit/sdk';
import { ensureMetaplexProgram, findSurfpool } from '@curvekit/testing';
import { startSurfpoolProcess } from '#testing/surfpool-process.js';
import { Connection } from '@solana/web3.js';
import { readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { readDeployedProgram } from '../../scripts/deployed-program.js';
import { DIFFERENTIAL } from '../../scripts/program/paths.js';
import { buildForDifferential } from '../../scripts/program/toolchain.js';
import { keyOf, type Call } from './call.js';
import { Svm, type Program } from './svm.js';

const keyNamed = (name: string) => keyOf(createHash('sha256').update(name).digest());
/** The same program, deployed at an address that it was not built for. */
export const OTHER_DEPLOYMENT = keyNamed('other deployment');
/** The program in caller/, which calls the program under test by CPI. */
const CALLER = keyNamed('caller');

export function throughCaller({ program, metas, data }: Call): Call {
  return { program: CALLER, metas: [{ key: program, isSigner: false, isWritable: false }, ...metas], data };
}

/**
 * A machine with a build of the program, at its own address and at `OTHER_DEPLOYMENT`.
 *
 * @param beside the result of `programsBeside`
 */
export function machineOf(build: Uint8Array, beside: readonly Program[]): Svm {
  return new Svm([
    ...beside,
    ...[keyOf(PROGRAM_ADDRESS), OTHER_DEPLOYMENT].map((key) => ({ key, binary: build })),
  ]);
}

/** The programs that the program calls, and a program that calls it. */
export async function programsBeside(log: (line: string) => void): Promise<readonly Program[]> {
  buildForDifferential('caller', log);
  const caller = { key: CALLER, binary: readFileSync(join(DIFFERENTIAL, 'caller.so')) };
  return [caller, ...(await calledPrograms())];
}

/**
 * The programs that the program calls: the token and associated-token programs of the Surfpool cluster of the other
 * tests (LiteSVM has an older token program), and Metaplex.
 */
export async function calledPrograms(): Promise<readonly Program[]> {
  const metaplex = await ensureMetaplexProgram();
  const surfpool = await startSurfpoolProcess(findSurfpool(), [], 400);
  try {
    const connection = new Connection(surfpool.rpcUrl, 'confirmed');
    const ofCluster = [TOKEN_PROGRAM_ADDRESS, ATA_PROGRAM_ADDRESS].map(async (address) => ({
      key: keyOf(address),
      binary: (await readDeployedProgram(connection, address)).binary,
    }));
    return [
      ...(await Promise.all(ofCluster)),
      { key: keyOf(TOKEN_METADATA_PROGRAM_ADDRESS), binary: readFileSync(metaplex.path) },
    ];
  } finally {
    await surfpool.stop();
  }
}
