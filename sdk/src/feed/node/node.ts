// A subscription's requests to the RPC node. A failed request is retried until the node answers.
import type {
  ConfirmedSignatureInfo,
  Connection,
  Finality,
  PublicKey,
  SignaturesForAddressOptions,
} from '../../chain/types.js';
import { IncompleteTransactionError, UnreadableTransactionError } from '../../errors/index.js';
import { fetchTransaction } from '../../records/fetch.js';
import type { ConfirmedTransaction } from '../../records/transaction.js';
import { ask, type RpcOptions } from '../../rpc/ask.js';
import { isUnknownTransaction, lastingRefusal } from '../../rpc/refusals.js';
import { Backoff } from '../../time/backoff.js';
import type { Pauses } from './pauses.js';

const RETRY_PAUSES = { firstMs: 50, longestMs: 5_000 };
const FETCH_PAUSE_MS = 50;

export interface NodeOptions {
  readonly connection: Connection;
  readonly commitment: Finality;
  readonly pauses: Pauses;
  readonly onError: ((error: unknown) => void) | undefined;
  /** Timeout of one request. */
  readonly readTimeoutMs?: number | undefined;
  /** How long a listed transaction may take to become readable. */
  readonly graceMs: number;
}

/**
 * @throws ClosedError from every method when the subscription is closed; CurvekitError when the node refuses
 *   permanently
 */
export class SubscribedNode {
  constructor(private readonly options: NodeOptions) {}

  /** Undefined when the node does not know a transaction that is named in the options. */
  list(
    address: PublicKey,
    options: SignaturesForAddressOptions,
  ): Promise<ConfirmedSignatureInfo[] | undefined> {
    const { connection, commitment, onError } = this.options;
    return this.#request(async () => {
      try {
        return await this.#ask('getSignaturesForAddress', () =>
          connection.getSignaturesForAddress(address, options, commitment),
        );
      } catch (error) {
        if (!isUnknownTransaction(error)) throw error;
        onError?.(error);
        return undefined;
      }
    });
  }

  firstAvailableBlock(): Promise<number> {
    const { connection } = this.options;
    return this.#request(() =>
      this.#ask('getFirstAvailableBlock', () => connection.getFirstAvailableBlock()),
    );
  }

  /** Fetches a listed transaction. A node may need a moment to find it. Undefined when it cannot be read. */
  async fetch(signature: string): Promise<ConfirmedTransaction | undefined> {
    const since = Date.now();
    for (;;) {
      const isLate = Date.now() - since > this.options.graceMs;
      const response = await this.#request(() => this.#read(signature));
      let problem = 'the node lists it but does not keep it; ask one with full history';
      if (response instanceof UnreadableTransactionError) {
        this.options.onError?.(response);
        return undefined;
      }
      if (response !== null) {
        if (response.transaction.signatures[0] === signature && response.meta !== null) return response;
        problem =
          response.meta === null
            ? 'the node keeps no metadata of it; ask one that does'
            : 'the node answers with another transaction; ask another one';
      }
      if (isLate) throw new IncompleteTransactionError(signature, problem);
      await this.options.pauses.wait(FETCH_PAUSE_MS);
    }
  }

  async #read(signature: string): Promise<ConfirmedTransaction | UnreadableTransactionError | null> {
    try {
      const { connection, commitment } = this.options;
      return await fetchTransaction(connection, signature, commitment, this.#limits());
    } catch (error) {
      if (error instanceof UnreadableTransactionError) return error;
      throw error;
    }
  }

  /** One attempt. */
  #ask<T>(method: string, request: () => Promise<T>): Promise<T> {
    return ask({ method, endpoint: this.options.connection.rpcEndpoint }, request, this.#limits());
  }

  #limits(): RpcOptions {
    const { pauses, readTimeoutMs } = this.options;
    return { retries: 0, timeoutMs: readTimeoutMs, signal: pauses.signal };
  }

  async #request<T>(attempt: () => Promise<T>): Promise<T> {
    const { pauses, onError } = this.options;
    const backoff = new Backoff(RETRY_PAUSES);
    for (;;) {
      pauses.requireOpen();
      try {
        return await attempt();
      } catch (error) {
        pauses.requireOpen();
        onError?.(error);
        const refusal = lastingRefusal(error);
        if (refusal !== undefined) throw refusal;
      }
      await pauses.wait(backoff.next());
    }
  }
}
