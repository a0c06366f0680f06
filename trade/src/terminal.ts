/** The parts of the process that a command uses. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Writes results to standard output. */
  readonly out: (text: string) => void;
  /** Writes progress and errors to standard error. */
  readonly err: (text: string) => void;
  /** Aborted by Ctrl-C. */
  readonly stopped: AbortSignal;
  /** Aborted when the reader of the results has closed the pipe. */
  readonly outputClosed: AbortSignal;
}
