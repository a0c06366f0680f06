// SHA-256 (FIPS 180-4), synchronously: `crypto.subtle` only answers later, and libraries add 2 kB to a page.
const BLOCK = 64;
const ROUNDS = 64;

/** The first 32 bits of the fractional part of a prime's root. An engine's last bits of `**` may differ, but not these. */
const fractionOf = (prime: number, power: number) => ((prime ** power % 1) * 2 ** 32) | 0;
const isPrime = (number: number) => {
  for (let divisor = 2; divisor * divisor <= number; divisor++) if (number % divisor === 0) return false;
  return true;
};
const primes = (count: number): number[] => {
  const found: number[] = [];
  for (let number = 2; found.length < count; number++) if (isPrime(number)) found.push(number);
  return found;
};
const CONSTANTS = /* @__PURE__ */ primes(ROUNDS).map((prime) => fractionOf(prime, 1 / 3));
const START = /* @__PURE__ */ primes(8).map((prime) => fractionOf(prime, 1 / 2));

const turned = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits));

export function sha256(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(BLOCK * Math.ceil((bytes.length + 9) / BLOCK));
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, 8n * BigInt(bytes.length));
  const state = Int32Array.from(START);
  const words = new Int32Array(ROUNDS);
  for (let start = 0; start < padded.length; start += BLOCK) {
    let [a, b, c, d, e, f, g, h] = state as unknown as [...number[]] & { [index: number]: number };
    for (let round = 0; round < ROUNDS; round++) {
      const early = words[round - 15]!;
      const late = words[round - 2]!;
      words[round] =
        round < 16
          ? view.getInt32(start + 4 * round)
          : words[round - 16]! +
            (turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)) +
            words[round - 7]! +
            (turned(late, 17) ^ turned(late, 19) ^ (late >>> 10));
      const one =
        h! +
        (turned(e!, 6) ^ turned(e!, 11) ^ turned(e!, 25)) +
        ((e! & f!) ^ (~e! & g!)) +
        CONSTANTS[round]! +
        words[round]!;
      const two = (turned(a!, 2) ^ turned(a!, 13) ^ turned(a!, 22)) + ((a! & b!) ^ (a! & c!) ^ (b! & c!));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d! + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, index) => (state[index]! += word!));
  }
  const digest = new DataView(new ArrayBuffer(4 * state.length));
  state.forEach((word, index) => digest.setInt32(4 * index, word));
  return new Uint8Array(digest.buffer);
}
