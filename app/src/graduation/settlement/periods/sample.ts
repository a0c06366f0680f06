// Takes one sample of a token's holders into the database.
import { PublicKey } from '@solana/web3.js';
import { AMM, poolAddress } from '@curvekit/sdk';
import type { Context } from '../../../context.js';
import { SettlementError } from '../errors.js';
import { readHoldings, type Holding } from './holders.js';
import type { SettledToken } from './tokens-repository.js';
import { addToSample, beginSample, finishSample } from './samples-repository.js';

/**
 * Wallets that do not count as holders: the curve with its vault, the AMM with its pools' vaults, the platform's own
 * wallets (the DEX owner has the storages, the fee receiver has migrated funds), and configured addresses.
 */
export function excludedWallets(
  { config, deployment }: Context,
  token: Pick<SettledToken, 'curve' | 'mint'>,
): string[] {
  const platform = [
    config.treasury?.publicKey,
    config.settlement.lpAddress,
    ...config.settlement.excludedHolders,
  ];
  const mint = new PublicKey(token.mint);
  const { authority } = AMM.addresses(poolAddress(mint, deployment).address, mint);
  const keys = [deployment.dexOwner, deployment.feeReceiver, authority, ...platform];
  return [token.curve, ...keys.flatMap((key) => (key === undefined ? [] : [key.toBase58()]))];
}

export interface SampleOrder {
  readonly settlementId: number;
  readonly mint: string;
  readonly index: number;
  /** Balances of an earlier slot are refused. */
  readonly minContextSlot: number;
  readonly signal: AbortSignal;
}

/**
 * Reads all holders at the newest finalized slot and adds them to the period.
 *
 * @returns that slot; undefined when another process has taken the sample or ended the period
 * @throws NodeError when the RPC node fails; then the partial sample does not count
 */
export async function takeSample(
  { database, config, now }: Context,
  { settlementId, mint, index, minContextSlot, signal }: SampleOrder,
): Promise<number | undefined> {
  const id = await database.transaction((tx) => beginSample(tx, settlementId, index, new Date(now())));
  if (id === undefined) return undefined;
  const batches = readHoldings({ rpcUrl: config.rpcUrl, mint: new PublicKey(mint), minContextSlot, signal });
  const store = async (chunk: number, holdings: readonly Holding[]) => {
    if (await database.transaction((tx) => addToSample(tx, id, chunk, holdings))) return;
    throw new SettlementError(`another process has taken over the settlement of ${mint}; try again later`);
  };
  let storing = Promise.resolve();
  for (let chunk = 0; ; chunk += 1) {
    // The next batch is read while this one is stored.
    const [next] = await Promise.all([batches.next(), storing]);
    signal.throwIfAborted();
    if (next.done === true) {
      const slot = next.value;
      const finished = await database.transaction((tx) => finishSample(tx, { id, settlementId, slot }));
      return finished ? slot : undefined;
    }
    storing = store(chunk, next.value);
  }
}
