// Compares a wallet's balances with those after a node's simulation of a transaction.
import { associatedTokenAddress } from '../accounts/addresses.js';
import type { AccountInfo, Connection, PublicKey, VersionedTransaction } from '../chain/types.js';
import { requireAccountKey } from '../checks/keys.js';
import { requireKnown } from '../checks/options.js';
import { tokensIn } from '../curve/limits.js';
import { InvalidArgumentError } from '../errors/index.js';
import { reading } from '../rpc/reading.js';
import { simulationError } from '../transactions/errors.js';
import { accountOf } from './guard.js';
import { PREVIEW_TERMS, type PreviewTerms } from './options.js';
import type { BalanceChange, TransactionPreview } from './result.js';

const COMMITMENT = 'confirmed';
/** Together with the wallet itself, the number of accounts that every node returns at once. */
const MOST_MINTS = 20;

/**
 * Simulates a transaction and returns the changes of a wallet's SOL and tokens. It sends nothing, and needs no
 * signature and no fresh blockhash. A node can lie, and the chain can change before the transaction lands, so still set
 * limits in what you sign.
 *
 * @throws InvalidArgumentError before any request
 * @throws RpcError; the signal's reason
 */
export async function previewTransaction(
  connection: Connection,
  transaction: VersionedTransaction,
  terms: PreviewTerms,
): Promise<TransactionPreview> {
  requireKnown('terms', terms, ...PREVIEW_TERMS);
  const { wallet, mints = [], deployment, ...options } = terms;
  requireAccountKey('wallet', wallet);
  requireMints(mints);
  if (typeof (Object(transaction) as Partial<VersionedTransaction>).serialize !== 'function')
    throw new InvalidArgumentError('transaction', 'must be a VersionedTransaction');
  const node = reading(connection, options);
  const owned = [wallet, ...mints.map((mint) => associatedTokenAddress(wallet, mint).address)];
  const touched = owned.filter((key) => canTouch(transaction, key)).map((key) => key.toBase58());
  const accounts = await node.getMultipleAccountsInfo(owned, COMMITMENT);
  const { context, value } = await node.simulateTransaction(transaction, {
    sigVerify: false,
    replaceRecentBlockhash: true,
    commitment: COMMITMENT,
    accounts: { encoding: 'base64', addresses: touched },
  });
  const error = simulationError(value, { instructions: transaction, deployment });
  const afterwards = new Map(touched.map((address, index) => [address, value.accounts?.[index] ?? null]));
  const change = (
    index: number,
    amountIn: (account: AccountInfo<Uint8Array> | null) => bigint,
  ): BalanceChange => {
    const before = amountIn(accounts[index] ?? null);
    const simulated = afterwards.get(owned[index]!.toBase58());
    const isUntouched = error !== null || simulated === undefined;
    return { before, after: isUntouched ? before : amountIn(accountOf(simulated)) };
  };
  return {
    error,
    computeUnits: value.unitsConsumed ?? 0,
    slot: context.slot,
    sol: change(0, (account) => BigInt(account?.lamports ?? 0)),
    tokens: mints.map((mint, index) => ({
      mint,
      ...change(index + 1, (account) => tokensIn(account) ?? 0n),
    })),
  };
}

/** A node returns no more accounts than the transaction has. */
function canTouch({ message }: VersionedTransaction, key: PublicKey): boolean {
  return (
    message.addressTableLookups.length > 0 || message.staticAccountKeys.some((account) => account.equals(key))
  );
}

function requireMints(mints: readonly PublicKey[]): void {
  const given: unknown = mints;
  if (!Array.isArray(given)) throw new InvalidArgumentError('mints', 'must be a list of mints');
  if (mints.length > MOST_MINTS)
    throw new InvalidArgumentError(
      'mints',
      `has ${mints.length} mints; at most ${MOST_MINTS} fit one request`,
    );
  for (const [index, mint] of mints.entries()) requireAccountKey(`mints[${index}]`, mint);
}
