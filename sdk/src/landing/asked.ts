// Looks for a transaction that a wallet was asked to sign and send, without its signature: the wallet failed, or the
// program crashed before it answered. The wallet may have changed its compute budget and its blockhash.
import { PublicKey } from '../chain/keys.js';
import { VersionedTransaction } from '../chain/transactions.js';
import type { Connection, ConfirmedSignatureInfo } from '../chain/types.js';
import { decodeBase64 } from '../encoding/base64.js';
import { UnreadableTransactionError } from '../errors/index.js';
import { fetchTransaction } from '../records/fetch.js';
import { rpcError } from '../rpc/failure.js';
import { lastingRefusal } from '../rpc/refusals.js';
import { compareSteps, landedSteps, stepsOf } from '../transactions/steps.js';
import { blockHeightProof } from './expiry-proof.js';
import { landedAt, type Landing } from './landing.js';
import { finalizedHeight, type LandingLook } from './look.js';
import { askedOf, type Retry } from './requests.js';

/** A transaction that a wallet was asked to sign and send. */
export interface AskedTransaction {
  /** The transaction without the wallet's signature, in base64. */
  readonly transaction: string;
  /** The slot of its blockhash. It can only land later. */
  readonly since: number;
  /** The last block height at which the wallet can have it land. */
  readonly lastValidBlockHeight: number;
}

/** The result of one search: the signature when the transaction was found. */
export interface AskedLook extends LandingLook {
  readonly signature: string | undefined;
}

const PAGE = 1_000;
/** Anyone can name the wallet in a transaction. More of them than this make the outcome unknown. */
const MOST_PAGES = 5;
const MOST_READ = 500;

/** Signatures of the last transactions that wallets have told. They belong to other trades. */
const told = /* @__PURE__ */ new Set<string>();
const MOST_TOLD = 1_000;

/** Call it with each signature that a wallet tells, so that an equal trade is not taken for it. */
export function noteTold(signature: string): void {
  told.add(signature);
  for (const oldest of told) {
    if (told.size <= MOST_TOLD) return;
    told.delete(oldest);
  }
}

/** A search that can be repeated. It reads each transaction of the wallet once. */
export function askedSearch(
  connection: Connection,
  { transaction, since, lastValidBlockHeight }: AskedTransaction,
): (retry: Retry) => Promise<AskedLook> {
  const { payer, steps } = stepsOf(VersionedTransaction.deserialize(decodeBase64(transaction)));
  const others = new Set<string>();

  /** @returns undefined when a node is needed that has more */
  async function isAsked(signature: string, retry: Retry): Promise<boolean | undefined> {
    if (told.has(signature) || others.has(signature)) return false;
    const found = await retry(
      () =>
        fetchTransaction(connection, signature, 'confirmed', { retries: 0 }).catch((error: unknown) => {
          if (error instanceof UnreadableTransactionError && error.version !== undefined) return error;
          throw error;
        }),
      undefined,
      askedOf(connection, 'getTransaction'),
    );
    // A version that this SDK does not know is no transaction of its own.
    if (!(found instanceof Error)) {
      const landed = found && landedSteps(found);
      if (landed === null) return undefined;
      if (landed.payer === payer && compareSteps(steps, landed.steps).missing === 0) return true;
    }
    others.add(signature);
    return false;
  }

  return async (retry) => {
    const { height, slot } = await finalizedHeight(connection, retry);
    const progress = Math.min(height, lastValidBlockHeight);
    const result = (landing: Landing, signature?: string): AskedLook => ({ landing, progress, signature });
    const hasPassed = height > lastValidBlockHeight;
    let isWhole = true;
    // One URL can lead to several nodes: only the list of one that is not behind can prove that nothing landed. Surfpool
    // takes the slot for the oldest to list, so the other list is read too.
    for (const minContextSlot of hasPassed ? [undefined, slot] : [undefined]) {
      const listed = await listSince(connection, new PublicKey(payer), { since, minContextSlot }, retry);
      if ('reason' in listed) return result(listed);
      for (const one of listed.found) {
        const answer = await isAsked(one.signature, retry);
        if (answer === true) return result(landingOf(one), one.signature);
        if (answer === undefined) isWhole = false;
      }
    }
    if (!hasPassed) return result({ kind: 'pending' });
    if (!isWhole) return result({ kind: 'expiring' });
    const search = { finalized: { height, slot }, statusSlot: slot, searchedHistory: true };
    const ended = { signature: '', lastValidBlockHeight };
    const proof = blockHeightProof(connection);
    return result(await proof.examine(ended, { ...search, retry, signal: undefined }));
  };
}

interface Found {
  readonly found: readonly ConfirmedSignatureInfo[];
}

/** The wallet's transactions since a slot, oldest first: equal trades are found in the order in which they landed. */
async function listSince(
  connection: Connection,
  payer: PublicKey,
  { since, minContextSlot }: { readonly since: number; readonly minContextSlot: number | undefined },
  retry: Retry,
): Promise<Found | (Landing & { readonly kind: 'unknown' })> {
  const found: ConfirmedSignatureInfo[] = [];
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const before = found.at(-1)?.signature;
    const options = {
      limit: PAGE,
      ...(minContextSlot === undefined ? {} : { minContextSlot }),
      ...(before === undefined ? {} : { before }),
    };
    const asked = askedOf(connection, 'getSignaturesForAddress');
    const request = () =>
      connection.getSignaturesForAddress(payer, options, 'confirmed').catch((thrown: unknown) => {
        const error = rpcError(thrown, asked);
        const lasting = lastingRefusal(error);
        if (lasting === undefined) throw error;
        return lasting;
      });
    const answer = await retry(request, undefined, asked);
    if (answer instanceof Error)
      return {
        kind: 'unknown',
        reason: 'the RPC node does not list the wallet’s transactions',
        cause: answer,
      };
    const newer = answer.filter(({ slot }) => slot >= since);
    found.push(...newer);
    if (newer.length < answer.length || answer.length < PAGE) {
      if (found.length > MOST_READ) break;
      return { found: found.reverse() };
    }
  }
  return { kind: 'unknown', reason: 'too many transactions name the wallet; look it up in an explorer' };
}

function landingOf({ slot, err, confirmationStatus }: ConfirmedSignatureInfo): Landing {
  return landedAt({ slot, err, confirmations: 0, confirmationStatus: confirmationStatus ?? 'confirmed' });
}
