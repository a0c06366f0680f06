// Reads a transaction's log lines together with the stack of programs that wrote them. Lines are matched whole. A
// program's own lines begin with "Program log:", "Program data:" or "Program return:", so a program cannot imitate the
// runtime's lines.
import { decodeBase64 } from '../encoding/base64.js';

const INVOKE = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) invoke \[(\d+)\]$/;
const SUCCESS = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) success$/;
const FAILED = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) failed: (.*)$/s;
const DATA = 'Program data: ';
const TRUNCATED = 'Log truncated';

/** Data that a program wrote with `sol_log_data`. */
export interface LoggedData {
  /** The invocation of the program in this transaction that wrote the data, from 0 in order of execution. */
  readonly invocation: number;
  /** The first slice of the data. */
  readonly bytes: Uint8Array;
}

/** The data that one program logged itself. It excludes data of programs that it calls or that call it. */
export function loggedData(logs: readonly string[], programId: string): LoggedData[] {
  const found: LoggedData[] = [];
  const stack: { readonly programId: string; readonly invocation: number }[] = [];
  let invocations = 0;
  for (const line of logs) {
    // Lines are missing from here on, so the stack is unknown.
    if (line === TRUNCATED) break;
    const invoked = INVOKE.exec(line)?.[1];
    if (invoked !== undefined) {
      stack.push({ programId: invoked, invocation: invoked === programId ? invocations++ : -1 });
    } else if (SUCCESS.test(line) || FAILED.test(line)) {
      stack.pop();
    } else if (line.startsWith(DATA)) {
      const frame = stack.at(-1);
      const bytes =
        frame?.programId === programId ? dataIn(line.slice(DATA.length).split(' ', 1)[0]!) : undefined;
      if (frame !== undefined && bytes !== undefined) found.push({ invocation: frame.invocation, bytes });
    }
  }
  return found;
}

/** The innermost program that failed. It reports the failure first, before its callers fail too. */
export function failedProgram(logs: readonly string[]): string | undefined {
  for (const line of logs) {
    if (line === TRUNCATED) return undefined;
    const programId = FAILED.exec(line)?.[1];
    if (programId !== undefined) return programId;
  }
  return undefined;
}

function dataIn(text: string): Uint8Array | undefined {
  try {
    return decodeBase64(text);
  } catch {
    return undefined;
  }
}
