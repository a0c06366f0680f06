/** A map that drops its oldest entry beyond a number. An entry that is set again becomes the newest. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  /** @param most maximum number of entries */
  constructor(readonly most: number) {
    super();
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    if (this.size > this.most) {
      const oldest = this.keys().next();
      if (oldest.done !== true) this.delete(oldest.value);
    }
    return this;
  }
}
