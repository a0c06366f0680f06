// Reads the effects of a landed transaction from the RPC node.
import type { Connection, PublicKey } from '../chain/types.js';
import { IncompleteTransactionError, UnreadableTransactionError } from '../errors/index.js';
import { askedOf, Requests } from '../landing/requests.js';
import { fetchTransaction } from '../records/fetch.js';
import { accountKeys, indexOfKey } from '../records/invocations.js';
import type { ConfirmedTransaction } from '../records/transaction.js';
import { Backoff } from '../time/backoff.js';
import type { SendingRules } from './options.js';

const LONGEST_MS = 30_000;
const PAUSES = { firstMs: 20, longestMs: 1_000 };

/** Fetches a landed transaction. It polls, because a node may have the status before it has the transaction. */
export async function readLanded(
  connection: Connection,
  signature: string,
  { commitment = 'confirmed', signal }: Pick<SendingRules, 'commitment' | 'signal'>,
): Promise<ConfirmedTransaction> {
  const requests = new Requests({ stallTimeoutMs: LONGEST_MS, failureTimeoutMs: LONGEST_MS }, signal);
  const pauses = new Backoff(PAUSES);
  try {
    for (;;) {
      const found = await requests.retry(
        () =>
          fetchTransaction(connection, signature, commitment, { retries: 0 }).catch((error: unknown) => {
            if (error instanceof UnreadableTransactionError) return error;
            throw error;
          }),
        undefined,
        askedOf(connection, 'getTransaction'),
      );
      if (found instanceof Error) throw found;
      if (found !== null) return found;
      await requests.pause(pauses.next());
    }
  } catch (error) {
    throw new IncompleteTransactionError(
      signature,
      `it has landed, but what it did cannot be read (${(error as Error).message}); do not sign another one, look its signature up`,
    );
  }
}

/** Lamports of the network fee, and the total change of the wallet's lamports. */
export function moneyOf(
  transaction: ConfirmedTransaction,
  wallet: PublicKey,
): { readonly networkFee: bigint; readonly walletChange: bigint } {
  const { meta } = transaction;
  const index = meta === null ? -1 : indexOfKey(accountKeys(transaction, meta), wallet);
  const [before, after] = [meta?.preBalances?.[index], meta?.postBalances?.[index]];
  if (meta?.fee === undefined || before === undefined || after === undefined) {
    throw new IncompleteTransactionError(
      transaction.transaction.signatures[0] ?? '',
      'the transaction landed, but this RPC node returned no fee and balances for it; look it up on another node',
    );
  }
  return { networkFee: BigInt(meta.fee), walletChange: BigInt(after) - BigInt(before) };
}
