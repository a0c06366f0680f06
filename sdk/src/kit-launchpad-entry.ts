/** Connects to a launchpad by the URL of its service, over @solana/kit: `@curvekit/sdk/kit/launchpad`. */
export * from './kit/launchpad.js';
