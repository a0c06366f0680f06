// Requests of a wallet to an instance that may freeze or die meanwhile.
import { VersionedTransaction, type Keypair } from '@solana/web3.js';
import { signed } from './rewards.js';

export interface Instance {
  readonly url: string;
}

/**
 * Requests a claim of all SOL rewards of a wallet for one token.
 *
 * @returns the transaction, also signed by the wallet; undefined if the instance refuses, is frozen, or dies meanwhile
 */
export async function claimSol(
  { url }: Instance,
  wallet: Keypair,
  mint: string,
  signal?: AbortSignal,
): Promise<VersionedTransaction | undefined> {
  const answer = await fetch(`${url}/rewards/${wallet.publicKey.toBase58()}/initiate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...signed(wallet) },
    body: JSON.stringify({ tokenAddress: mint, claimType: 'SOL' }),
    ...(signal === undefined ? {} : { signal }),
  })
    .then(async (response) =>
      response.ok ? ((await response.json()) as { data: { tx: string } }) : undefined,
    )
    .catch(() => undefined);
  if (answer === undefined) return undefined;
  const transaction = VersionedTransaction.deserialize(Buffer.from(answer.data.tx, 'base64'));
  transaction.sign([wallet]);
  return transaction;
}
