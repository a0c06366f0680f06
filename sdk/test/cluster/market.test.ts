// Markets of a launchpad whose fee receiver is a keypair, whose owner migrates the curves. For launchpads with the
// graduation program see tests/graduation/trade.test.ts.
import { expect } from 'chai';
import { buy, fetchMarket, migrate, quoteBuy, TradingMovedError, type Market } from '@curvekit/sdk';
import { useKeyHeldCluster } from '../../../tests/support/cluster/cluster.js';
import {
  buyTokens,
  launch,
  WHOLE_CURVE_LAMPORTS,
  type Token,
} from '../../../tests/support/program/tokens.js';
import { SOL } from '../../../tests/support/constants.js';

describe('a market whose operator migrates the curves', () => {
  const cluster = useKeyHeldCluster();

  async function market({ mint }: Pick<Token, 'mint'>): Promise<Market | null> {
    const { connection, deployment } = cluster();
    return fetchMarket(connection, mint, { deployment });
  }

  it('Given a token, when it trades, graduates and is migrated, then its market has the matching venue, and no pool address', async () => {
    const { deployment, feeReceiver, payer } = cluster();
    const token = await launch(cluster());
    const trading = (await market(token))!;
    expect(trading.venue).to.equal('curve');
    const { solToSpend, minTokenToReceive } = quoteBuy(trading, SOL);
    const params = { market: trading, payer: payer.publicKey, solToSpend, minTokenToReceive, deployment };
    await cluster().send(buy(params), [payer]);

    await buyTokens(cluster(), token, payer, WHOLE_CURVE_LAMPORTS);
    const graduating = (await market(token))!;
    expect(graduating).to.deep.include({ venue: 'graduating', poolAddress: undefined });
    expect(() => quoteBuy(graduating, SOL)).to.throw(
      TradingMovedError,
      'when the operator has opened its pool',
    );

    await cluster().fund(feeReceiver.publicKey, SOL);
    await cluster().send(migrate({ mint: token.mint, deployment }), [feeReceiver]);
    const migrated = (await market(token))!;
    expect(migrated.venue).to.equal('unknown');
    expect(() => quoteBuy(migrated, SOL))
      .to.throw(TradingMovedError)
      .that.includes({ venue: 'unknown' });
  });
});
