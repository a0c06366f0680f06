import { RpcError } from '@curvekit/sdk';

export interface NodeErrorOptions extends ErrorOptions {
  /** Code of the JSON-RPC error, if there was one. */
  readonly code?: number;
  /** What the operator can do about it. The message ends with it. */
  readonly fix?: string;
}

/** The RPC node does not know the transaction where a list begins or ends: it is pruned, or was dropped by a reorg. */
export const UNKNOWN_PLACE = -32020;
/** The RPC node cannot return a transaction of this version. */
export const UNSUPPORTED_VERSION = -32015;
export const METHOD_MISSING = -32601;
/**
 * Block cleaned up, not available, skipped, missing because of a jump to a snapshot, missing in long-term storage, status
 * unknown.
 */
export const NO_SUCH_BLOCK: ReadonlySet<number> = new Set([-32001, -32004, -32007, -32009, -32014]);
/**
 * Permanent errors, for which a retry is useless: invalid request, no such method, invalid parameters, no transaction
 * history.
 */
const LASTING = new Set([-32600, METHOD_MISSING, -32602, -32011, UNKNOWN_PLACE, UNSUPPORTED_VERSION]);

/** An RPC node answered with an error, or not at all. */
export class NodeError extends Error {
  override readonly name = 'NodeError';
  readonly code: number | undefined;
  readonly fix: string | undefined;

  constructor(
    /** What happened, without what to do about it. */
    readonly problem: string,
    /** Status of the HTTP answer, if there was one. */
    readonly httpStatus?: number,
    options: NodeErrorOptions = {},
  ) {
    super(options.fix === undefined ? problem : `${problem}; ${options.fix}`, options);
    this.code = options.code;
    this.fix = options.fix;
  }

  get isLasting(): boolean {
    return this.code !== undefined && LASTING.has(this.code);
  }
}

/** web3.js throws some errors anew, as a text: `failed to get balance of account …: NodeError: …`. */
const THROWN_ANEW = /^failed to get [^]*?\bNodeError: ([^]*)$/;

/** The error of the RPC node that a thrown value is, or that web3.js or the SDK has thrown anew. Undefined for any other. */
export function nodeErrorOf(error: unknown): NodeError | undefined {
  if (error instanceof NodeError) return error;
  if (error instanceof RpcError)
    return nodeErrorOf(error.cause) ?? new NodeError(error.message, error.status, { cause: error });
  const text = error instanceof Error ? THROWN_ANEW.exec(error.message)?.[1] : undefined;
  if (text === undefined) return undefined;
  const end = text.lastIndexOf('; ');
  const fix = end === -1 ? {} : { fix: text.slice(end + 2) };
  return new NodeError(end === -1 ? text : text.slice(0, end), undefined, { cause: error, ...fix });
}
