import { hasGraduationProgram } from '../graduation/graduating.js';
import type { CommandCluster } from './cluster.js';
import { CommandError } from './errors.js';

/** @throws CommandError when the launchpad has no graduation program: there a key migrates the curves */
export async function requireGraduationProgram({ connection, deployment }: CommandCluster): Promise<void> {
  if (await hasGraduationProgram(connection, deployment)) return;
  throw new CommandError(
    `there is no graduation program at ${deployment.graduation.programId.toBase58()}: here the holder of the fee receiver's key migrates (\`curvekit migrate\`). With a graduation program of your own, set GRADUATION_PROGRAM_ID`,
  );
}
