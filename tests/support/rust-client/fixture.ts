// The SDK's results for everything that the Rust client also does. The file is committed, so `cargo test` needs no
// Node.
// tests/program/rust-client.test.ts checks that the committed file is up to date.
import { join } from 'node:path';
import { ROOT } from '../../../scripts/program/paths.js';
import { accountCases, addressCases, instructionCases, recordCases } from './interface.js';
import { quoteCases } from './quotes.js';

export const FIXTURE = join(ROOT, 'crates', 'curvekit-client', 'tests', 'fixtures', 'sdk.json');
/** Enough for a clipped buy, a graduation and each refusal. `tests/program/parity.test.ts` compares a million more. */
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
  // One line per quote keeps diffs readable.
  return `{\n  "quotes": [\n${quotes.join(',\n')}\n  ],\n${rest.join(',\n')}\n}\n`;
}
