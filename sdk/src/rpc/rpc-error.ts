// The error of every failed request to an RPC node.
import { CurvekitError } from '../errors/index.js';

/** Details of a failed request. */
export interface RpcFailure {
  /** What went wrong, in a few words. */
  readonly problem: string;
  /** What the caller can do. */
  readonly advice: string;
  /** Host of the RPC node. */
  readonly host?: string | undefined;
  /** HTTP status of the answer. */
  readonly status?: number | undefined;
  /** JSON-RPC code of the node's error. */
  readonly code?: number | undefined;
  /** Seconds after which the node accepts requests again, if it says so. */
  readonly retryAfter?: number | undefined;
  /** Whether the same request may succeed later. */
  readonly isTemporary: boolean;
  readonly cause?: unknown;
}

/**
 * A request to an RPC node failed: no answer in time, no connection, an HTTP error, an answer that is not JSON-RPC, or
 * the node's own error. The message names the node, the method, the status and what to do. It never has the path, the
 * query or the credentials of the node's URL, where API keys are.
 */
export class RpcError extends CurvekitError {
  static override readonly '@curvekit/sdk/class': string = 'RpcError';
  /** Host of the RPC node. Undefined for Kit's clients, which do not expose their URL. */
  readonly host: string | undefined;
  /** HTTP status of the answer. Undefined when there was none, or when the node answered with a JSON-RPC error. */
  readonly status: number | undefined;
  /** JSON-RPC code of the node's error, such as -32601. Undefined for other failures. */
  override readonly code: number | undefined;
  /**
   * Seconds after which the node accepts requests again, if it says so. Connections of web3.js hide the header
   * `Retry-After`; Kit's clients do not.
   */
  readonly retryAfter: number | undefined;
  /** What the caller can do. */
  readonly advice: string;
  /** Whether the same request may succeed later. */
  readonly isTemporary: boolean;

  constructor(
    /** The JSON-RPC method, such as `getMultipleAccounts`. */
    readonly method: string,
    { problem, advice, host, status, code, retryAfter, isTemporary, cause }: RpcFailure,
  ) {
    super(
      `RPC node${host === undefined ? '' : ` ${host}`}, ${method}: ${problem}; ${advice}`,
      cause === undefined ? {} : { cause },
    );
    this.host = host;
    this.status = status;
    this.code = code;
    this.retryAfter = retryAfter;
    this.advice = advice;
    this.isTemporary = isTemporary;
  }
}
