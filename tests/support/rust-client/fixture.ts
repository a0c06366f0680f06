// What the SDK makes of everything that the Rust client does as well. It is committed, so that `cargo test` needs no Node;
// tests/rust-client.test.ts checks that the committed file is what the SDK says today.
import { join } from 'node:path';
import { ROOT } from '../../../scripts/program/paths.js';
import { accountCases, addressCases, instructionCases, recordCases } from './interface.js';
import { quoteCases } from './quotes.js';

export const FIXTURE = join(ROOT, 'crates', 'curvekit-client', 'tests', 'fixtures', 'sdk.json');
/** Enough for a clipped buy, a graduation and each refusal; `tests/parity.test.ts` compares a million more. */
const TRADES = 400;
const SEED = 15n;

export async function fixture(): Promise<string> {
  const quotes = (await quoteCases(TRADES, SEED)).map((quote) => `    ${JSON.stringify(quote)}`);
  const rest = [
    ['addresses', addressCases()],
    ['instructions', instructionCases()],
    ['accounts', accountCases()],
    ['records', recordCases()],
  ].map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  // A line for each quote: a change shows as what it is.
  return `{\n  "quotes": [\n${quotes.join(',\n')}\n  ],\n${rest.join(',\n')}\n}\n`;
}
