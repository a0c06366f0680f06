// Reads the holders of a token at one slot as a stream.
import type { ReadableStream } from 'node:stream/web';
import { ACCOUNT_SIZE, TOKEN_PROGRAM_ID } from '@solana/spl-token';
import type { PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import { NodeError } from '../../../chain/node-errors.js';
import { hostOf, quoted, requestNode } from '../../../chain/node-request.js';
import { elementsOf } from './json-elements.js';

export interface Holding {
  readonly owner: string;
  /** Token units, above zero. */
  readonly balance: bigint;
}

export interface HoldersQuery {
  readonly rpcUrl: string;
  readonly mint: PublicKey;
  /** Answers of an earlier slot are refused. */
  readonly minContextSlot: number;
  /** `finalized` by default. */
  readonly commitment?: 'confirmed' | 'finalized';
  /** How long the node may send nothing. 60,000 by default. */
  readonly silenceMs?: number;
  readonly signal: AbortSignal;
}

/** Holdings per batch, and up to those of one more chunk of the answer. */
const LEAST_BATCH = 5_000;
/** A million accounts are 300 MB, which a slow connection takes minutes for. */
const TIMEOUT_MS = 300_000;
const SILENCE_MS = 60_000;
const METHOD = 'getProgramAccounts';

// Layout of a token account: mint, owner, amount.
const OWNER_OFFSET = 32;
const OWNER_SIZE = 32;
const AMOUNT_SIZE = 8;
const SLICE_SIZE = OWNER_SIZE + AMOUNT_SIZE;

/**
 * Reads every non-empty account of the token, in batches, at one slot.
 *
 * @returns that slot
 * @throws NodeError when the RPC node fails or its answer is invalid; the batches read so far are incomplete
 */
export async function* readHoldings(query: HoldersQuery): AsyncGenerator<Holding[], number, undefined> {
  const elements = elementsOf(request(query));
  let batch: Holding[] = [];
  for (;;) {
    const next = await elements.next().catch((cause: unknown) => {
      query.signal.throwIfAborted();
      if (cause instanceof NodeError) throw cause;
      const problem = `${hostOf(query.rpcUrl)} breaks off its answer to ${METHOD}: ${String(cause)}`;
      throw new NodeError(problem, undefined, { cause });
    });
    if (next.done === true) {
      yield batch;
      return slotOf(next.value, query.rpcUrl);
    }
    for (const element of next.value) {
      const holding = holdingOf(element);
      if (holding.balance > 0n) batch.push(holding);
    }
    if (batch.length >= LEAST_BATCH) {
      yield batch;
      batch = [];
    }
  }
}

/** Adds every holding to its wallet's amount. @returns and @throws as `readHoldings` does */
export async function addHoldings(query: HoldersQuery, amounts: Map<string, bigint>): Promise<number> {
  const batches = readHoldings(query);
  for (;;) {
    const next = await batches.next();
    if (next.done === true) return next.value;
    for (const { owner, balance } of next.value) amounts.set(owner, (amounts.get(owner) ?? 0n) + balance);
  }
}

/** The answer's chunks. They end with an error when the node sends nothing for too long. */
async function* request(query: HoldersQuery): AsyncGenerator<Uint8Array> {
  const { rpcUrl, mint, minContextSlot, commitment = 'finalized', silenceMs = SILENCE_MS, signal } = query;
  const silence = new AbortController();
  const giveUp = (): void =>
    silence.abort(new NodeError(`${hostOf(rpcUrl)} sends nothing for ${silenceMs / 1_000} s`));
  let timer = setTimeout(giveUp, silenceMs);
  const options = {
    commitment,
    encoding: 'base64',
    withContext: true,
    minContextSlot,
    dataSlice: { offset: OWNER_OFFSET, length: SLICE_SIZE },
    filters: [{ dataSize: ACCOUNT_SIZE }, { memcmp: { offset: 0, bytes: mint.toBase58() } }],
  };
  try {
    const { response } = await requestNode(rpcUrl, {
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 0,
        method: METHOD,
        params: [TOKEN_PROGRAM_ID.toBase58(), options],
      }),
      method: METHOD,
      timeoutMs: TIMEOUT_MS,
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (response.body === null) throw new NodeError(`${hostOf(rpcUrl)} answers ${METHOD} with nothing`);
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      clearTimeout(timer);
      yield chunk;
      timer = setTimeout(giveUp, silenceMs);
    }
  } finally {
    clearTimeout(timer);
  }
}

function holdingOf(element: unknown): Holding {
  const { account } = element as { readonly account?: { readonly data?: readonly [string, string] } };
  const data = Buffer.from(account?.data?.[0] ?? '', 'base64');
  if (data.length !== SLICE_SIZE) throw new NodeError('the node does not slice the data of token accounts');
  return { owner: bs58.encode(data.subarray(0, OWNER_SIZE)), balance: data.readBigUInt64LE(OWNER_SIZE) };
}

function slotOf(answer: unknown, rpcUrl: string): number {
  const { result, error } = answer as {
    readonly result?: { readonly context?: { readonly slot?: unknown } };
    readonly error?: { readonly code: number; readonly message: string };
  };
  if (error !== undefined) {
    const said = quoted(String(error.message), rpcUrl);
    throw new NodeError(`${hostOf(rpcUrl)} answers ${METHOD} with error ${error.code}: ${said}`, undefined, {
      code: error.code,
      fix: 'settlements need this method: set RPC_URL to a node that answers it',
    });
  }
  const slot = result?.context?.slot;
  if (typeof slot !== 'number') {
    throw new NodeError(`${hostOf(rpcUrl)} does not say of which slot its answer to ${METHOD} is`);
  }
  return slot;
}
