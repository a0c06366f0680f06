// Wallet apps of Android: Mobile Wallet Adapter. See docs/decisions/web-page.md.
export const MOBILE_WALLET = 'Mobile Wallet Adapter';

/**
 * Whether the browser can reach wallet apps by Mobile Wallet Adapter: Chromium on Android, over https. Not the browser inside
 * of a wallet's app, which puts the wallet into the page itself.
 */
export const reachesWalletApps = () =>
  isSecureContext &&
  /Android.+Chrome\//.test(navigator.userAgent) &&
  !/WebView|Version\/|; wv\)/.test(navigator.userAgent);
