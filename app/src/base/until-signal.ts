const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Waits for a stop signal. A second signal ends the process at once. */
export function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of SIGNALS) {
      process.once(name, () => {
        for (const again of SIGNALS) process.once(again, () => process.exit(1));
        resolve();
      });
    }
  });
}
