// Reproducible random numbers from a seed, for trades in demos and tests. Never use them for keys.

export interface Random {
  /** An integer from 0 to `limit` − 1; `limit` is at most 2^32. */
  below(limit: number): number;
  /** A random part of an amount, from 1 unit to all of it, uniformly. `amount` is at least 1. */
  shareOf(amount: bigint): bigint;
  /** A number of 1 to 64 bits. Each length is equally likely, so all magnitudes occur. */
  magnitude(): bigint;
  /** True with a probability of `percent` in a hundred. */
  chance(percent: number): boolean;
}

/** The stream with this number for a seed, generated with splitmix32. */
export function randomStream(seed: number, stream: number): Random {
  let state = Math.imul(seed, 0x9e3779b9) ^ Math.imul(stream + 1, 0x85ebca6b);
  const next = (): number => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  const below = (limit: number) => Math.floor((next() / 2 ** 32) * limit);
  const u64 = () => (BigInt(next()) << 32n) | BigInt(next());
  return {
    below,
    shareOf: (amount) => 1n + (u64() * amount) / 2n ** 64n,
    magnitude: () => (u64() | (1n << 63n)) >> BigInt(below(64)),
    chance: (percent) => below(100) < percent,
  };
}
