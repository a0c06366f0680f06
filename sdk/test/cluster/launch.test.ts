// One call for a launch, on a cluster.
import { Keypair } from '@solana/web3.js';
import { expect } from 'chai';
import { InvalidArgumentError } from '@curvekit/sdk';
import { InsufficientSolError, launch } from '@curvekit/sdk/trade';
import { lamportsOf } from '../../../tests/support/cluster/accounts.js';
import { useCluster } from '../../../tests/support/cluster/cluster.js';
import { SOL } from '../../../tests/support/constants.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { heldBy, signerOf, useTrader, type Trader } from '../../../tests/support/program/trader.js';

const TERMS = { name: 'One Call', symbol: 'CALL', uri: 'https://example.org/call.json' };

describe('a launch in one call', () => {
  const cluster = useCluster();
  const trader = useTrader(cluster);
  let { wallet, proxied, balance } = {} as Trader;
  beforeEach(() => ({ wallet, proxied, balance } = trader()));

  const signer = () => signerOf(wallet);

  it('Given a first buy, when a token is launched, then the result equals what the creator has bought', async () => {
    const before = await balance();
    const result = await launch(proxied, { wallet, ...TERMS, afterMigrationFee: 100, firstBuy: SOL });
    expect(result.record).to.include({
      name: 'One Call',
      symbol: 'CALL',
      afterMigrationFee: 100,
      burnBp: 0,
    });
    expect(await heldBy(cluster(), wallet, { mint: result.mint.publicKey })).to.equal(
      result.firstBuy?.tokenAmount,
    );
    expect(result.firstBuy).to.include({ solAmount: SOL, platformFee: SOL / 100n });
    expect(result.walletChange).to.equal((await balance()) - before);
  });

  it('Given a mint address that already holds lamports, when a token is launched there, then the launch succeeds', async () => {
    const mint = Keypair.generate();
    await cluster().fund(mint.publicKey, 1_000_000n);
    const { firstBuy, record } = await launch(cluster().connection, { wallet: signer(), mint, ...TERMS });
    expect(firstBuy).to.equal(undefined);
    expect(record.mint.equals(mint.publicKey)).to.equal(true);
    const again = launch(cluster().connection, { wallet, mint, ...TERMS });
    expect((await rejection(again, InvalidArgumentError)).argument).to.equal('mint');
  });

  it('Given too little SOL, when a token is launched, then the error names the needed sum, and a launch with exactly this sum succeeds', async () => {
    const poor = await cluster().fundedWallet(SOL / 100n);
    const options = { ...TERMS, computeUnitPrice: 0n };
    const error = await rejection(
      launch(cluster().connection, { wallet: poor, ...options }),
      InsufficientSolError,
    );
    expect(error.message).to.match(/needs 0.02379776 SOL: 0.02378776 rent \+ 0.00001 fees; has 0.01$/);
    wallet = await cluster().fundedWallet(error.needed);
    const { walletChange } = await launch(cluster().connection, { wallet, ...options });
    // Some versions of Metaplex charge less. A wallet with exactly enough must not be refused.
    const exact = await cluster().fundedWallet(-walletChange);
    await launch(cluster().connection, { wallet: exact, ...options });
    expect(await lamportsOf(cluster().connection, exact.publicKey)).to.equal(0n);
  });
});
