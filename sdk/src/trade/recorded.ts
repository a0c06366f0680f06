// A wallet's trade on the curve, as the program has logged it. Apart from trades, because a launch needs no pools.
import type { Deployment } from '../accounts/deployment.js';
import type { PublicKey } from '../chain/types.js';
import { IncompleteTransactionError } from '../errors/index.js';
import { decodeRecords } from '../records/decode.js';
import type { ConfirmedTransaction } from '../records/transaction.js';
import type { TradeResult } from './result.js';

export type Traded = Pick<
  TradeResult,
  'venue' | 'solAmount' | 'tokenAmount' | 'platformFee' | 'record' | 'swap'
>;

/** The program's log record of a wallet's trade. */
export function recordOf(
  transaction: ConfirmedTransaction,
  mint: PublicKey,
  wallet: PublicKey,
  deployment: Deployment,
): Traded {
  for (const record of decodeRecords(transaction, { deployment })) {
    if (record.kind !== 'trade' || !record.data.mint.equals(mint) || !record.data.trader.equals(wallet))
      continue;
    const { solAmount, tokenAmount, fee: platformFee } = record.data;
    return { venue: 'curve', solAmount, tokenAmount, platformFee, record: record.data, swap: undefined };
  }
  throw tradeMissing(transaction);
}

export function tradeMissing({ transaction }: ConfirmedTransaction): IncompleteTransactionError {
  return new IncompleteTransactionError(
    transaction.signatures[0] ?? '',
    'the transaction landed, but this RPC node returned no trade for it; look it up on another node',
  );
}
