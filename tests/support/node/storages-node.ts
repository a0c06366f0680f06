// A node that knows the storages of tokens and nothing else: wallets have no accounts, tokens no holders, and there is no blockhash,
// so periods begin, but nothing is paid.
import { NATIVE_MINT, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { communityTokenStorageAddress, communityWsolStorageAddress, type Deployment } from '@curvekit/sdk';
import { keyOf } from '../../differential/call.js';
import { tokenAccount } from '../../differential/token-account.js';
import { ACCOUNT_RENT, WALLET_RENT, accountJson } from './accounts-node.js';
import { startFakeNode, type FakeNode } from './fake-node.js';

export const SLOT = 1_000;

export interface StoragesNode extends FakeNode {
  /** Opens the storages of a token, with so many lamports above rent and so many base units. */
  give(
    mint: string,
    deployment: Deployment,
    balances: { readonly sol: bigint; readonly token: bigint },
  ): void;
  /** Addresses of each request for accounts so far. */
  readonly reads: (readonly string[])[];
}

export async function startStoragesNode(): Promise<StoragesNode> {
  const accounts = new Map<string, object>();
  const reads: (readonly string[])[] = [];
  const node = await startFakeNode(({ method, params }) => {
    if (method === 'getMinimumBalanceForRentExemption') return Number(WALLET_RENT);
    if (method === 'getProgramAccounts') return { context: { slot: SLOT }, value: [] };
    if (method !== 'getMultipleAccounts') throw new Error(`${method} is not answered`);
    const addresses = params[0] as string[];
    reads.push(addresses);
    return { context: { slot: SLOT }, value: addresses.map((address) => accounts.get(address) ?? null) };
  });
  return {
    ...node,
    reads,
    give(mint, deployment, { sol, token }) {
      const key = new PublicKey(mint);
      const owner = keyOf(deployment.dexOwner);
      const open = ({ address }: { readonly address: PublicKey }, lamports: bigint, data: Uint8Array) =>
        accounts.set(address.toBase58(), accountJson(TOKEN_PROGRAM_ID, lamports, data));
      const wrapped = tokenAccount({ mint: keyOf(NATIVE_MINT), owner, native: ACCOUNT_RENT });
      open(communityWsolStorageAddress(key, deployment), ACCOUNT_RENT + sol, wrapped);
      const units = tokenAccount({ mint: keyOf(key), owner, amount: token });
      open(communityTokenStorageAddress(key, deployment), ACCOUNT_RENT, units);
    },
  };
}
