/** The output of a demo, as text and as JSON. */
export interface Shown {
  /** The tables. */
  readonly text: string;
  /** The result in one line. */
  readonly verdict: string;
  /** The JSON document. Amounts are bigints. */
  readonly document: object;
  /** Whether all values of the records and the chain are equal. */
  readonly equal: boolean;
}
