const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Waits until the process is told to end. Told a second time, it ends at once. */
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
