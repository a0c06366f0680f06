// Has a prepared transaction signed and sent, and tracks it until it has landed.
import type { Connection, SendOptions, VersionedTransaction } from '../chain/types.js';
import { CurvekitError, OutcomeUnknownError, TransactionError } from '../errors/index.js';
import { expiryAfter } from '../landing/after-blockhash.js';
import { refusalIn } from '../landing/refusal.js';
import { sendTo } from '../landing/requests.js';
import { sendUntilLanded } from '../landing/send-and-confirm.js';
import { throwIfAborted } from '../platform/abort.js';
import { signatureOf } from '../transactions/signature.js';
import { BlockhashExpiredError } from './errors.js';
import type { SendingRoute } from './options.js';
import type { Signer, Unsigned } from './signer.js';
import { NothingSent, remembering, requireFinished, UNKNOWN_SIGNATURE } from './unfinished.js';
import { encodeBase64 } from '../encoding/base64.js';
import { askedSearch, type AskedTransaction, noteTold } from '../landing/asked.js';
import type { LandingOutcome } from '../landing/landing.js';
import { requireLanded } from '../landing/require-landed.js';
import { landingLook, track, type TrackOptions } from '../landing/track.js';
import { answered } from '../rpc/ask.js';
import { causesOf, isDeclined, signatureIn } from './wallet-answers.js';
import { RpcError } from '../rpc/rpc-error.js';
import { TimeoutError } from '../time/timeout.js';

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
  const { transaction, lastValidBlockHeight, blockhashSlot, nonce } = prepared;
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
  const proof = expiryAfter(connection, prepared);
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
    { signature, lastValidBlockHeight, blockhashSlot, nonce },
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

/**
 * A wallet may use another blockhash before it sends. No blockhash that is valid now outlives half of this number of
 * blocks. The other half allows for a node that is behind.
 */
const BLOCKS_TO_FOLLOW = 300;
/** Lower limit. A real block takes about twice as long. */
const SHORTEST_BLOCK_MS = 200;
const HEIGHT_TIMEOUT_MS = 20_000;

/** What the wallet answered. */
type Answer = { readonly signature: string } | { readonly signature: undefined; readonly problem: unknown };

async function askToSend(
  connection: Connection,
  unsigned: Unsigned,
  signer: Extract<Signer, { signAndSend: unknown }>,
  options: SendingRoute,
): Promise<Landed> {
  const { transaction, blockhashSlot } = unsigned;
  const asked = {
    transaction: encodeBase64(transaction.serialize()),
    since: blockhashSlot,
    lastValidBlockHeight: unsigned.lastValidBlockHeight + BLOCKS_TO_FOLLOW,
  };
  const { lastValidBlockHeight } = asked;
  const kept = { signature: UNKNOWN_SIGNATURE, lastValidBlockHeight, asked };
  return remembering(options.remember, kept, async () => {
    const askedAt = Date.now();
    const answer = await answerOf(signer, unsigned, options);
    if (answer.signature === undefined)
      return followAsked(connection, unsigned, asked, answer.problem, options);
    noteTold(answer.signature);
    // A wallet that waits for minutes may use a blockhash from that later time.
    const later = Math.ceil((Date.now() - askedAt) / SHORTEST_BLOCK_MS);
    const sent = { signature: answer.signature, lastValidBlockHeight: lastValidBlockHeight + later };
    return remembering(options.remember, sent, () =>
      followSent(connection, sent.signature, unsigned, options),
    );
  });
}

/** @throws NothingSent when the user declined, or a node has refused what the wallet sent */
async function answerOf(
  signer: Extract<Signer, { signAndSend: unknown }>,
  unsigned: Unsigned,
  { deployment }: SendingRoute,
): Promise<Answer> {
  let answer: unknown;
  try {
    answer = await signer.signAndSend(unsigned);
  } catch (error) {
    if (isDeclined(error)) throw new NothingSent(error);
    // Wallet Adapter sends through the application's node, whose refusal it wraps.
    const context = { instructions: unsigned.transaction, deployment };
    const refusal = causesOf(error).map((cause) => refusalIn(cause, context));
    const known = refusal.find((one) => one !== undefined);
    if (known !== undefined) throw new NothingSent(known);
    return { signature: undefined, problem: error };
  }
  const signature = signatureIn(answer);
  return signature === undefined
    ? { signature, problem: new CurvekitError('the wallet answered without a signature, and sent nothing') }
    : { signature };
}

async function followSent(
  connection: Connection,
  signature: string,
  { transaction }: Unsigned,
  options: SendingRoute,
): Promise<Landed> {
  const { deployment, signal } = options;
  notify(options.onSigned, signature);
  notify(options.onSent, signature);
  try {
    const sent = { signature, lastValidBlockHeight: await lastHeight(connection, signal) };
    const outcome = await followed(landingLook(connection, sent), options);
    const context = { instructions: transaction, deployment };
    const { slot } = await requireLanded(connection, outcome, sent, context);
    notify(options.onConfirmed, signature);
    return { signature, slot };
  } catch (error) {
    throw unlessKnown(signal, signature, error);
  }
}

/**
 * Looks for what the wallet may have sent among its transactions.
 *
 * @throws NothingSent with the wallet's error, once it can no longer land; OutcomeUnknownError
 */
async function followAsked(
  connection: Connection,
  { transaction }: Unsigned,
  asked: AskedTransaction,
  problem: unknown,
  options: SendingRoute,
): Promise<Landed> {
  const { deployment, signal } = options;
  let signature: string | undefined;
  let outcome: LandingOutcome;
  try {
    const lastValidBlockHeight = await lastHeight(connection, signal);
    const search = askedSearch(connection, { ...asked, lastValidBlockHeight });
    const look: TrackOptions['look'] = async (retry) => {
      const found = await search(retry);
      ({ signature } = found);
      return found;
    };
    outcome = await followed(look, options);
  } catch (error) {
    throw unlessKnown(signal, UNKNOWN_SIGNATURE, error);
  }
  if (signature === undefined) {
    if (outcome.kind === 'expired') throw new NothingSent(failureOf(problem));
    const reason = outcome.kind === 'unknown' ? outcome.reason : 'it is not found';
    throw new OutcomeUnknownError(UNKNOWN_SIGNATURE, `the wallet failed, and ${reason}`, problem);
  }
  noteTold(signature);
  const { lastValidBlockHeight } = asked;
  const context = { instructions: transaction, deployment };
  const { slot } = await requireLanded(connection, outcome, { signature, lastValidBlockHeight }, context);
  for (const callback of [options.onSigned, options.onSent, options.onConfirmed]) notify(callback, signature);
  return { signature, slot };
}

/** The last block height at which what a wallet has sent by now can land. */
async function lastHeight(connection: Connection, signal: AbortSignal | undefined): Promise<number> {
  const asking = connection.getBlockHeight('processed');
  return (await answered(asking, HEIGHT_TIMEOUT_MS, signal)) + BLOCKS_TO_FOLLOW;
}

function followed(look: TrackOptions['look'], { signal, commitment, stallTimeoutMs }: SendingRoute) {
  return track({ look, send: () => Promise.resolve(), signal, commitment, stallTimeoutMs });
}

function failureOf(problem: unknown): Error {
  return problem instanceof Error ? problem : new CurvekitError('the wallet failed', { cause: problem });
}

/** Calls a callback. The trade continues even if the callback throws. */
function notify(callback: ((signature: string) => void) | undefined, signature: string): void {
  try {
    callback?.(signature);
  } catch {
    // The transaction is on its way, so an error in the caller's display must not hide its outcome.
  }
}

interface Landed {
  readonly signature: string;
  readonly slot: number;
}

/** The error of a transaction that may have been sent. The caller's own abort and a node's failure say nothing of it. */
function unlessKnown(signal: AbortSignal | undefined, signature: string, error: unknown): unknown {
  const isOfNode = error instanceof RpcError || error instanceof TimeoutError;
  if (error instanceof CurvekitError && !isOfNode) return error;
  const problem = signal?.aborted === true ? 'the caller stopped waiting for it' : 'the RPC node failed';
  return new OutcomeUnknownError(signature, problem, error);
}
