import type { PublicKey } from '@solana/web3.js';
import { httpFetch } from '#testing/http-fetch.js';

/**
 * Lamports of a transaction's accounts before and after it. web3.js reads them as numbers, which are exact only up to
 * 2^53.
 */
export class ExactBalances {
  constructor(
    private readonly accounts: readonly string[],
    private readonly before: readonly (number | string)[],
    private readonly after: readonly (number | string)[],
    /** The transaction fee in lamports. */
    readonly fee: bigint,
  ) {}

  /** The lamports that an account gained; negative for a loss. */
  gain(account: PublicKey): bigint {
    const index = this.accounts.indexOf(account.toBase58());
    if (index === -1) throw new Error(`${account.toBase58()} is no account of the transaction`);
    return BigInt(this.after[index] ?? 0) - BigInt(this.before[index] ?? 0);
  }
}

interface TransactionAnswer {
  readonly result: {
    readonly transaction: { readonly message: { readonly accountKeys: readonly string[] } };
    readonly meta: {
      readonly fee: number;
      readonly preBalances: readonly (number | string)[];
      readonly postBalances: readonly (number | string)[];
    };
  };
}

/** Integers of 16 or more digits outside strings, as balances are. */
const LONG_INTEGERS = /(?<=[[,:])\d{16,}(?=[\],}])/g;

/** Reads the balances around a confirmed transaction that uses no lookup tables. */
export async function readExactBalances(rpcUrl: string, signature: string): Promise<ExactBalances> {
  const options = { encoding: 'json', commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
  const response = await httpFetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getTransaction', params: [signature, options] }),
  });
  const text = (await response.text()).replace(LONG_INTEGERS, '"$&"');
  const { transaction, meta } = (JSON.parse(text) as TransactionAnswer).result;
  return new ExactBalances(
    transaction.message.accountKeys,
    meta.preBalances,
    meta.postBalances,
    BigInt(meta.fee),
  );
}
