// The browser's storage. Where it is blocked or full, a value stays in memory until the page is left.
const inMemory = new Map<string, string>();

/** For the SDK too, which remembers an unfinished trade in it. */
export const storage = {
  getItem: (key: string): string | null =>
    inMemory.get(key) ?? attempt(() => localStorage.getItem(key)) ?? null,
  setItem(key: string, value: string): void {
    inMemory.delete(key);
    // In a browser that blocks it, even to read `localStorage` throws.
    const isStored = attempt(() => (localStorage.setItem(key, value), true));
    if (isStored !== true) inMemory.set(key, value);
  },
  removeItem(key: string): void {
    inMemory.delete(key);
    attempt(() => localStorage.removeItem(key));
  },
};

function attempt<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
