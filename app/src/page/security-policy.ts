import type { Config } from '../config/config.js';

/** Security headers of the page: no foreign script runs, no foreign content loads, no other page frames it. */
export function pageHeaders({ node }: Config['web']): Readonly<Record<string, string>> {
  // Only the origin, because the URL's path may contain an access token.
  const nodes = node === undefined ? [] : [new URL(node.rpcUrl).origin, new URL(node.wsUrl).origin];
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      // Wallets provide their icons as data URLs.
      "img-src 'self' data:",
      // Wallet apps of Android listen on the device. See docs/decisions/web-page.md.
      ["connect-src 'self'", ...new Set(nodes), 'ws://localhost:*', 'http://localhost'].join(' '),
      "font-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join(';'),
    // Wallets that open a window need `window.opener`.
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'X-Frame-Options': 'DENY',
  };
}
