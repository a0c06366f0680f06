/** A map that drops its oldest entry beyond a number. An entry that is set again becomes the newest. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  /**
   * At the oldest entry, while each `set` drops one. A new iterator would pass all entries that were dropped since the map's memory
   * was last laid out, up to as many as it has. It is not stored longer, because it holds that memory.
   */
  #oldest: MapIterator<Key> | undefined;

  /** @param most maximum number of entries */
  constructor(readonly most: number) {
    super();
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    if (this.size <= this.most) {
      this.#oldest = undefined;
      return this;
    }
    this.#oldest ??= this.keys();
    const oldest = this.#oldest.next();
    if (oldest.done !== true) this.delete(oldest.value);
    return this;
  }
}
