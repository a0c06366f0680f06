/** What one look found. */
export interface Finding {
  /** What was looked at. */
  readonly subject: string;
  /** `warning`: works, though perhaps not as meant. `failure`: does not work. */
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

/** The message of anything thrown, on one line. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\s+/g, ' ').trim();
}
