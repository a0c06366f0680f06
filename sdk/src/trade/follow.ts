// From a prepared transaction to one that has landed: signed, sent, followed.
import type { Connection, Keypair, SendOptions, VersionedTransaction } from '@solana/web3.js';
import { CurvekitError, InvalidArgumentError, OutcomeUnknownError, TransactionError } from '../errors.js';
import { requireLanded } from '../landing/require-landed.js';
import { sendAndConfirm } from '../landing/send-and-confirm.js';
import { landingLook, trackLanding } from '../landing/track.js';
import { signatureOf } from '../signature.js';
import { sendError } from '../transaction-errors.js';
import type { PreparedTransaction } from '../transactions.js';
import { answered } from './answered.js';
import { BlockhashExpiredError } from './errors.js';
import { isKeypair, tell, type SendingOptions } from './options.js';

/** Where a transaction is. */
export interface Landed {
  readonly signature: string;
  readonly slot: number;
}

type Prepared = Pick<PreparedTransaction, 'transaction' | 'lastValidBlockHeight'>;

/**
 * A wallet may take another blockhash before it sends. None that is valid now outlives so many blocks, and twice as many
 * leave room for a node that is behind.
 */
const BLOCKS_TO_FOLLOW = 300;
const BLOCKHASH_NOT_FOUND = /blockhash ?not ?found/i;

/** @param cosigner signs beside the wallet: the key of a new mint */
export async function signAndFollow(
  connection: Connection,
  prepared: Prepared,
  options: SendingOptions,
  cosigner?: Keypair,
): Promise<Landed> {
  const { wallet, signal } = options;
  signal?.throwIfAborted();
  const cosigners = cosigner === undefined ? [] : [cosigner];
  const { transaction, lastValidBlockHeight } = prepared;
  let signed = transaction;
  if (isKeypair(wallet)) {
    transaction.sign([wallet, ...cosigners]);
  } else if ('signTransaction' in wallet && typeof wallet.signTransaction === 'function') {
    signed = await wallet.signTransaction(transaction);
    requireSame(transaction, signed);
    // After the wallet, which may have added to the transaction.
    signed.sign(cosigners);
  } else if ('sendTransaction' in wallet) {
    transaction.sign(cosigners);
    return followSent(
      connection,
      await wallet.sendTransaction(transaction, connection),
      transaction,
      options,
    );
  }
  return sendSigned(connection, { transaction: signed, lastValidBlockHeight }, options);
}

async function sendSigned(
  connection: Connection,
  prepared: Prepared,
  { deployment, signal, commitment, stallTimeoutMs, ...options }: SendingOptions,
): Promise<Landed> {
  const { transaction } = prepared;
  const signature = signatureOf(transaction);
  signal?.throwIfAborted();
  tell(options.onSigned, signature);
  const sendEverywhere = senderOf(connection, transaction, options);
  let isTold = false;
  const send = async (bytes: Uint8Array, config: SendOptions) => {
    await sendEverywhere(bytes, config);
    if (!isTold) tell(options.onSent, signature);
    isTold = true;
  };
  const landed = await stopped(
    signal,
    signature,
    sendAndConfirm(connection, prepared, { deployment, signal, commitment, stallTimeoutMs, send }),
  ).catch((error: unknown) => {
    const isExpired = error instanceof TransactionError && BLOCKHASH_NOT_FOUND.test(error.reason);
    throw isExpired && !isTold ? new BlockhashExpiredError(signature, error) : error;
  });
  tell(options.onConfirmed, signature);
  return landed;
}

/** Follows what a wallet has sent. */
async function followSent(
  connection: Connection,
  signature: string,
  transaction: VersionedTransaction,
  { deployment, signal, commitment, stallTimeoutMs, ...options }: SendingOptions,
): Promise<Landed> {
  tell(options.onSigned, signature);
  tell(options.onSent, signature);
  const following = async () => {
    const height = await answered(connection.getBlockHeight('processed'), signal);
    const sent = { signature, lastValidBlockHeight: height + BLOCKS_TO_FOLLOW };
    const look = landingLook(connection, sent);
    const send = () => Promise.resolve();
    const outcome = await trackLanding({ look, send, signal, commitment, stallTimeoutMs });
    return requireLanded(connection, outcome, sent, { instructions: transaction, deployment });
  };
  const { slot } = await stopped(signal, signature, following());
  tell(options.onConfirmed, signature);
  return { signature, slot };
}

/** An end that is the caller's, after the sending: the transaction may land. */
async function stopped<T>(
  signal: AbortSignal | undefined,
  signature: string,
  following: Promise<T>,
): Promise<T> {
  try {
    return await following;
  } catch (error) {
    if (error instanceof CurvekitError && error.name !== 'TimeoutError') throw error;
    const problem = signal?.aborted === true ? 'the caller stopped waiting for it' : 'the RPC node failed';
    throw new OutcomeUnknownError(signature, problem, error);
  }
}

/** Sends to every node; one that takes the transaction is enough. */
function senderOf(
  connection: Connection,
  transaction: VersionedTransaction,
  { sender, sendConnections = [] }: Pick<SendingOptions, 'sender' | 'sendConnections'>,
): (bytes: Uint8Array, config: SendOptions) => Promise<unknown> {
  if (sender !== undefined) {
    return async () => {
      try {
        await sender(transaction);
      } catch (error) {
        // Not a node's refusal: what it threw may have come after the sending.
        throw new CurvekitError('the sender failed', { cause: error });
      }
    };
  }
  return async (bytes, config) => {
    const sendings = [connection, ...sendConnections].map((node) => node.sendRawTransaction(bytes, config));
    const results = await Promise.allSettled(sendings);
    if (results.some(({ status }) => status === 'fulfilled')) return;
    const reasons = results.map((result) => (result as PromiseRejectedResult).reason as unknown);
    // A node that failed may have taken it before: only when all refuse it was not sent.
    throw reasons.find((reason) => sendError(reason) === undefined) ?? reasons[0];
  };
}

/** A wallet may add a priority fee or a guard. Another payer or blockhash cannot be followed. */
function requireSame(
  { message: asked }: VersionedTransaction,
  { message: signed }: VersionedTransaction,
): void {
  const [payer] = signed.staticAccountKeys;
  if (payer === undefined || !asked.staticAccountKeys[0]!.equals(payer)) {
    throw new InvalidArgumentError(
      'wallet.signTransaction',
      'returned a transaction that another account pays for',
    );
  }
  if (signed.recentBlockhash !== asked.recentBlockhash) {
    throw new InvalidArgumentError(
      'wallet.signTransaction',
      'returned a transaction with another blockhash; a wallet that changes it must send by itself (sendTransaction)',
    );
  }
}
