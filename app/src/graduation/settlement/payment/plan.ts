// Plans a settlement: how much each recipient gets. A pure function of its parameters.
import type { Recipient, Recipients } from './recipients.js';
import { splitSol, splitTokens, type Parts, type Shares } from './split.js';

/** One side of a settlement: the amount taken from one storage and its parts, in lamports or token units. */
export interface Side {
  readonly taken: bigint;
  /** Their sum is `taken`. */
  readonly parts: Parts;
  /** The creator's part if it is credited instead (then it goes to the treasury); otherwise 0. */
  readonly creatorCredited: bigint;
}

/** Amounts that a settlement takes and pays. A storage with amount 0 is not touched. */
export interface Plan {
  readonly sol: Side;
  readonly token: Side;
  /** Whether the transaction opens the creator's token account. */
  readonly opensCreatorAccount: boolean;
  /** Why a due storage is not settled, and what to do. */
  readonly waiting: readonly string[];
}

export interface PlanFacts {
  /** Lamports and token units in the storages. */
  readonly holds: { readonly sol: bigint; readonly token: bigint };
  /** Smaller amounts are not taken. */
  readonly minimum: { readonly sol: bigint; readonly token: bigint };
  readonly shares: Shares;
  readonly hasHolders: boolean;
  readonly recipients: Recipients;
  /** Whether the service may pay for the creator's token account. */
  readonly mayOpenCreatorAccount: boolean;
  /** Rent-exempt minimum of an empty account, in lamports. */
  readonly rentMinimum: bigint;
}

const NOTHING: Side = {
  taken: 0n,
  parts: { burn: 0n, holders: 0n, lp: 0n, creator: 0n },
  creatorCredited: 0n,
};

/** Decides the amounts to take and their parts. */
export function planSettlement(facts: PlanFacts): Plan {
  const { holds, minimum, shares, hasHolders } = facts;
  const waiting = new Set<string>();
  const side = (taken: bigint, least: bigint, split: typeof splitSol, deliver: typeof deliverSol): Side => {
    if (taken === 0n || taken < least) return NOTHING;
    const parts = split(taken, shares, hasHolders);
    const { creatorCredited, problem } = deliver(parts, facts);
    if (problem === undefined) return { taken, parts, creatorCredited };
    waiting.add(problem);
    return NOTHING;
  };
  const token = side(holds.token, minimum.token, splitTokens, deliverTokens);
  return {
    sol: side(holds.sol, minimum.sol, splitSol, deliverSol),
    token,
    opensCreatorAccount:
      token.parts.creator > token.creatorCredited && facts.recipients.creator.tokenAccount === 'missing',
    waiting: [...waiting],
  };
}

export function isEmpty({ sol, token }: Pick<Plan, 'sol' | 'token'>): boolean {
  return sol.taken === 0n && token.taken === 0n;
}

interface Delivery {
  readonly creatorCredited: bigint;
  readonly problem?: string | undefined;
}

/** A transfer fails if it would leave its recipient below rent exemption, and then the whole transaction fails. */
function deliverSol(parts: Parts, { recipients, rentMinimum }: PlanFacts): Delivery {
  const { treasury, lp, creator } = recipients;
  const bears = (recipient: Recipient | undefined, amount: bigint) =>
    amount === 0n || recipient === undefined || recipient.lamports + amount >= rentMinimum;
  const creatorCredited = bears(creator, parts.creator) ? 0n : parts.creator;
  const treasuryPart = parts.holders + creatorCredited;
  const problem =
    missing(treasury, treasuryPart, lp, parts.lp) ??
    (bears(treasury, treasuryPart) ? undefined : tooPoor('the treasury', treasury, rentMinimum)) ??
    (bears(lp, parts.lp) ? undefined : tooPoor('the LP address', lp, rentMinimum));
  return { creatorCredited, problem };
}

/**
 * The service pays for the creator's account only once. Otherwise a creator could close it for its rent after each
 * settlement.
 */
function deliverTokens(parts: Parts, { recipients, mayOpenCreatorAccount }: PlanFacts): Delivery {
  const { treasury, lp, creator } = recipients;
  const receives =
    creator.tokenAccount === 'open' || (creator.tokenAccount === 'missing' && mayOpenCreatorAccount);
  const creatorCredited = receives ? 0n : parts.creator;
  const treasuryPart = parts.holders + creatorCredited;
  const problem =
    missing(treasury, treasuryPart, lp, parts.lp) ??
    foreign('treasury', treasury, treasuryPart) ??
    foreign('LP address', lp, parts.lp);
  return { creatorCredited, problem };
}

function missing(
  treasury: Recipient | undefined,
  treasuryPart: bigint,
  lp: Recipient | undefined,
  lpPart: bigint,
): string | undefined {
  if (treasuryPart > 0n && treasury === undefined) return 'the treasury has no key: set TREASURY_KEYPAIR';
  if (lpPart > 0n && lp === undefined) return 'its liquidity share has no recipient: set LP_ADDRESS';
  return undefined;
}

function tooPoor(name: string, recipient: Recipient | undefined, rentMinimum: bigint): string {
  return `${name} ${recipient?.address.toBase58() ?? ''} holds less than ${rentMinimum} lamports and can't receive a small part: fund it`;
}

function foreign(name: string, recipient: Recipient | undefined, amount: bigint): string | undefined {
  if (amount === 0n || recipient?.tokenAccount !== 'foreign') return undefined;
  return `the token account of the ${name} ${recipient.address.toBase58()} belongs to somebody else: take it back`;
}
