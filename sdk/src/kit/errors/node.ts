// Converts Kit's errors for a node's refusal to the form of web3.js, which the core reads.
import {
  isSolanaError,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
} from '@solana/kit';
import { isRefusalCode } from '../../landing/refusal.js';

interface Context {
  readonly __code: number;
  readonly __serverMessage?: string;
  readonly logs?: readonly string[];
}

/**
 * Converts the error of a request. JSON-RPC codes are negative. Kit's own codes are not; those errors are returned
 * unchanged.
 */
export function nodeError(error: unknown): unknown {
  if (!isSolanaError(error)) return error;
  const { __code: code, __serverMessage: said, logs } = error.context as Context;
  if (code >= 0) return error;
  const answer = Object.assign(new Error(said ?? error.message, { cause: error }), { code });
  if (!isRefusalCode(code)) return answer;
  const message = refusalText(error.cause, answer);
  return Object.assign(answer, { transactionError: { message, logs, isRefusal: true } });
}

/** The message as the node writes it. */
function refusalText(cause: unknown, { message }: Error): string {
  if (!isSolanaError(cause)) return message;
  const { index, code = 0 } = cause.context as { readonly index?: number; readonly code?: number };
  if (index === undefined) return reasonOf(cause);
  const isCustom = isSolanaError(cause, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM);
  const reason = isCustom ? `custom program error: 0x${code.toString(16)}` : reasonOf(cause);
  return `Error processing Instruction ${index}: ${reason}`;
}

/** In production Kit's messages are only numbers, but the core looks for the runtime's name. */
export function reasonOf(cause: Error): string {
  if (isSolanaError(cause, SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND)) return 'BlockhashNotFound';
  if (isSolanaError(cause, SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED)) return 'AlreadyProcessed';
  return cause.message;
}

/** Kit returns a node's integers as bigints. */
export function withNumbers(value: unknown): unknown {
  if (value === null || value === undefined) return value;
  const numbers = (_: string, item: unknown) => (typeof item === 'bigint' ? Number(item) : item);
  return JSON.parse(JSON.stringify(value, numbers));
}
