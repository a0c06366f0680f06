// Says when to look at the node: as soon as the websocket tells of a transaction, and regularly for when it does not.
import type { Connection, PublicKey } from '@solana/web3.js';

export interface Alarm {
  /** Resolves when there may be something new since the last call, or the signal aborts. */
  wait(signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

/** @param intervalMs the longest wait */
export function startAlarm(connection: Connection, programId: PublicKey, intervalMs: number): Alarm {
  let rung = false;
  let wake: () => void = () => undefined;
  const listener = connection.onLogs(
    programId,
    () => {
      rung = true;
      wake();
    },
    'confirmed',
  );
  return {
    wait: async (signal) => {
      if (!rung && !signal.aborted) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, intervalMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
          signal.addEventListener('abort', wake, { once: true });
        });
        signal.removeEventListener('abort', wake);
        wake = () => undefined;
      }
      rung = false;
    },
    stop: () => connection.removeOnLogsListener(listener),
  };
}
