// Settlements that the chain knows and the database lost, such as by a restore: they were paid, so nothing is taken or signed
// again. Whom to credit is lost: a period of its own samples the holders anew, and exactly the paid amounts are credited.
import type { Context } from '../../context.js';
import { askNode } from '../ask-node.js';
import { newSeed, SAMPLES } from './moments.js';
import { beginSettlement, type SettledToken } from './repository.js';

/** What a transaction on chain has paid. Lamports and token units. */
export interface PaidSettlement {
  /** Of the finalized transaction. */
  readonly signature: string;
  readonly treasury: string | null;
  readonly lp: string | null;
  readonly sol: PaidParts;
  readonly token: PaidParts & { readonly burned: bigint };
}

/** The parts; the treasury received `holders` and `creatorCredited`. */
export interface PaidParts {
  readonly holders: bigint;
  readonly lp: bigint;
  /** The creator's whole part, with what is credited of it. */
  readonly creator: bigint;
  readonly creatorCredited: bigint;
}

/**
 * Begins the period of a settlement that was found paid on chain. Whoever settles drives it like any other; at its end the
 * holders' parts and what is the creator's are credited.
 *
 * @returns its id; undefined when that transaction is booked or being booked already
 */
export async function beginRecovered(
  { database, connection, now }: Context,
  token: SettledToken,
  { signature, treasury, lp, sol, token: units }: PaidSettlement,
  periodMs: number,
): Promise<number | undefined> {
  const samples = sol.holders + units.holders > 0n ? SAMPLES : 0;
  const startedSlot = await askNode(connection.getSlot('finalized'));
  const beginning = {
    mint: token.mint,
    creator: token.creator,
    seed: samples > 0 ? newSeed() : null,
    startedAt: new Date(now()),
    startedSlot,
    periodMs: samples > 0 ? periodMs : 0,
    samples,
    value: sol.holders,
  };
  const paid = {
    recoveredSignature: signature,
    treasury,
    lp,
    sol: sol.holders + sol.lp + sol.creator,
    solHolders: sol.holders,
    solLp: sol.lp,
    solCreator: sol.creator,
    solCreatorCredited: sol.creatorCredited,
    token: units.burned + units.holders + units.lp + units.creator,
    tokenBurned: units.burned,
    tokenHolders: units.holders,
    tokenLp: units.lp,
    tokenCreator: units.creator,
    tokenCreatorCredited: units.creatorCredited,
  };
  return database.transaction((tx) => beginSettlement(tx, beginning, paid));
}
