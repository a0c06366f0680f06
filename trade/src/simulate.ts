// `--simulate`: builds and simulates the transaction as for a real trade, and never signs it.
import type { Connection, PublicKey, VersionedTransaction } from '@solana/web3.js';
import type { Deployment } from '@curvekit/sdk';
import { previewTransaction, type SigningWallet } from '@curvekit/sdk/trade';
import { changeText, tokenText, type Facts } from './output.js';

/** The balance changes that a transaction would cause in a wallet. */
export interface SimulatedChange {
  readonly simulated: true;
  readonly mint: PublicKey;
  /** Lamports, including fees and rent. */
  readonly walletChange: bigint;
  /** Token base units. */
  readonly tokenChange: bigint;
  readonly computeUnits: number;
}

/** Thrown instead of a signature, to get the transaction out of trade() or launch(). */
class Built extends Error {
  constructor(readonly transaction: VersionedTransaction) {
    super('built, not signed');
  }
}

/**
 * Simulates the transaction that `send` would send.
 *
 * @param send calls trade() or launch() with the given wallet
 * @throws any error that `send` throws before it signs
 */
export async function simulateSending(
  connection: Connection,
  { owner, mint, deployment }: { owner: PublicKey; mint: PublicKey; deployment: Deployment },
  send: (wallet: SigningWallet) => Promise<unknown>,
): Promise<SimulatedChange> {
  const wallet: SigningWallet = {
    publicKey: owner,
    signTransaction: (transaction) => Promise.reject(new Built(transaction)),
  };
  const transaction = await send(wallet).then(
    () => {
      throw new Error('the transaction was sent without a signature');
    },
    (error: unknown) => {
      if (error instanceof Built) return error.transaction;
      throw error;
    },
  );
  const terms = { wallet: owner, mints: [mint], deployment };
  const { error, sol, tokens, computeUnits } = await previewTransaction(connection, transaction, terms);
  if (error !== null) throw error;
  return {
    simulated: true,
    mint,
    walletChange: sol.after - sol.before,
    tokenChange: tokens[0]!.after - tokens[0]!.before,
    computeUnits,
  };
}

export function simulatedFacts(change: SimulatedChange): Facts {
  const { mint, walletChange, tokenChange, computeUnits } = change;
  return [
    ['simulated', 'nothing was signed or sent'],
    ['token', mint.toBase58()],
    ['tokens', `${tokenChange > 0n ? '+' : ''}${tokenText(tokenChange)}`],
    ['wallet', `${changeText(walletChange)}, fees and rents included`],
    ['compute units', String(computeUnits)],
  ];
}
