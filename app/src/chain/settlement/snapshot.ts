// Takes the snapshot of a token's holders into the database.
import { PublicKey } from '@solana/web3.js';
import type { Context } from '../../context.js';
import { SettlementError } from './errors.js';
import { readHoldings } from './holders.js';
import { addHoldings, removeHolders, snapshotTotals, type SettledToken } from './repository.js';

/**
 * Wallets that hold tokens without being holders: the curve with its vault, the platform's own wallets (the DEX owner has
 * the storages, the fee receiver what migrations moved), and what is configured.
 */
export function excludedWallets(
  { config, deployment }: Pick<Context, 'config' | 'deployment'>,
  token: Pick<SettledToken, 'curve'>,
): string[] {
  const platform = [
    config.treasury?.publicKey,
    config.settlement.lpAddress,
    ...config.settlement.excludedHolders,
  ];
  const keys = [deployment.dexOwner, deployment.feeReceiver, ...platform];
  return [token.curve, ...keys.flatMap((key) => (key === undefined ? [] : [key.toBase58()]))];
}

/** What a snapshot says. */
export interface Snapshot {
  /** Finalized slot. */
  readonly slot: number;
  readonly holders: number;
}

/**
 * Fills the snapshot of a settlement that has just begun.
 *
 * @param minContextSlot balances of an earlier slot are refused
 * @throws NodeError when the node breaks off; the settlement is then to be abandoned
 * @throws SettlementError when another process has abandoned it
 */
export async function takeSnapshot(
  context: Context,
  settlementId: number,
  token: SettledToken,
  { minContextSlot, signal }: { readonly minContextSlot: number; readonly signal: AbortSignal },
): Promise<Snapshot> {
  const { database, config } = context;
  const batches = readHoldings({
    rpcUrl: config.rpcUrl,
    mint: new PublicKey(token.mint),
    minContextSlot,
    signal,
  });
  let slot: number;
  for (;;) {
    const next = await batches.next();
    if (next.done === true) {
      slot = next.value;
      break;
    }
    if (!(await addHoldings(database.queries, settlementId, next.value))) {
      throw new SettlementError(
        `another process has taken over the settlement of ${token.mint}; try again later`,
      );
    }
  }
  await removeHolders(database.queries, settlementId, excludedWallets(context, token));
  const { holders } = await snapshotTotals(database.queries, settlementId);
  return { slot, holders };
}
