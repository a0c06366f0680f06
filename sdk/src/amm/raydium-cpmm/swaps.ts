// Reads the swaps of one pool from transactions. The amounts come from the two transfers of a swap, which every RPC
// node returns. The log, which any program in the transaction can fill up, adds only the reserves before the swap.
import type { PublicKey } from '../../chain/types.js';
import { ByteReader, startsWith } from '../../codec/borsh.js';
import { TOKEN_PROGRAM_ADDRESS } from '../../generated/program.js';
import { addressText } from '../../records/address-text.js';
import {
  accountKeys,
  indexOfKey,
  invocationsOf,
  requireKeysOfEveryIndex,
  type Invocation,
} from '../../records/invocations.js';
import { loggedData } from '../../records/logs.js';
import type { ConfirmedTransaction, TransactionMeta } from '../../records/transaction.js';
import type { PoolAddresses } from '../amm.js';
import type { PoolReserves, PoolSide, PoolSwap } from '../trade.js';
import { PROGRAM_ID } from './addresses.js';

const SWAPS: readonly Uint8Array[] = /* @__PURE__ */ [
  /* @__PURE__ */ Uint8Array.from([143, 190, 90, 218, 196, 30, 51, 222]), // swap_base_input
  /* @__PURE__ */ Uint8Array.from([55, 217, 98, 86, 163, 74, 180, 173]), // swap_base_output
];
const TRADER = 0;
const POOL = 3;
const INPUT_VAULT = 6;
const OUTPUT_VAULT = 7;

const SWAP_EVENT = /* @__PURE__ */ Uint8Array.from([64, 198, 205, 232, 38, 8, 113, 226]);
/** The reserves of input and output before the swap. They follow the discriminator and the pool's key. */
const EVENT_RESERVES = 40;
const EVENT_END = EVENT_RESERVES + 16;

const TRANSFER_CHECKED = 12;
/** Its 10 bytes in base58. The AMM adds nothing behind them; others could, to make a reader work. */
const LONGEST_TRANSFER = 14;
const TRANSFER_SOURCE = 0;
const TRANSFER_DESTINATION = 2;

/** @throws IncompleteTransactionError when the node's answer lacks the inner instructions or the keys from lookup tables */
export function swaps(transaction: ConfirmedTransaction, addresses: PoolAddresses): PoolSwap[] {
  const { meta } = transaction;
  if (meta === null || meta.err !== null) return [];
  const keys = accountKeys(transaction, meta);
  requireKeysOfEveryIndex(keys.length, transaction, meta, transaction.transaction.signatures[0] ?? '');
  const indexOf = (key: PublicKey) => indexOfKey(keys, key);
  const program = indexOf(PROGRAM_ID);
  if (program === -1) return [];

  const [pool, sol, token] = [
    indexOf(addresses.pool),
    indexOf(addresses.vaults.sol),
    indexOf(addresses.vaults.token),
  ];
  const calls = invocationsOf(transaction, meta, program);
  const isSwap = ({ accounts, data }: Invocation) =>
    accounts[POOL] === pool && SWAPS.some((discriminator) => startsWith(data, discriminator));
  if (!calls.some(isSwap)) return [];
  const transfers = invocationsOf(transaction, meta, indexOf(TOKEN_PROGRAM_ADDRESS), LONGEST_TRANSFER);
  const events = eventsOf(meta);
  return calls.flatMap((call, invocation) => {
    const { position, accounts } = call;
    const [paidTo, paidFrom] = [accounts[INPUT_VAULT], accounts[OUTPUT_VAULT]];
    if (!isSwap(call) || paidTo === undefined || paidFrom === undefined) return [];
    const input = paidTo === sol ? 'sol' : paidTo === token ? 'token' : undefined;
    const within = transfers.filter(
      (transfer) => transfer.position.outer === position.outer && transfer.position.inner > position.inner,
    );
    const amountIn = firstAmount(within, TRANSFER_DESTINATION, paidTo);
    const amountOut = firstAmount(within, TRANSFER_SOURCE, paidFrom);
    if (input === undefined || amountIn === undefined || amountOut === undefined) return [];
    const trader = keys[accounts[TRADER]!]!;
    const event = events.get(invocation);
    return {
      position,
      trader: typeof trader === 'string' ? trader : addressText(trader),
      input,
      amountIn,
      amountOut,
      reservesBefore: event && reservesOf(event, input),
    };
  });
}

/** The amount of the first transfer to or from an account. */
function firstAmount(transfers: readonly Invocation[], place: number, account: number): bigint | undefined {
  const found = transfers.find(
    ({ accounts, data }) => data[0] === TRANSFER_CHECKED && accounts[place] === account,
  );
  return found && new ByteReader(found.data, 1).u64();
}

/** The swap events in the log, by the invocation of the AMM that wrote them. */
function eventsOf({ logMessages }: TransactionMeta): Map<number, Uint8Array> {
  const logged = loggedData(logMessages ?? [], addressText(PROGRAM_ID)).filter(
    ({ bytes }) => startsWith(bytes, SWAP_EVENT) && bytes.length >= EVENT_END,
  );
  return new Map(logged.map(({ invocation, bytes }) => [invocation, bytes]));
}

function reservesOf(event: Uint8Array, input: PoolSide): PoolReserves {
  const reader = new ByteReader(event, EVENT_RESERVES);
  const [ofInput, ofOutput] = [reader.u64(), reader.u64()];
  return input === 'sol' ? { sol: ofInput, token: ofOutput } : { sol: ofOutput, token: ofInput };
}
