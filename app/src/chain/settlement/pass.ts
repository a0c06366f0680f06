// Looks at the storages of every token, or of one, and settles what is due.
import type { Context } from '../../context.js';
import { shownMessage } from '../../logged-error.js';
import { askNode } from '../ask-node.js';
import { openPayments } from '../payments/open-payments.js';
import { BusyError, NO_KEY, SettlementError } from './errors.js';
import { mintsWithOpenSettlement, tokenOf, tokensAfter, type SettledToken } from './repository.js';
import { settleToken, type SettlementReport, type SettleOptions } from './settle.js';
import { readStorages, STORAGES_PER_REQUEST, type Storages } from './storages.js';

/** The lease of whoever settles: the service's job or an operator's command. */
const LEASE = 'settling';

/**
 * Settles one token.
 *
 * @throws SettlementError for an unknown token, without the DEX owner's key, and while another process settles
 */
export function settleOne(context: Context, mint: string, options: SettleOptions): Promise<SettlementReport> {
  return alone(context, options, async (options) => {
    const token = await tokenOf(context.database.queries, mint);
    if (token === undefined) {
      throw new SettlementError(
        `${mint} is no token of this launchpad as far as it is indexed; check the address, or wait for the indexer`,
      );
    }
    const [report] = await settleSome(context, [token], options);
    return report ?? { mint, outcome: 'nothing', problems: [] };
  });
}

/**
 * Settles every token. One that fails does not keep the others from theirs.
 *
 * @returns a report of each token that had something to settle
 * @throws SettlementError without the DEX owner's key, and while another process settles; NodeError when the node is away
 */
export function settleAll(context: Context, options: SettleOptions): Promise<SettlementReport[]> {
  return alone(context, options, async (options) => {
    const { queries } = context.database;
    const reports: SettlementReport[] = [];
    const add = (found: readonly SettlementReport[]) =>
      reports.push(...found.filter(({ outcome }) => outcome !== 'nothing'));
    // What a crash left open comes first.
    for (const mint of await mintsWithOpenSettlement(queries)) {
      const token = await tokenOf(queries, mint);
      if (token !== undefined) add(await settleSome(context, [token], options));
    }
    let after = '';
    for (;;) {
      options.signal.throwIfAborted();
      const tokens = await tokensAfter(queries, after, STORAGES_PER_REQUEST);
      add(await settleSome(context, tokens, options));
      after = tokens.at(-1)?.mint ?? '';
      if (tokens.length < STORAGES_PER_REQUEST) return reports;
    }
  });
}

/** What holds less than the minimum is left alone, unless a settlement of it is under way. */
async function settleSome(
  context: Context,
  tokens: readonly SettledToken[],
  options: SettleOptions,
): Promise<SettlementReport[]> {
  const { connection, deployment, database, logger } = context;
  if (tokens.length === 0) return [];
  const mints = tokens.map(({ mint }) => mint);
  const open = new Set(await mintsWithOpenSettlement(database.queries, mints));
  const found = await askNode(readStorages(connection, deployment, mints));
  const reports: SettlementReport[] = [];
  for (const [index, token] of tokens.entries()) {
    const read = found[index];
    if (read === undefined) continue;
    if ('problem' in read) {
      reports.push({ mint: token.mint, outcome: 'waiting', problems: [read.problem] });
      continue;
    }
    if (!open.has(token.mint) && !isDue(read.storages, context)) continue;
    try {
      reports.push(await settleToken(context, token, read.storages, options));
    } catch (error) {
      options.signal.throwIfAborted();
      if (error instanceof SettlementError) throw error;
      logger.error(
        { err: error, mint: token.mint },
        'the settlement was interrupted and is taken up again later',
      );
      const problem = `interrupted (${shownMessage(error)}); it is taken up again by the next run`;
      reports.push({ mint: token.mint, outcome: 'waiting', problems: [problem] });
    }
  }
  return reports;
}

function isDue({ sol, token }: Storages, { config: { settlement } }: Context): boolean {
  const reaches = (held: bigint, minimum: bigint) => held > 0n && held >= minimum;
  return reaches(sol, settlement.minimumSol) || reaches(token, settlement.minimumToken);
}

/**
 * One process settles at a time; the steps in the database would keep two from paying twice, but not from waiting in vain.
 * Who has lost the lease stops at the next step: what it knows may be old.
 */
async function alone<T>(
  context: Context,
  options: SettleOptions,
  work: (options: SettleOptions) => Promise<T>,
): Promise<T> {
  const { database, config } = context;
  if (config.dexOwner === undefined) throw new SettlementError(NO_KEY);
  const lease = await database.tryLead(LEASE);
  if (lease === undefined)
    throw new BusyError('another process settles right now; try again when it is done');
  try {
    await openPayments(context, AbortSignal.any([options.signal, lease.lost]));
    return await work({ ...options, signal: AbortSignal.any([options.signal, lease.lost]) });
  } catch (cause) {
    if (!lease.lost.aborted || options.signal.aborted) throw cause;
    throw new SettlementError(
      'the connection to the database broke, and another process may settle now; what is open is finished by the next run',
      { cause },
    );
  } finally {
    await lease.release();
  }
}
