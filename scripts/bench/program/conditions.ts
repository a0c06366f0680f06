// The conditions of a measurement besides the program: the token program's binary and the compiler.
import { hash } from 'node:crypto';
import { TOKEN_PROGRAM_ADDRESS } from '@curvekit/sdk';
import type { LocalCluster } from '@curvekit/testing';
import { readDeployedProgram } from '../../deployed-program.js';
import { readManifest } from '../../program/manifest.js';

export interface Conditions {
  readonly cluster: string;
  /** SHA-256 of the measured program's binary. */
  readonly program: string;
  /** Version of the compiler that built the program. */
  readonly compiler: string;
  /** Name and SHA-256 of the token program's binary. */
  readonly tokenProgram: { readonly name: string; readonly transferUnits: number; readonly sha256: string };
}

/** Name of the token program, by the compute units of its Transfer. */
const TOKEN_PROGRAMS: Readonly<Record<number, string>> = { 76: 'p-token', 4645: 'spl-token' };

/** @param transferUnits compute units of a Transfer of the token program */
export async function readConditions(cluster: LocalCluster, transferUnits: number): Promise<Conditions> {
  const { connection, programId, kind } = cluster;
  const program = hash('sha256', (await readDeployedProgram(connection, programId)).binary);
  const token = await readDeployedProgram(connection, TOKEN_PROGRAM_ADDRESS);
  return {
    cluster: kind,
    program,
    compiler: compilerOf(program),
    tokenProgram: {
      name: TOKEN_PROGRAMS[transferUnits] ?? 'unknown',
      transferUnits,
      sha256: hash('sha256', token.binary),
    },
  };
}

/** The manifest has the compiler of the committed programs only. */
function compilerOf(program: string): string {
  const { artifacts, compiler } = readManifest();
  const known = Object.values(artifacts).some((artifact) => artifact.sha256 === program);
  return known ? compiler : 'unknown: this is no program in programs/artifacts/';
}
