/** A cached value that is read again when it is older than a limit. Concurrent callers share one read. */
export class Kept<Value> {
  #kept: { readonly value: Value; readonly at: number } | undefined;
  #reading: Promise<Value> | undefined;

  constructor(
    private readonly maxAgeMs: number,
    private readonly read: () => Promise<Value>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get(): Promise<Value> {
    if (this.#kept !== undefined && this.now() - this.#kept.at < this.maxAgeMs)
      return Promise.resolve(this.#kept.value);
    return (this.#reading ??= this.#readNow().finally(() => (this.#reading = undefined)));
  }

  async #readNow(): Promise<Value> {
    const at = this.now();
    const value = await this.read();
    this.#kept = { value, at };
    return value;
  }
}
