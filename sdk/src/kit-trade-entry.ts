/** Trades, launches and landing over @solana/kit: `@curvekit/sdk/kit/trade`. */
export * from './kit/trade/index.js';
