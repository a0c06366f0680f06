// A node's log notifications through Kit's subscriptions. A subscription ends with its websocket; this code then
// resubscribes.
import type { Address, Commitment, LogsNotificationsApi, RpcSubscriptions } from '@solana/kit';
import type { PublicKey } from '../../chain/keys.js';
import type { LogsCallback } from '../../chain/types.js';
import { Backoff } from '../../time/backoff.js';
import { sleep } from '../../time/sleep.js';

const RETRY_PAUSES = { firstMs: 100, longestMs: 5_000 };

interface Listening {
  readonly address: PublicKey;
  readonly callback: LogsCallback;
  readonly commitment: Commitment;
}

/** A node's log notifications, with the two methods of web3.js's Connection. */
export class LogListeners {
  readonly #listeners: { readonly stop: () => void; readonly stopped: Promise<void> }[] = [];

  constructor(
    private readonly subscriptions: RpcSubscriptions<LogsNotificationsApi>,
    private readonly onError: (error: unknown) => void,
  ) {}

  onLogs(address: PublicKey, callback: LogsCallback, commitment: Commitment): number {
    const controller = new AbortController();
    const stopped = this.#listen({ address, callback, commitment }, controller.signal);
    return this.#listeners.push({ stop: () => controller.abort(), stopped }) - 1;
  }

  async removeOnLogsListener(id: number): Promise<void> {
    const { stop, stopped } = this.#listeners[id]!;
    stop();
    await stopped;
  }

  async #listen(listening: Listening, signal: AbortSignal): Promise<void> {
    let backoff = new Backoff(RETRY_PAUSES);
    while (!signal.aborted) {
      // One controller per attempt: Kit reuses a failed connection until every subscriber of it has aborted.
      const attempt = new AbortController();
      const stop = () => attempt.abort();
      signal.addEventListener('abort', stop, { once: true });
      try {
        await this.#tell(listening, attempt.signal, () => (backoff = new Backoff(RETRY_PAUSES)));
      } catch (error) {
        if (!signal.aborted) this.onError(error);
      } finally {
        signal.removeEventListener('abort', stop);
        stop();
      }
      await sleep(backoff.next(), signal).catch(() => undefined);
    }
  }

  /** Delivers notifications until the subscription ends. */
  async #tell(
    { address, callback, commitment }: Listening,
    signal: AbortSignal,
    onSubscribed: () => void,
  ): Promise<void> {
    const mentions: [Address] = [address.toBase58() as Address];
    const pending = this.subscriptions.logsNotifications({ mentions }, { commitment });
    const notifications = await pending.subscribe({ abortSignal: signal });
    onSubscribed();
    for await (const { context, value } of notifications) {
      const { signature, err } = value;
      callback({ signature, err: err, logs: [] }, { slot: Number(context.slot) });
    }
  }
}
