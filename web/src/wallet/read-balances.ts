// Reads SOL and tokens of a wallet with plain JSON-RPC, so that the header does not need web3.js.
import { rpc, rpcUrlOf } from '../chain/rpc.js';
import type { MarketConfig } from '../market/types.js';
import type { Balances } from './balances.js';

interface TokenAccounts {
  readonly value: readonly {
    readonly account: {
      readonly data: {
        readonly parsed: {
          readonly info: { readonly mint: string; readonly tokenAmount: { readonly amount: string } };
        };
      };
    };
  }[];
}

const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';

/** @throws Error when the node does not answer */
export async function readBalances(config: MarketConfig, address: string): Promise<Balances> {
  const url = rpcUrlOf(config);
  const [lamports, held] = await Promise.all([
    rpc<{ value: number }>(url, 'getBalance', [address, { commitment: 'confirmed' }]),
    rpc<TokenAccounts>(url, 'getTokenAccountsByOwner', [
      address,
      { programId: TOKEN_PROGRAM },
      { encoding: 'jsonParsed', commitment: 'confirmed' },
    ]),
  ]);
  const tokens = new Map<string, bigint>();
  for (const { account } of held.value) {
    const { mint, tokenAmount } = account.data.parsed.info;
    tokens.set(mint, (tokens.get(mint) ?? 0n) + BigInt(tokenAmount.amount));
  }
  return { sol: BigInt(lamports.value), tokens };
}
