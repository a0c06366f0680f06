// Signs and sends a prepared transaction, and tracks it until it has landed.
import type { Connection, SendOptions, VersionedTransaction } from '@solana/web3.js';
import { CurvekitError, OutcomeUnknownError, TransactionError } from '../errors.js';
import { requireLanded } from '../landing/require-landed.js';
import { sendAndConfirm } from '../landing/send-and-confirm.js';
import { landingLook, trackLanding } from '../landing/track.js';
import { signatureOf } from '../signature.js';
import { sendError } from '../transaction-errors.js';
import { answered } from './answered.js';
import { BlockhashExpiredError } from './errors.js';
import type { SendingRoute } from './options.js';
import { tell } from './rules.js';
import type { Signer, Unsigned } from './signer.js';
import { remembering, requireFinished } from './unfinished.js';

/** A landed transaction. */
export interface Landed {
  readonly signature: string;
  readonly slot: number;
}

/**
 * A wallet may use another blockhash before it sends. No blockhash that is valid now outlives half of this number of
 * blocks. The other half allows for a node that is behind.
 */
const BLOCKS_TO_FOLLOW = 300;
/** Lower limit. A real block takes about twice as long. */
const SHORTEST_BLOCK_MS = 200;
const BLOCKHASH_NOT_FOUND = /blockhash ?not ?found/i;

export async function signAndFollow(
  connection: Connection,
  unsigned: Unsigned,
  signer: Signer,
  options: SendingRoute,
): Promise<Landed> {
  const { signal } = options;
  signal?.throwIfAborted();
  const { transaction, lastValidBlockHeight } = unsigned;
  const askedAt = Date.now();
  const signing = await signer.sign(unsigned, signal);
  if ('signed' in signing)
    return sendSigned(connection, { transaction: signing.signed, lastValidBlockHeight }, options);
  const { sent: signature } = signing;
  if (typeof signature !== 'string')
    throw new OutcomeUnknownError('(unknown)', 'the wallet has sent it, and not told its signature');
  // A wallet that waits for minutes may use a blockhash from that later time.
  const later = BLOCKS_TO_FOLLOW + Math.ceil((Date.now() - askedAt) / SHORTEST_BLOCK_MS);
  const sent = { signature, lastValidBlockHeight: lastValidBlockHeight + later };
  return remembering(options.remember, sent, () => followSent(connection, signature, transaction, options));
}

async function sendSigned(
  connection: Connection,
  prepared: Unsigned,
  { deployment, signal, commitment, stallTimeoutMs, ...options }: SendingRoute,
): Promise<Landed> {
  const { transaction, lastValidBlockHeight } = prepared;
  const signature = signatureOf(transaction);
  signal?.throwIfAborted();
  // Another program may have started a transaction while the wallet was asked.
  requireFinished(options.remember);
  tell(options.onSigned, signature);
  const sendEverywhere = senderOf(connection, transaction, options);
  let isTold = false;
  const send = async (bytes: Uint8Array, config: SendOptions) => {
    await sendEverywhere(bytes, config);
    if (!isTold) tell(options.onSent, signature);
    isTold = true;
  };
  const sending = () =>
    sendAndConfirm(connection, prepared, { deployment, signal, commitment, stallTimeoutMs, send });
  const landed = await remembering(options.remember, { signature, lastValidBlockHeight }, () =>
    stopped(signal, signature, sending()),
  ).catch((error: unknown) => {
    const isExpired = error instanceof TransactionError && BLOCKHASH_NOT_FOUND.test(error.reason);
    throw isExpired && !isTold ? new BlockhashExpiredError(signature, error) : error;
  });
  tell(options.onConfirmed, signature);
  return landed;
}

/** Tracks a transaction that a wallet has sent. */
async function followSent(
  connection: Connection,
  signature: string,
  transaction: VersionedTransaction,
  { deployment, signal, commitment, stallTimeoutMs, ...options }: SendingRoute,
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

/** When the caller aborts after the transaction was sent, it may still land. */
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

/** Sends to every node. One node that accepts the transaction is enough. */
function senderOf(
  connection: Connection,
  transaction: VersionedTransaction,
  { sender, sendConnections = [] }: Pick<SendingRoute, 'sender' | 'sendConnections'>,
): (bytes: Uint8Array, config: SendOptions) => Promise<unknown> {
  if (sender !== undefined) {
    return async () => {
      try {
        await sender(transaction);
      } catch (error) {
        // Not a node's refusal: the sender may have thrown after it sent.
        throw new CurvekitError('the sender failed', { cause: error });
      }
    };
  }
  return async (bytes, config) => {
    const sendings = [connection, ...sendConnections].map((node) => node.sendRawTransaction(bytes, config));
    const results = await Promise.allSettled(sendings);
    if (results.some(({ status }) => status === 'fulfilled')) return;
    const reasons = results.map((result) => (result as PromiseRejectedResult).reason as unknown);
    // A node that failed may have accepted the transaction. Only if all nodes refuse it was it not sent.
    throw reasons.find((reason) => sendError(reason) === undefined) ?? reasons[0];
  };
}
