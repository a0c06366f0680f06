import type { VersionedTransaction } from '@solana/web3.js';
import { inTrace } from '../base/tracing/spans.js';
import type { Signer } from './signer.js';

/** Adds the signatures of these signers. @throws SignerError */
export async function signTransaction(
  transaction: VersionedTransaction,
  signers: readonly Signer[],
): Promise<void> {
  const message = transaction.message.serialize();
  const signatures = await inTrace('sign', {}, () =>
    Promise.all(signers.map((signer) => signer.sign(message))),
  );
  for (const [index, { publicKey }] of signers.entries())
    transaction.addSignature(publicKey, signatures[index]!);
}
