import { expect } from 'chai';
import { buyExactIn, leastSolForTokens, leastTokensForSol, sellExactIn } from '../src/curve/curve.js';
import { InvalidArgumentError } from '../src/errors/index.js';
import { GRADUATION_VIRTUAL_TOKEN } from '../src/generated/program.js';
import { U64_MAX } from '../src/checks/keys.js';
import { codeOf } from './curve-trades.js';

describe('curve: refusals', () => {
  const sol = 30_000_000_000n;
  const token = 1_073_000_000_000_000n;

  const refusals: [string, () => unknown, number][] = [
    ['a buy of nothing', () => buyExactIn(sol, token, 100n, 0n), 6005],
    ['a buy of nothing, with any minimum', () => buyExactIn(sol, token, 100n, 0n, 1n), 6005],
    ['a buy that yields nothing', () => buyExactIn(U64_MAX - 1_000n, token, 0n, 1n), 6005],
    [
      'a buy that yields nothing, below its minimum',
      () => buyExactIn(U64_MAX - 1_000n, token, 0n, 1n, 1n),
      6003,
    ],
    ['a buy below its minimum', () => buyExactIn(sol, token, 100n, 10n ** 9n, 34_277_831_558_568n), 6003],
    ['a buy beyond u64', () => buyExactIn(U64_MAX, token, 0n, U64_MAX / 10n), 6005],
    ['a buy on a graduated curve', () => buyExactIn(sol, GRADUATION_VIRTUAL_TOKEN, 100n, 10n ** 9n), 6005],
    [
      'a clipped buy dearer than its minimum allows',
      () => buyExactIn(sol, token, 0n, 10n ** 12n, 10n ** 17n),
      6003,
    ],
    ['a sell of nothing', () => sellExactIn(sol, token, 100n, 0n), 6005],
    ['a sell that yields nothing', () => sellExactIn(sol, token, 100n, 1n), 6005],
    ['a sell that yields nothing, below its minimum', () => sellExactIn(sol, token, 100n, 1n, 1n), 6003],
    ['a sell below its minimum', () => sellExactIn(sol, token, 100n, 10n ** 12n, 10n ** 12n), 6003],
    ['a sell beyond u64', () => sellExactIn(sol, token, 100n, U64_MAX), 6005],
  ];
  for (const [what, trade, code] of refusals) {
    it(`${what}: ${code}`, () => expect(codeOf(trade)).to.equal(code));
  }

  const nonsense: [string, string, () => unknown][] = [
    ['a negative amount', 'solToSpend', () => buyExactIn(sol, token, 100n, -1n)],
    ['an amount above u64', 'solToSpend', () => buyExactIn(sol, token, 100n, U64_MAX + 1n)],
    ['a number', 'solToSpend', () => buyExactIn(sol, token, 100n, 1 as unknown as bigint)],
    ['a negative minimum', 'minTokenToReceive', () => buyExactIn(sol, token, 100n, 1n, -1n)],
    ['a fee above u16', 'platformFeeBps', () => buyExactIn(sol, token, 65_536n, 1n)],
    ['reserves above u64', 'virtualSol', () => buyExactIn(U64_MAX + 1n, token, 100n, 1n)],
    ['a negative amount to sell', 'tokenToSpend', () => sellExactIn(sol, token, 100n, -1n)],
    ['no tokens wanted', 'tokenToReceive', () => leastSolForTokens(sol, token, 100n, 0n)],
    ['no lamports wanted', 'solToReceive', () => leastTokensForSol(sol, token, 100n, 0n)],
    ['all the lamports wanted', 'solToReceive', () => leastTokensForSol(sol, token, 100n, sol)],
    ['a curve without SOL', 'virtualSol', () => leastSolForTokens(0n, token, 100n, 1n)],
    ['a curve without tokens', 'virtualToken', () => leastTokensForSol(sol, 0n, 100n, 1n)],
  ];
  for (const [what, argument, call] of nonsense) {
    it(`${what}: an InvalidArgumentError that names ${argument}`, () => {
      expect(call).to.throw(InvalidArgumentError).with.property('argument', argument);
    });
  }
});
