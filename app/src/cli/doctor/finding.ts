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

/** The message of a thrown value, on one line. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\s+/g, ' ').trim();
}
