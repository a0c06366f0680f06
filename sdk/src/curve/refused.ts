import { ProgramError } from '../errors/index.js';

/** The program's `LogicalError`, for an argument that it would refuse. */
export function refused(argument: string, problem: string): ProgramError {
  return new ProgramError(6005, { argument, explanation: `${argument} ${problem}` });
}
