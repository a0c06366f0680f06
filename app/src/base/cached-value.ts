/** A cached value that is read again when it is older than a limit. Concurrent callers share one read. */
export class CachedValue<Value> {
  #cached: { readonly value: Value; readonly at: number } | undefined;
  #reading: Promise<Value> | undefined;

  constructor(
    private readonly maxAgeMs: number,
    private readonly read: () => Promise<Value>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  get(): Promise<Value> {
    if (this.#cached !== undefined && this.now() - this.#cached.at < this.maxAgeMs)
      return Promise.resolve(this.#cached.value);
    return (this.#reading ??= this.#readNow().finally(() => (this.#reading = undefined)));
  }

  async #readNow(): Promise<Value> {
    const at = this.now();
    const value = await this.read();
    this.#cached = { value, at };
    return value;
  }
}
