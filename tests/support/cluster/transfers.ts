// A signed SOL transfer, the smallest transaction.
import {
  type Keypair,
  SystemProgram,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
  type PublicKey,
} from '@solana/web3.js';
import type { LocalCluster } from '@curvekit/testing';

export const transfer = (from: Keypair, to: PublicKey, lamports: bigint): TransactionInstruction =>
  SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey: to, lamports });

export async function signed(
  { connection }: LocalCluster,
  payer: Keypair,
  instruction: TransactionInstruction,
) {
  const { blockhash } = await connection.getLatestBlockhash();
  const message = new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash: blockhash,
    instructions: [instruction],
  });
  const transaction = new VersionedTransaction(message.compileToV0Message());
  transaction.sign([payer]);
  return transaction;
}
