// A node that knows the storages of tokens and nothing else: wallets have no accounts, tokens no holders, and there is no blockhash,
// so periods begin, but nothing is paid.
import { ACCOUNT_SIZE, AccountLayout, NATIVE_MINT, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { PublicKey } from '@solana/web3.js';
import { communityTokenStorageAddress, communityWsolStorageAddress, type Deployment } from '@curvekit/sdk';
import { startFakeNode, type FakeNode } from './fake-node.js';

/** Slot of every answer. */
export const SLOT = 1_000;
const RENT = 2_039_280n;
const WALLET_RENT = 890_880;

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
    if (method === 'getMinimumBalanceForRentExemption') return WALLET_RENT;
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
      const { dexOwner } = deployment;
      const native = { mint: NATIVE_MINT, owner: dexOwner, amount: 0n, native: RENT, lamports: RENT + sol };
      accounts.set(communityWsolStorageAddress(key, deployment).address.toBase58(), accountOf(native));
      const units = { mint: key, owner: dexOwner, amount: token, lamports: RENT };
      accounts.set(communityTokenStorageAddress(key, deployment).address.toBase58(), accountOf(units));
    },
  };
}

interface TokenAccount {
  readonly mint: PublicKey;
  readonly owner: PublicKey;
  readonly amount: bigint;
  /** Rent of wrapped SOL. */
  readonly native?: bigint;
  readonly lamports: bigint;
}

/** As the node answers it. */
function accountOf({ mint, owner, amount, native, lamports }: TokenAccount): object {
  const data = Buffer.alloc(ACCOUNT_SIZE);
  const nobody = PublicKey.default;
  AccountLayout.encode(
    {
      ...{ mint, owner, amount, state: 1 },
      ...{ isNativeOption: native === undefined ? 0 : 1, isNative: native ?? 0n },
      ...{
        delegateOption: 0,
        delegate: nobody,
        delegatedAmount: 0n,
        closeAuthorityOption: 0,
        closeAuthority: nobody,
      },
    },
    data,
  );
  return {
    data: [data.toString('base64'), 'base64'],
    executable: false,
    lamports: Number(lamports),
    owner: TOKEN_PROGRAM_ID.toBase58(),
    rentEpoch: 0,
    space: ACCOUNT_SIZE,
  };
}
