// Reads a wallet's SOL, and its tokens of one mint, with plain JSON-RPC, so that the header does not need Kit.
import { readRent } from '../chain/rent.js';
import { rpc, rpcUrlOf } from '../chain/rpc.js';
import { loaded } from '../load.js';
import type { MarketConfig } from '../market/types.js';
import type { Balances } from './balances.js';

interface TokenAccounts {
  readonly value: readonly {
    readonly pubkey: string;
    readonly account: {
      readonly data: {
        readonly parsed: { readonly info: { readonly tokenAmount: { readonly amount: string } } };
      };
    };
  }[];
}

/** @throws Error when the node does not answer */
export async function readBalances(
  config: MarketConfig,
  address: string,
  mint: string | undefined,
): Promise<Balances> {
  const url = rpcUrlOf(config);
  const [lamports, units, rent] = await Promise.all([
    rpc<{ value: number }>(url, 'getBalance', [address, { commitment: 'confirmed' }]),
    mint === undefined ? undefined : readUnits(url, address, mint),
    readRent(config),
  ]);
  const tokens = new Map(mint === undefined || units === undefined ? [] : [[mint, units]]);
  return { sol: BigInt(lamports.value), tokens, mint, rent };
}

/** Undefined without an associated account. */
async function readUnits(url: string, address: string, mint: string): Promise<bigint | undefined> {
  const { value } = await rpc<TokenAccounts>(url, 'getTokenAccountsByOwner', [
    address,
    { mint },
    { encoding: 'jsonParsed', commitment: 'confirmed' },
  ]);
  if (value.length === 0) return undefined;
  const { associatedAccount } = await loaded(() => import('../chain/connection.js'));
  const associated = await associatedAccount(address, mint);
  const own = value.find(({ pubkey }) => pubkey === associated);
  return own && BigInt(own.account.data.parsed.info.tokenAmount.amount);
}
