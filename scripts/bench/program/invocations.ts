/** One invocation of a program in a transaction, from the log. */
export interface Invocation {
  readonly programId: string;
  /** 1 for an instruction of the transaction, more for a CPI. */
  readonly depth: number;
  /** Compute units, including its own CPIs. */
  readonly computeUnits: number;
}

const INVOKE = /^Program (\w+) invoke \[(\d+)\]$/;
const CONSUMED = /^Program (\w+) consumed (\d+) of \d+ compute units$/;

/** Every invocation with a cost in the log (built-in programs log none), in the order of their end. */
export function invocationsIn(logs: readonly string[]): Invocation[] {
  const depths = new Map<string, number[]>();
  const found: Invocation[] = [];
  for (const line of logs) {
    const [, invoked, depth] = INVOKE.exec(line) ?? [];
    if (invoked !== undefined) depths.set(invoked, [...(depths.get(invoked) ?? []), Number(depth)]);
    const [, programId, computeUnits] = CONSUMED.exec(line) ?? [];
    if (programId === undefined) continue;
    // When a program runs at several depths, the innermost invocation ends first.
    found.push({ programId, depth: depths.get(programId)?.pop() ?? 0, computeUnits: Number(computeUnits) });
  }
  return found;
}
