// Texts about wallet apps on Android.
export const mobileWords = {
  again: 'Your browser lets this page reach wallet apps now. Press once more.',
  blocked:
    'Your browser does not let this page reach wallet apps. Allow “Apps on device” in its settings of this site, and press again.',
} as const;
