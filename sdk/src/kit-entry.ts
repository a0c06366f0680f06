/** The SDK over @solana/kit: `@curvekit/sdk/kit`. The same core as the main entry, without web3.js. */
export * from './kit/index.js';
