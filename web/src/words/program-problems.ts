// Texts about refusals of the launchpad's program, by its error codes.
import { words } from './words.js';

export const programProblems: Readonly<Record<number, string>> = {
  6000: 'This page mixed up two tokens. Reload it.',
  6001: words.trade.soldOut,
  6002: 'The token has not graduated yet.',
  6003: 'The price moved past your limit.',
  6004: 'This is not this launchpad’s fee address. Reload the page.',
  6005: words.trade.noAmount,
};
