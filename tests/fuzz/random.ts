// Random numbers from a seed. Fast, because every step needs several.

/** A xorshift generator of 32-bit numbers. */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  /** The same seed and stream give the same numbers. */
  constructor(seed: number, stream: number) {
    let state = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(stream + 1, 0x85ebca6b)) | 0;
    const next = (): number => {
      state = (state + 0x9e3779b9) | 0;
      const mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
      return (Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97) ^ (mixed >>> 13)) | 0;
    };
    [this.#a, this.#b, this.#c, this.#d] = [next(), next(), next(), next() | 1];
  }

  /** 0 to 2^32 - 1. */
  next(): number {
    const mixed = this.#d ^ (this.#d << 11);
    [this.#d, this.#c, this.#b] = [this.#c, this.#b, this.#a];
    this.#a = this.#a ^ (this.#a >>> 19) ^ mixed ^ (mixed >>> 8);
    return this.#a >>> 0;
  }

  /** 0 to `below` - 1. */
  below(below: number): number {
    return this.next() % below;
  }

  /** True in `of` of a thousand cases. */
  perMille(of: number): boolean {
    return this.below(1_000) < of;
  }

  pick<T>(values: readonly T[]): T {
    return values[this.below(values.length)]!;
  }

  /** Any number of up to `bits` bits. Every length is equally likely. */
  ofBits(bits: number): bigint {
    const length = BigInt(this.below(bits + 1));
    const all = (BigInt(this.next()) << 32n) | BigInt(this.next());
    return all & ((1n << length) - 1n);
  }
}
