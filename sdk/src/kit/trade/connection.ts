// Presents Kit's RPC client as the Connection that the core uses: the same requests, with numbers instead of bigints
// and with web3.js's errors.
import type {
  GetBlockApi,
  GetBlockHeightApi,
  GetEpochInfoApi,
  GetFirstAvailableBlockApi,
  GetLatestBlockhashApi,
  GetMinimumBalanceForRentExemptionApi,
  GetMultipleAccountsApi,
  GetRecentPrioritizationFeesApi,
  GetSignatureStatusesApi,
  GetTransactionApi,
  Rpc,
  SendTransactionApi,
  SimulateTransactionApi,
} from '@solana/kit';
import type { PublicKey } from '../../chain/keys.js';
import type { Connection } from '../../chain/types.js';
import { encodeBase64 } from '../../encoding/base64.js';
import { readerOf, withBigSlot } from '../rpc/reader.js';
import { requestsOf } from '../rpc/requests.js';

/** An RPC client that sends and tracks transactions, for example `createSolanaRpc(url)`. */
export type SendingRpc = Rpc<
  GetBlockApi &
    GetBlockHeightApi &
    GetEpochInfoApi &
    GetFirstAvailableBlockApi &
    GetSignatureStatusesApi &
    GetTransactionApi &
    SendTransactionApi
>;

/** An RPC client with the requests of a trade, for example `createSolanaRpc(url)`. */
export type TradeRpc = SendingRpc &
  Rpc<
    GetLatestBlockhashApi &
      GetMinimumBalanceForRentExemptionApi &
      GetMultipleAccountsApi &
      GetRecentPrioritizationFeesApi &
      SimulateTransactionApi
  >;

type Config = Readonly<Record<string, unknown>>;

/** @param rpc a client with the required requests; the types of the public functions list them */
export function connectionOf(rpc: Rpc<SendTransactionApi>): Connection {
  const { ask, rpcRequest } = requestsOf(rpc);
  return {
    ...readerOf(rpc as unknown as TradeRpc),
    getBlock: (slot: number, config: Config) => ask('getBlock', BigInt(slot), config),
    getBlockHeight: (commitment: string) => ask('getBlockHeight', { commitment }),
    getEpochInfo: (commitment: string) => ask('getEpochInfo', { commitment }),
    getFirstAvailableBlock: () => ask('getFirstAvailableBlock'),
    getLatestBlockhashAndContext: (commitment: string) => ask('getLatestBlockhash', { commitment }),
    getRecentPrioritizationFees: ({ lockedWritableAccounts }: { lockedWritableAccounts: PublicKey[] }) =>
      ask(
        'getRecentPrioritizationFees',
        lockedWritableAccounts.map((key) => key.toBase58()),
      ),
    getSignatureStatuses: (signatures: string[], config?: Config) =>
      ask('getSignatureStatuses', signatures, config),
    getSignaturesForAddress: (key: PublicKey, { minContextSlot, ...config }: Config, commitment: string) =>
      ask('getSignaturesForAddress', key.toBase58(), {
        ...config,
        commitment,
        ...(minContextSlot === undefined ? {} : { minContextSlot: BigInt(minContextSlot as number) }),
      }),
    sendRawTransaction: (bytes: Uint8Array, config: Config) =>
      ask('sendTransaction', encodeBase64(bytes), {
        ...withBigSlot(config),
        encoding: 'base64',
        maxRetries: 0n,
      }),
    simulateTransaction: (transaction: { serialize(): Uint8Array }, config: Config) =>
      ask('simulateTransaction', encodeBase64(transaction.serialize()), {
        ...withBigSlot(config),
        encoding: 'base64',
      }),
    _rpcRequest: rpcRequest,
  } as unknown as Connection;
}
