/** A background job. */
export interface Job {
  readonly name: string;
  /** Starts the work and returns at once. */
  start(): void;
  /** Stops after the current step. Safe to call twice. */
  stop(): Promise<void>;
}
