// The AMM that the graduation program opens pools with, one function at a time, so that an entry contains only what it
// uses. Separate from its maths, because some pages load only the maths.
export * from './raydium-cpmm/index.js';
