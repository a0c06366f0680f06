// From instructions to a confirmed transaction: simulated, signed by the wallet, checked, sent.
import { prepareTransaction, sendAndConfirm } from '@curvekit/sdk';
import { whenOpen } from '@curvekit/sdk/trade';
import type { Keypair, PublicKey, TransactionInstruction, VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import type { Chain } from './connection.js';
import { checkSigned } from './check-signed.js';
import type { PoolState, Sign, Steps } from './types.js';

interface Sending {
  readonly payer: PublicKey;
  readonly instructions: readonly TransactionInstruction[];
  readonly sign: Sign;
  readonly steps: Steps;
  /** Signs after the wallet, which may add to the transaction: the key of a new mint. */
  readonly cosigner?: Keypair;
  /** The pool of the trade: its first buyers wait for its opening, and are not refused. */
  readonly pool?: PoolState | undefined;
}

/** @returns the signature of the confirmed transaction @throws the SDK's errors, ChangedTransactionError, the wallet's error */
export async function send({ connection, deployment }: Chain, sending: Sending): Promise<string> {
  const { payer, instructions, sign, steps, cosigner, pool } = sending;
  // The simulation: it throws before the wallet opens.
  const prepare = () => prepareTransaction(connection, { payer, instructions }, { deployment });
  const prepared = await (pool === undefined ? prepare() : whenOpen(connection, pool, prepare));
  steps.onSigning();
  const signed = await sign(prepared.transaction.serialize());
  const transaction = checkSigned(prepared.transaction, signed);
  if (cosigner !== undefined) transaction.sign([cosigner]);
  const { lastValidBlockHeight } = prepared;
  steps.onSending({ signature: signatureOf(transaction), lastValidBlockHeight });
  const { signature } = await sendAndConfirm(
    connection,
    { transaction, lastValidBlockHeight },
    { deployment },
  );
  return signature;
}

function signatureOf({ signatures }: VersionedTransaction): string {
  const [first] = signatures;
  if (first === undefined || first.every((byte) => byte === 0))
    throw new Error('the wallet returned the transaction without its signature');
  return bs58.encode(first);
}
