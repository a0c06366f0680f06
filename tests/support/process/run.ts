import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export { ROOT } from '../../../scripts/program/paths.js';
/** Runs a program to its end. It rejects when its exit code is not 0. */
export const run = promisify(execFile);
