/** A program's run inside a transaction, as the log tells it. */
export interface Invocation {
  readonly programId: string;
  /** 1 for an instruction of the transaction, more for a call from inside another program. */
  readonly depth: number;
  /** Compute units, those of its own calls included. */
  readonly computeUnits: number;
}

const INVOKE = /^Program (\w+) invoke \[(\d+)\]$/;
const CONSUMED = /^Program (\w+) consumed (\d+) of \d+ compute units$/;

/** Every invocation that the log states the cost of (built-in programs state none), in the order they ended. */
export function invocationsIn(logs: readonly string[]): Invocation[] {
  const depths = new Map<string, number[]>();
  const found: Invocation[] = [];
  for (const line of logs) {
    const [, invoked, depth] = INVOKE.exec(line) ?? [];
    if (invoked !== undefined) depths.set(invoked, [...(depths.get(invoked) ?? []), Number(depth)]);
    const [, programId, computeUnits] = CONSUMED.exec(line) ?? [];
    if (programId === undefined) continue;
    // Of several runs of a program under way, the innermost ends first.
    found.push({ programId, depth: depths.get(programId)?.pop() ?? 0, computeUnits: Number(computeUnits) });
  }
  return found;
}
