/** Live records, history and feeds over @solana/kit: `@curvekit/sdk/kit/feed`. */
export * from './kit/feed/index.js';
