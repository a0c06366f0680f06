/** Work in the background. */
export interface Job {
  readonly name: string;
  /** Begins, and returns at once. */
  start(): void;
  /** Ends it after what is under way. Safe to call twice. */
  stop(): Promise<void>;
}
