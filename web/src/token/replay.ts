// Replays a curve's trades with the program's own maths, and compares the result with what the chain holds.
import { buyExactIn, sellExactIn } from '@curvekit/sdk/quotes';
import type { Trade } from '../market/types.js';

export interface Reserves {
  readonly virtualSol: bigint;
  readonly virtualToken: bigint;
}

/** The curve's account. */
export interface OnChain extends Reserves {
  readonly slot: number;
  readonly isSoldOut: boolean;
}

export interface Listed {
  /** On the curve, oldest first. */
  readonly trades: readonly Trade[];
  readonly hasFirst: boolean;
  readonly hasNewest: boolean;
}

export interface Launch {
  /** With which curves begin today. */
  readonly today: Reserves;
  /** With which this one began, as the service says. */
  readonly virtualToken: bigint;
}

export type Verdict =
  /** The first `trades` lead to what the chain holds. `newer` ones are of later slots. */
  | {
      readonly is: 'same';
      readonly trades: number;
      readonly newer: number;
      /** Whether the first one begins with the reserves of today's launches. */
      readonly launchKnown: boolean;
    }
  /** The list was not read to the newest trade. What was read follows. */
  | { readonly is: 'partly'; readonly trades: number }
  /** A trade does not follow from the one before it, or follows and the chain does not have it. `number`: from 1. */
  | { readonly is: 'parts' | 'unheld'; readonly number: number; readonly signature: string }
  /** No trade leads to what the chain holds. */
  | { readonly is: 'elsewhere'; readonly trades: number };

export function compare({ trades, hasFirst, hasNewest }: Listed, chain: OnChain, launch: Launch): Verdict {
  const [first] = trades;
  const start = first === undefined ? untraded(chain, launch) : before(first);
  if (first !== undefined && hasFirst && start.virtualToken !== launch.virtualToken)
    return { is: 'parts', number: 1, signature: first.signature };
  const states = [start];
  for (const [index, trade] of trades.entries()) {
    const next = after(states[index]!, trade);
    if (next === undefined) return { is: 'parts', number: index + 1, signature: trade.signature };
    states.push(next);
  }
  const count = trades.length;
  if (!hasNewest) return { is: 'partly', trades: count };
  const held = states.findLastIndex((state) => equal(state, chain));
  const isSoldOut = trades[held - 1]?.graduated ?? false;
  if (held === -1 || isSoldOut !== chain.isSoldOut) return { is: 'elsewhere', trades: count };
  const missing = trades[held];
  // A node that has passed the slot knows its trades.
  if (missing !== undefined && missing.slot < chain.slot)
    return { is: 'unheld', number: held + 1, signature: missing.signature };
  return {
    is: 'same',
    trades: held,
    newer: count - held,
    launchKnown: !hasFirst || equal(start, launch.today),
  };
}

/** The settings can have changed since the launch. Then only the chain tells how much SOL the curve began with. */
function untraded(chain: Reserves, { today, virtualToken }: Launch): Reserves {
  return chain.virtualToken === virtualToken ? chain : today;
}

function equal(one: Reserves, other: Reserves): boolean {
  return one.virtualSol === other.virtualSol && one.virtualToken === other.virtualToken;
}

const reservesOf = (trade: Trade): Reserves => ({
  virtualSol: BigInt(trade.virtualSol),
  virtualToken: BigInt(trade.virtualToken),
});

/** Lamports that a trade moved into the curve or out of it. */
function moved({ isBuy, solAmount, fee }: Trade): bigint {
  return isBuy ? BigInt(solAmount) - BigInt(fee) : BigInt(solAmount) + BigInt(fee);
}

function before(trade: Trade): Reserves {
  const { virtualSol, virtualToken } = reservesOf(trade);
  const [sol, token] = [moved(trade), BigInt(trade.tokenAmount)];
  return trade.isBuy
    ? { virtualSol: virtualSol - sol, virtualToken: virtualToken + token }
    : { virtualSol: virtualSol + sol, virtualToken: virtualToken - token };
}

/** Undefined when the program makes another trade of these reserves. */
function after({ virtualSol, virtualToken }: Reserves, trade: Trade): Reserves | undefined {
  const [sol, token] = [moved(trade), BigInt(trade.tokenAmount)];
  const listed = reservesOf(trade);
  try {
    // Without the fee, whose rate can have been another one at the time.
    const made = trade.isBuy
      ? buyExactIn(virtualSol, virtualToken, 0n, sol)
      : sellExactIn(virtualSol, virtualToken, 0n, token);
    const isSame =
      'net' in made
        ? made.net === sol && made.tokenOut === token && made.graduates === trade.graduated
        : made.gross === sol && !trade.graduated;
    return isSame && equal(made, listed) ? listed : undefined;
  } catch {
    // Amounts that the program refuses.
    return undefined;
  }
}

/** How many trades paid another fee than `feeBps`, rounded up. */
export function otherFees(trades: readonly Trade[], feeBps: number): number {
  return trades.filter((trade) => {
    const gross = trade.isBuy ? BigInt(trade.solAmount) : moved(trade);
    return BigInt(trade.fee) !== (gross * BigInt(feeBps) + 9_999n) / 10_000n;
  }).length;
}
