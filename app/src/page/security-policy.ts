import type { Config } from '../config/config.js';

/** Headers of the page: nothing of strangers runs, loads or frames it. */
export function pageHeaders({ node }: Config['web']): Readonly<Record<string, string>> {
  // Of an address with a key only the origin: the policy needs no more.
  const nodes = node === undefined ? [] : [new URL(node.rpcUrl).origin, new URL(node.wsUrl).origin];
  return {
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      // Wallets bring their icons as data.
      "img-src 'self' data:",
      ["connect-src 'self'", ...new Set(nodes)].join(' '),
      "font-src 'self'",
      "manifest-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join(';'),
    // Wallets that open a window of their own need their opener.
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'X-Frame-Options': 'DENY',
  };
}
