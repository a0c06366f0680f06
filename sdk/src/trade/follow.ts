// Has a prepared transaction signed and sent, and tracks it until it has landed.
import type { Connection, SendOptions, VersionedTransaction } from '../chain/types.js';
import { CurvekitError, TransactionError } from '../errors/index.js';
import { expiryAfter } from '../landing/after-blockhash.js';
import { refusalIn } from '../landing/refusal.js';
import { sendTo } from '../landing/requests.js';
import { sendUntilLanded } from '../landing/send-and-confirm.js';
import { throwIfAborted } from '../platform/abort.js';
import { signatureOf } from '../transactions/signature.js';
import { askToSend } from './ask-to-send.js';
import { BlockhashExpiredError } from './errors.js';
import type { SendingRoute } from './options.js';
import { unlessKnown, type Landed } from './outcome.js';
import { notify } from './rules.js';
import type { Signer, Unsigned } from './signer.js';
import { NothingSent, remembering, requireFinished } from './unfinished.js';

const BLOCKHASH_NOT_FOUND = /blockhash ?not ?found/i;

export async function signAndFollow(
  connection: Connection,
  unsigned: Unsigned,
  signer: Signer,
  options: SendingRoute,
): Promise<Landed> {
  const { signal } = options;
  throwIfAborted(signal);
  if ('signAndSend' in signer) return askToSend(connection, unsigned, signer, options);
  const transaction = await signer.sign(unsigned, signal);
  return sendSigned(connection, { ...unsigned, transaction }, options);
}

async function sendSigned(
  connection: Connection,
  prepared: Unsigned,
  { deployment, signal, commitment, stallTimeoutMs, ...options }: SendingRoute,
): Promise<Landed> {
  const { transaction, lastValidBlockHeight, blockhashSlot } = prepared;
  const signature = signatureOf(transaction);
  throwIfAborted(signal);
  // Another program may have started a transaction while the wallet was asked.
  requireFinished(options.remember);
  notify(options.onSigned, signature);
  throwIfAborted(signal);
  const sendEverywhere = senderOf(connection, transaction, options);
  let isHandedOver = false;
  let isTold = false;
  const send = async (bytes: Uint8Array, config: SendOptions) => {
    isHandedOver = true;
    await sendEverywhere(bytes, config);
    if (!isTold) notify(options.onSent, signature);
    isTold = true;
  };
  const proof = expiryAfter(connection, blockhashSlot);
  const sending = async () => {
    try {
      return await sendUntilLanded(connection, prepared, {
        ...{ deployment, signal, commitment, stallTimeoutMs, send, proof },
      });
    } catch (error) {
      if (!isHandedOver) throw new NothingSent(error);
      throw unlessKnown(signal, signature, error);
    }
  };
  const landed = await remembering(
    options.remember,
    { signature, lastValidBlockHeight, blockhashSlot },
    sending,
  ).catch((error: unknown) => {
    const isExpired = error instanceof TransactionError && BLOCKHASH_NOT_FOUND.test(error.reason);
    throw isExpired && !isTold ? new BlockhashExpiredError(signature, error) : error;
  });
  notify(options.onConfirmed, signature);
  return landed;
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
    const nodes = [connection, ...sendConnections];
    const sendings = nodes.map((node) => sendTo(node, bytes, config));
    const results = await Promise.allSettled(sendings);
    if (results.some(({ status }) => status === 'fulfilled')) return;
    const reasons = results.map((result) => (result as PromiseRejectedResult).reason as unknown);
    // A node that failed may have forwarded the transaction. Only if all nodes refuse it was it not sent.
    throw reasons.find((reason) => refusalIn(reason) === undefined) ?? reasons[0];
  };
}
