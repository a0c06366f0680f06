// Trades in the pools of graduated tokens. They are no records of the program: the AMM makes them.
import { DEFAULT_DEPLOYMENT } from '../accounts/deployment.js';
import * as AMM from '../amm/in-use.js';
import { PublicKey } from '../chain/keys.js';
import { requireKnown, type OptionNames } from '../checks/options.js';
import { NATIVE_MINT_ADDRESS } from '../generated/program.js';
import { graduatesByItself, poolAddress } from '../graduation/addresses.js';
import { addressText } from '../records/address-text.js';
import type { DecodeOptions } from '../records/decode.js';
import { accountKeys, indexOfKey } from '../records/invocations.js';
import { comparePositions } from '../records/order.js';
import type { RecordSource } from '../records/record.js';
import { requireTransaction } from '../records/require-transaction.js';
import type { ConfirmedTransaction } from '../records/transaction.js';

/** A trade in the pool of a graduated token. Lamports and smallest token units. */
export interface SwapRecord extends RecordSource {
  readonly kind: 'swap';
  readonly data: {
    readonly mint: PublicKey;
    readonly trader: PublicKey;
    readonly isBuy: boolean;
    /** What the buyer paid, the AMM's fee included, or the seller received. */
    readonly solAmount: bigint;
    readonly tokenAmount: bigint;
    /** Unix seconds of the block. Undefined when the node does not tell it, or tells a time before Solana existed. */
    readonly timestamp: bigint | undefined;
  };
}

export interface SwapOptions extends DecodeOptions {
  /** The tokens to look for. Default: those in the transaction's token balances. */
  readonly mints?: readonly PublicKey[] | undefined;
}

const SWAP_OPTIONS = { deployment: true, mints: true } as const satisfies OptionNames<SwapOptions>;

/**
 * A transaction's trades in the pools of tokens of one launchpad, in order. Empty for a failed transaction.
 *
 * @throws IncompleteTransactionError when the RPC node's answer lacks data that the trades are read from
 */
export function decodeSwaps(transaction: ConfirmedTransaction, options: SwapOptions = {}): SwapRecord[] {
  requireTransaction(transaction);
  requireKnown('options', options, SWAP_OPTIONS);
  const { deployment = DEFAULT_DEPLOYMENT, mints } = options;
  const { meta, slot } = transaction;
  if (meta === null || meta.err !== null || !graduatesByItself(deployment)) return [];
  // Cheaper than the addresses of each token's pool.
  if (indexOfKey(accountKeys(transaction, meta), AMM.programId) === -1) return [];
  const timestamp = blockTime(transaction as { readonly blockTime?: unknown });
  const [signature = ''] = transaction.transaction.signatures;
  const found = (mints ?? mintsIn(transaction)).flatMap((mint) =>
    AMM.swaps(transaction, AMM.addresses(poolAddress(mint, deployment).address, mint)).map(
      ({ position, trader, input, amountIn, amountOut }): SwapRecord => {
        const isBuy = input === 'sol';
        const [solAmount, tokenAmount] = isBuy ? [amountIn, amountOut] : [amountOut, amountIn];
        const data = { mint, trader: new PublicKey(trader), isBuy, solAmount, tokenAmount, timestamp };
        return { kind: 'swap', data, signature, slot, position };
      },
    ),
  );
  return found.sort(comparePositions);
}

/** The first block of mainnet, in March 2020. A plain Surfpool 1.5 tells a thousandth of the time: a day in January 1970. */
const FIRST_BLOCK_TIME = 1_584_368_940n;

function blockTime({ blockTime: told }: { readonly blockTime?: unknown }): bigint | undefined {
  // A bigint with Kit.
  if (typeof told !== 'number' && typeof told !== 'bigint') return undefined;
  const seconds = BigInt(told);
  return seconds < FIRST_BLOCK_TIME ? undefined : seconds;
}

/** Tokens that may have been swapped: those in the token balances. */
function mintsIn({ meta }: ConfirmedTransaction): PublicKey[] {
  // RPC nodes return the mint of each balance. The type leaves it out, because records do not need it.
  const balances = (meta?.preTokenBalances ?? []) as readonly { readonly mint?: unknown }[];
  const mints = new Set(balances.flatMap(({ mint }) => (typeof mint === 'string' ? [mint] : [])));
  mints.delete(addressText(NATIVE_MINT_ADDRESS));
  return [...mints].map((mint) => new PublicKey(mint));
}
