// What stands where a page cannot be loaded.
export const offlineWords = {
  title: 'You are offline',
  text: 'No prices are shown, because they would be old. Your tokens are safe on chain.',
} as const;
