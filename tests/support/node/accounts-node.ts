// An RPC node with accounts that a test sets, which can differ by commitment. It keeps what it was asked.
import { ACCOUNT_SIZE, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import { Keypair, SystemProgram, type PublicKey } from '@solana/web3.js';
import { associatedTokenAddress } from '@curvekit/sdk';
import { keyOf } from '../../differential/call.js';
import { tokenAccount } from '../../differential/token-account.js';
import { RpcFailure, startFakeNode, type RpcCall } from './fake-node.js';

type Commitment = 'confirmed' | 'finalized';

interface Asked {
  readonly method: string;
  readonly addresses: readonly string[];
  readonly commitment: Commitment;
  readonly minContextSlot?: number;
}

export const WALLET_RENT = 890_880n;
export const ACCOUNT_RENT = 2_039_280n;
export const ACCOUNTS_SLOT = 100;
export const BLOCKHASH_SLOT = 131;
export const BLOCKHASH = { blockhash: Keypair.generate().publicKey.toBase58(), lastValidBlockHeight: 345 };

export async function startAccountsNode() {
  const accounts = { confirmed: new Map<string, object>(), finalized: new Map<string, object>() };
  const asked: Asked[] = [];

  function answer({ method, params }: RpcCall): unknown {
    const [first] = params;
    const options = params.at(-1) as Pick<Asked, 'commitment' | 'minContextSlot'>;
    const addresses = [first].flat().filter((name) => typeof name === 'string');
    asked.push({ ...options, method, addresses });
    const { commitment, minContextSlot = 0 } = options;
    const slot = minContextSlot > 0 ? node.newest : ACCOUNTS_SLOT;
    if (slot < minContextSlot) return new RpcFailure(-32_016, 'Minimum context slot has not been reached');
    const found = addresses.map((name) => accounts[commitment].get(name) ?? null);
    switch (method) {
      case 'getMinimumBalanceForRentExemption':
        return Number(first === ACCOUNT_SIZE ? ACCOUNT_RENT : WALLET_RENT);
      case 'getLatestBlockhash':
        return { context: { slot: BLOCKHASH_SLOT }, value: BLOCKHASH };
      case 'getMultipleAccounts':
        return { context: { slot }, value: found };
      case 'getBalance':
        return { context: { slot }, value: (found[0] as { lamports: number } | null)?.lamports ?? 0 };
      default:
        throw new Error(`${method} is not expected`);
    }
  }

  const node = {
    ...(await startFakeNode(answer)),
    asked,
    /** Answers requests for a slot from then on, as a second node behind the same URL would. */
    newest: ACCOUNTS_SLOT,
    askedFor: (method: string, commitment: Commitment): readonly Asked[] =>
      asked.filter((call) => call.method === method && call.commitment === commitment),
    put(
      at: Commitment,
      address: PublicKey,
      lamports: bigint,
      {
        program = SystemProgram.programId,
        data = Buffer.alloc(0),
      }: { readonly program?: PublicKey; readonly data?: Uint8Array } = {},
    ): void {
      accounts[at].set(address.toBase58(), accountJson(program, lamports, data));
    },
    /** Sets a wallet's account of a token. @param given its owner and program, if they are not the usual ones */
    putTokens(
      at: Commitment,
      { wallet, mint }: { readonly wallet: PublicKey; readonly mint: PublicKey },
      amount: bigint,
      { owner = wallet, program = TOKEN_PROGRAM_ID } = {},
    ): void {
      const data = tokenAccount({ mint: keyOf(mint), owner: keyOf(owner), amount });
      node.put(at, associatedTokenAddress(wallet, mint).address, ACCOUNT_RENT, { program, data });
    },
    reset(): void {
      for (const of of Object.values(accounts)) of.clear();
      asked.length = 0;
      node.newest = ACCOUNTS_SLOT;
      node.setDown(false);
      node.setFaults();
    },
  };
  return node;
}

export type AccountsNode = Awaited<ReturnType<typeof startAccountsNode>>;

/** An account as RPC nodes answer it, in base64. */
export const accountJson = (program: PublicKey, lamports: bigint, data: Uint8Array) => ({
  executable: false,
  owner: program.toBase58(),
  lamports: Number(lamports),
  rentEpoch: 0,
  space: data.length,
  data: [Buffer.from(data).toString('base64'), 'base64'] as const,
});
