// The line "you are even" on the chart: a sale of all at that market cap pays back what was paid, with its fees.
import { expect } from 'chai';
import fc from 'fast-check';
import { positionOf, quoteBuy, TOKEN_SUPPLY, type CurveState } from '@curvekit/sdk';
import { evenCap } from '../../web/src/trade/even-cap.js';

const LAUNCHED = { virtualSol: 30_000_000_000n, virtualToken: 1_073_000_000_000_000n, platformFeeBps: 100 };

describe('the market cap at which a wallet is even', () => {
  it('pays back what was paid, to a hundred-thousandth, after buys at any price', () => {
    fc.assert(
      fc.property(
        fc.bigInt(1_000_000_000n, 30_000_000_000n),
        fc.bigInt(100_000_000n, 20_000_000_000n),
        (before, paid) => {
          const first = quoteBuy(LAUNCHED, before);
          const start = { ...LAUNCHED, virtualSol: first.virtualSol, virtualToken: first.virtualToken };
          const { tokenOut: held, virtualSol, virtualToken } = quoteBuy(start, paid);
          const market = { venue: 'curve' as const, virtualSol, virtualToken, platformFeeBps: 100 };
          const cap = evenCap(market, held, { paid, received: 0n }, TOKEN_SUPPLY)!;
          expect(cap).to.be.greaterThan(Number((virtualSol * TOKEN_SUPPLY) / virtualToken) / 1e9);
          const reserve = BigInt(
            Math.round(Math.sqrt((Number(virtualSol * virtualToken) * Number(TOKEN_SUPPLY)) / (cap * 1e9))),
          );
          const there: CurveState = {
            virtualSol: (virtualSol * virtualToken) / reserve,
            virtualToken: reserve,
            platformFeeBps: 100,
          };
          const { profit } = positionOf(there, held, { tokenAmount: held, paid, received: 0n });
          expect(Math.abs(Number(profit)) / Number(paid)).to.be.lessThan(1e-5);
        },
      ),
    );
  });

  it('does not exist once as much came back as was paid', () => {
    const market = { venue: 'curve' as const, ...LAUNCHED };
    expect(evenCap(market, 1_000_000n, { paid: 5n, received: 5n }, TOKEN_SUPPLY)).to.equal(undefined);
  });
});
