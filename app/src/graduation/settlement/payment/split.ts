// Divides amounts exactly by largest remainder (Hamilton's method), ties to the earlier part.

const BPS = 10_000n;

/** Shares that the creator chose at the token's creation, in basis points. The creator gets the rest. */
export interface Shares {
  readonly burnBps: number;
  readonly holdersBps: number;
  readonly lpBps: number;
}

/** Parts of an amount taken from a storage, in lamports or token units. Their sum is that amount. */
export interface Parts {
  readonly burn: bigint;
  readonly holders: bigint;
  readonly lp: bigint;
  readonly creator: bigint;
}

/**
 * Divides `total` in proportion to the weights. Each part is its exact share rounded down. The remaining units go, one
 * each, to the parts with the largest remainders, ties to the earlier part.
 *
 * @returns one part per weight; their sum is `total`
 * @throws RangeError for a negative total or weight, and when the total is positive but all weights are 0
 */
export function divideByLargestRemainder(total: bigint, weights: readonly bigint[]): bigint[] {
  if (total < 0n) throw new RangeError(`divideByLargestRemainder: total is ${total}, below 0`);
  let sum = 0n;
  for (const weight of weights) {
    if (weight < 0n) throw new RangeError(`divideByLargestRemainder: a weight is ${weight}, below 0`);
    sum += weight;
  }
  if (total === 0n) return weights.map(() => 0n);
  if (sum === 0n) throw new RangeError(`weights sum to 0; one must be above 0 to receive ${total}`);

  const parts = weights.map((weight) => (total * weight) / sum);
  const left = total - parts.reduce((a, b) => a + b, 0n);
  const byRemainder = weights
    .map((weight, index) => ({ index, remainder: (total * weight) % sum }))
    .sort((a, b) => (a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1));
  // There are fewer remaining units than parts with a remainder, because each part lost less than one unit.
  for (const { index } of byRemainder.slice(0, Number(left))) parts[index] = (parts[index] ?? 0n) + 1n;
  return parts;
}

/**
 * Divides the amount taken from the token storage.
 *
 * @param hasHolders without holders, the creator gets their part
 * @throws RangeError for shares that are negative or sum to more than 10,000 basis points
 */
export function splitTokens(taken: bigint, shares: Shares, hasHolders: boolean): Parts {
  const { burnBps, holdersBps, lpBps } = shares;
  const weights = [burnBps, holdersBps, lpBps].map(BigInt);
  const creatorBps = BPS - weights.reduce((a, b) => a + b, 0n);
  const [burn = 0n, holders = 0n, lp = 0n, creator = 0n] = divideByLargestRemainder(taken, [
    ...weights,
    creatorBps,
  ]);
  return hasHolders ? { burn, holders, lp, creator } : { burn, holders: 0n, lp, creator: creator + holders };
}

/**
 * Divides the amount taken from the WSOL storage in the same way. The burn share goes to the creator, because SOL is never
 * burned.
 */
export function splitSol(taken: bigint, shares: Shares, hasHolders: boolean): Parts {
  const parts = splitTokens(taken, shares, hasHolders);
  return { ...parts, burn: 0n, creator: parts.creator + parts.burn };
}
