// Text about a device whose clock is wrong.
export const clockWords = {
  off: (off: string, isFast: boolean) =>
    `Your device’s clock is ${off} ${isFast ? 'fast' : 'slow'}. The page signs with the service’s time instead.`,
} as const;
