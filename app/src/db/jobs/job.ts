/** A background job. */
export interface Job {
  readonly name: string;
  /** How often a step took longer than its limit, or went on after it was told to end. */
  readonly overruns?: number;
  /** Starts the work and returns at once. */
  start(): void;
  /** Stops after the current step, or without it when that takes too long. Safe to call twice. */
  stop(): Promise<void>;
}
