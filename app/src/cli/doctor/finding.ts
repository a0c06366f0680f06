import { nodeErrorOf } from '../../rpc/node-errors.js';

/** Result of one check. */
export interface Finding {
  /** Name of the checked part, such as `RPC node`. */
  readonly subject: string;
  /** `warning`: works, but perhaps not as intended. `failure`: does not work. */
  readonly state: 'ok' | 'warning' | 'failure';
  readonly detail: string;
  /** What to do about it. */
  readonly fix?: string;
}

export const ok = (subject: string, detail: string): Finding => ({ subject, state: 'ok', detail });

export const warning = (subject: string, detail: string, fix: string): Finding => ({
  subject,
  state: 'warning',
  detail,
  fix,
});

export const failure = (subject: string, detail: string, fix: string): Finding => ({
  subject,
  state: 'failure',
  detail,
  fix,
});

/** What an error of the RPC node says, and what to do about it. */
export function problemOf(error: unknown): { readonly detail: string; readonly fix: string } {
  const ofNode = nodeErrorOf(error);
  return {
    detail: reasonOf(ofNode?.problem ?? error),
    fix: ofNode?.fix ?? 'set RPC_URL to a node that answers',
  };
}

/** The findings of checks, or that the RPC node failed meanwhile. The checks after them still run. */
export async function unlessNodeFails(
  subject: string,
  check: Promise<Finding | readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    const found = await check;
    return 'subject' in found ? [found] : found;
  } catch (error) {
    if (nodeErrorOf(error) === undefined) throw error;
    const { detail, fix } = problemOf(error);
    return [failure(subject, detail, fix)];
  }
}

/** The message of a thrown value, on one line. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\s+/g, ' ').trim();
}
