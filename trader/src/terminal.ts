/** What a command knows of the process that runs it. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Results. */
  readonly out: (text: string) => void;
  /** Progress and errors. */
  readonly err: (text: string) => void;
  /** Aborted by Ctrl-C. */
  readonly stopped: AbortSignal;
  /** Aborted when nobody reads the results any more. */
  readonly outputClosed: AbortSignal;
}
