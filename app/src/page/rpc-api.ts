// `POST /rpc`: the RPC methods that the page needs, without revealing the URL of the service's RPC node.
import { callWithin } from '../base/call-within.js';
import type { Config } from '../config/config.js';
import { hideSecrets } from '../base/secrets.js';
import { addBytes, answersOf } from '../http/admission.js';
import type { Api } from '../http/api.js';
import { JsonText } from '../http/json.js';
import { HttpProblem, invalid, unavailable } from '../http/problem.js';
import { defineRoute } from '../http/route.js';
import { wholeSchema } from '../http/schemas.js';
import { z } from '../http/zod.js';
import type { ErrorShape } from '../http/error-shapes.js';

/** Methods to read a wallet and its tokens, and to send a transaction. No listing of programs or history. */
const METHODS = [
  'getAccountInfo',
  'getBalance',
  'getBlockHeight',
  // The page needs the next two methods to prove that a transaction of its wallet has expired.
  'getEpochInfo',
  'getFirstAvailableBlock',
  'getLatestBlockhash',
  'getMultipleAccounts',
  'getMinimumBalanceForRentExemption',
  'getRecentPrioritizationFees',
  'getSignatureStatuses',
  'getTokenAccountsByOwner',
  'getTransaction',
  'sendTransaction',
  'simulateTransaction',
] as const;

const TIMEOUT_MS = 20_000;
/** Enough for a wallet with ten thousand token accounts. */
const MOST_BYTES = 8 * 1024 * 1024;
/** Longest answer that is parsed, in characters. */
const LONGEST_PARSED = 64 * 1024;
/** The methods' parameters have three levels. */
const DEEPEST = 8;

const ID = z.union([z.string().max(64), wholeSchema(undefined, Number.MIN_SAFE_INTEGER)]).nullable();

const body = z.object({
  jsonrpc: z.literal('2.0'),
  id: ID,
  method: z.enum(METHODS),
  params: z
    .array(z.unknown())
    .refine((params) => isShallow(params, DEEPEST), { error: `must not be nested deeper than ${DEEPEST}` })
    .refine(namesEachOnce, { error: 'must name each account once' })
    .optional(),
});

const answer = z
  .looseObject({ jsonrpc: z.literal('2.0'), id: ID })
  .openapi({ description: "The node's own answer: `result`, or `error`" });

/** `/rpc`, for pages without their own RPC node. */
export function rpcApi({ rpcUrl }: Pick<Config, 'rpcUrl'>): Api {
  const answers = answersOf('node');
  return {
    name: 'rpc',
    description: 'What a page needs of an RPC node',
    prefix: '/rpc',
    errors: jsonRpcErrors,
    kind: 'node',
    routes: [
      defineRoute({
        method: 'post',
        path: '/rpc',
        operationId: 'callNode',
        summary: 'One call of an RPC node',
        description: `One call for each request, no batches. Methods: ${METHODS.join(', ')}.`,
        body,
        answer,
        answerDescription: "The node's answer, its errors included",
        handler: async ({ body: call, raw }) => {
          const held = answers.hold(raw.client);
          raw.onEnd(() => held.release());
          const hold = (bytes: number) => addBytes(answers, held, bytes, 'answers that are not read yet');
          return new JsonText(await ask(rpcUrl, call, hold));
        },
      }),
    ],
  };
}

/** A repeated account would multiply the answer. */
function namesEachOnce([accounts]: readonly unknown[]): boolean {
  return !Array.isArray(accounts) || new Set(accounts).size === accounts.length;
}

/** Without recursion, because the depth is the client's. */
function isShallow(value: unknown, deepest: number): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return false;
    level = level.flatMap((item): unknown[] =>
      typeof item === 'object' && item !== null ? Object.values(item as Record<string, unknown>) : [],
    );
  }
  return true;
}

/**
 * The text of the RPC node's answer.
 *
 * @throws HttpProblem 400 when it is too long, 429 or 503 when clients read too slowly, 503 when the node does not answer
 */
async function ask(
  rpcUrl: string,
  call: z.output<typeof body>,
  hold: (bytes: number) => void,
): Promise<string> {
  try {
    return await callWithin({ what: 'the RPC node', limitMs: TIMEOUT_MS }, async (signal) => {
      const response = await fetch(rpcUrl, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        // Serialized again, so that only checked fields reach the RPC node.
        body: JSON.stringify(call),
        signal,
      });
      const text = await readText(response, hold);
      // A gateway's error may quote the key of the URL.
      if (isAnswer(text)) return hideSecrets(text);
      throw new Error(`the node answers HTTP ${response.status} without JSON-RPC`);
    });
  } catch (error) {
    if (error instanceof HttpProblem) throw error;
    throw unavailable('The RPC node does not answer; try again later', error);
  }
}

async function readText(response: Response, hold: (bytes: number) => void): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of (response.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.length;
    // Leaving the loop closes the connection.
    if (bytes > MOST_BYTES)
      throw invalid([
        { field: 'params', message: `ask for an answer of more than ${MOST_BYTES} bytes; ask for less` },
      ]);
    hold(chunk.length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Parsing a long answer would block the event loop, so only its form is checked. */
function isAnswer(text: string): boolean {
  if (text.length > LONGEST_PARSED)
    return /^\s*\{/.test(text) && text.slice(0, 256).concat(text.slice(-256)).includes('"jsonrpc"');
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null && 'jsonrpc' in value;
}

// Errors in the shape of JSON-RPC, for clients of RPC nodes.

const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;

/** `{jsonrpc, id, error: {code, message}}`. The message also names invalid fields. */
const jsonRpcErrors: ErrorShape = {
  body: ({ status, message, fields }) => ({
    jsonrpc: '2.0',
    id: null,
    error: {
      code: status === 429 ? 429 : status >= 500 ? INTERNAL_ERROR : INVALID_REQUEST,
      message: [message, ...fields.map((problem) => `${problem.field} ${problem.message}`)].join('; '),
    },
  }),
  schema: () =>
    z.object({
      jsonrpc: z.literal('2.0'),
      // Always null. Generators of clients cannot read a type of null alone.
      id: z.string().nullable(),
      error: z.object({ code: z.int().openapi({ format: 'int32' }), message: z.string() }),
    }),
};
