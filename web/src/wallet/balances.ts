// SOL and tokens of the connected wallet, read with plain JSON-RPC, so that the header does not need web3.js.
import { useEffect, useSyncExternalStore } from 'react';
import { rpc, rpcUrlOf } from '../chain/rpc.js';
import { useConfig } from '../config.js';

export interface Balances {
  readonly sol: bigint;
  /** Token base units by mint. */
  readonly tokens: ReadonlyMap<string, bigint>;
}

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
const REFRESH_MS = 20_000;

let owner: string | undefined;
let url = '';
let balances: Balances | undefined;
let reading = 0;
const listeners = new Set<() => void>();

function set(value: Balances | undefined): void {
  balances = value;
  for (const listener of listeners) listener();
}

/** Reads the balances again. Keeps the known ones when the node does not answer. */
export async function refreshBalances(): Promise<void> {
  const address = owner;
  if (address === undefined) return;
  const number = (reading += 1);
  try {
    const [lamports, held] = await Promise.all([
      rpc<{ value: number }>(url, 'getBalance', [address, { commitment: 'confirmed' }]),
      rpc<TokenAccounts>(url, 'getTokenAccountsByOwner', [
        address,
        { programId: TOKEN_PROGRAM },
        { encoding: 'jsonParsed', commitment: 'confirmed' },
      ]),
    ]);
    if (number !== reading || address !== owner) return;
    const tokens = new Map<string, bigint>();
    for (const { account } of held.value) {
      const { mint, tokenAmount } = account.data.parsed.info;
      tokens.set(mint, (tokens.get(mint) ?? 0n) + BigInt(tokenAmount.amount));
    }
    set({ sol: BigInt(lamports.value), tokens });
  } catch (error) {
    console.warn('the balances cannot be read', error);
  }
}

/** Balances of the connected wallet. Undefined until they are known. */
export function useBalances(address: string | undefined): Balances | undefined {
  const config = useConfig();
  useEffect(() => {
    url = rpcUrlOf(config);
    if (owner !== address) {
      owner = address;
      set(undefined);
    }
    if (address === undefined) return undefined;
    void refreshBalances();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') void refreshBalances();
    }, REFRESH_MS);
    return () => clearInterval(timer);
  }, [address, config]);
  const known = useSyncExternalStore(
    (notify) => {
      listeners.add(notify);
      return () => listeners.delete(notify);
    },
    () => balances,
  );
  return address === undefined ? undefined : known;
}
