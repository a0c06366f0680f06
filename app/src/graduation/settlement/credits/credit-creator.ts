// Credits a creator whose account refuses the payment.
import type { Context } from '../../../context.js';
import { statesOf } from '../../../sending/history.js';
import {
  creditCreator,
  settlementOf,
  subjectOf,
  withCreatorCredited,
  type CreditedSides,
  type Settlement,
} from '../repository.js';
import { sign } from '../payment/sign.js';

const CREATOR_REFUSED: readonly CreditedSides[] = [
  { sol: false, token: true },
  { sol: true, token: false },
  { sol: true, token: true },
];

/**
 * A creator can close, empty or give away its accounts at any time. If only the creator's part makes the payment fail, this
 * credits the part instead, so that no creator can stop or delay a settlement.
 *
 * @returns the settlement with the new plan; undefined when the creator's part is not the cause
 */
export async function creditCreatorInstead(
  context: Context,
  settlement: Settlement,
  problem: string,
  signal: AbortSignal,
): Promise<Settlement | undefined> {
  const { config, database, logger } = context;
  const { id, mint, creator } = settlement;
  const treasury = settlement.treasury ?? config.treasury?.publicKey.toBase58();
  if (treasury === undefined) return undefined;
  const states = await statesOf(database.queries, subjectOf(id));
  const hasFailed = states.delete('failed');
  if (states.size > 0) return undefined;
  // A transaction that failed on chain had passed its simulation: the creator may open and close accounts repeatedly.
  for (const sides of hasFailed ? CREATOR_REFUSED.slice(-1) : CREATOR_REFUSED) {
    const changed = { ...withCreatorCredited(settlement, sides), treasury };
    const credits =
      changed.solCreatorCredited -
      settlement.solCreatorCredited +
      (changed.tokenCreatorCredited - settlement.tokenCreatorCredited);
    if (credits === 0n) continue;
    const signed = await sign(context, changed, subjectOf(id));
    signal.throwIfAborted();
    if ('problem' in signed) continue;
    if (!(await database.transaction((tx) => creditCreator(tx, settlement, sides, treasury))))
      return undefined;
    logger.warn(
      { mint, settlement: id, creator, problem, ...sides },
      "the creator's account cannot receive its part; the part is credited as a reward instead",
    );
    return settlementOf(database.queries, id);
  }
  return undefined;
}
