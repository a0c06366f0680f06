/** What a demo has to show, in both forms. */
export interface Shown {
  /** For people: tables. */
  readonly text: string;
  /** What was found, in one line. */
  readonly verdict: string;
  /** For programs; amounts are bigints. */
  readonly document: object;
  /** Whether the records and the chain agree on everything. */
  readonly equal: boolean;
}
