// The messages of trade errors, and the sums in them.
import { PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { InvalidArgumentError } from '../src/errors/index.js';
import {
  InsufficientSolError,
  InsufficientTokensError,
  NoTokenAccountError,
  WrongClusterError,
} from '../src/trade/errors.js';
import { requireSol } from '../src/trade/funds.js';
import { orderOf } from '../src/trade/order.js';
import { type TradeAmount } from '../src/trade/options.js';

const WALLET = new PublicKey('4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T');
const MINT = new PublicKey('So11111111111111111111111111111111111111112');
const SOL = 1_000_000_000n;

describe('messages of trade errors', () => {
  it('too little SOL: the parts add up to the sum, and parts of 0 are left out', () => {
    const costs = { amount: SOL, rent: 2_039_280n, fees: 1_060_000n, kept: 0n };
    const error = new InsufficientSolError(WALLET, costs, SOL / 2n);
    expect(error.message).to.equal(
      `wallet ${WALLET.toBase58()} needs 1.00309928 SOL: 1 + 0.00203928 rent + 0.00106 fees; has 0.5`,
    );
    expect(error.needed).to.equal(1_003_099_280n);
    const fees = new InsufficientSolError(WALLET, { amount: 0n, rent: 0n, fees: 5_000n, kept: 0n }, 0n);
    expect(fees.message).to.match(/needs 0\.000005 SOL: 0\.000005 fees; has 0$/);
  });

  it('too few tokens, no token account, wrong cluster: they say what is wrong and what to do', () => {
    expect(new InsufficientTokensError(WALLET, MINT, 2_500_000n, 1n).message).to.equal(
      `wallet ${WALLET.toBase58()} needs 2.5 tokens of ${MINT.toBase58()}; has 0.000001`,
    );
    expect(new NoTokenAccountError(WALLET, MINT, MINT).message).to.include('buy first');
    expect(new WrongClusterError(MINT, 'api.devnet.solana.com').message).to.match(
      /no properties on the cluster of api\.devnet\.solana\.com; use an RPC node/,
    );
  });

  const costs = { amount: SOL, rent: 0n, fees: 5_000n };
  const rent = (bytes: number) => 6_960n * BigInt(128 + bytes);
  for (const [left, isRefused] of [
    [-1n, true],
    [0n, false],
    [1n, true],
    [890_879n, true],
    [890_880n, false],
  ] as const) {
    it(`a buy that leaves ${left} lamports is ${isRefused ? 'refused' : 'made'}`, () => {
      const check = () => requireSol(WALLET, SOL + 5_000n + left, costs, rent);
      if (isRefused) expect(check).to.throw(InsufficientSolError);
      else check();
    });
  }

  it('a sell needs only its fees, because it pays SOL before the runtime checks the rent of the wallet', () => {
    requireSol(WALLET, 895_000n, { amount: 0n, rent: 0n, fees: 5_000n }, rent);
    expect(() => requireSol(WALLET, 4_999n, { amount: 0n, rent: 0n, fees: 5_000n }, rent)).to.throw(
      InsufficientSolError,
    );
  });
});

describe('orders', () => {
  it('get side and exactness from the one given amount', () => {
    expect(orderOf({ solToSpend: 1n })).to.include({ side: 'buy', isExactOut: false });
    expect(orderOf({ tokenToReceive: 1n })).to.include({ side: 'buy', isExactOut: true });
    expect(orderOf({ tokenToSpend: 'all' })).to.include({ side: 'sell', isExactOut: false, amount: 'all' });
    expect(orderOf({ solToReceive: 1n })).to.include({ side: 'sell', isExactOut: true });
  });

  for (const [what, amounts, argument] of [
    ['none', {}, 'amount'],
    ['two', { solToSpend: 1n, solToReceive: 1n }, 'amount'],
    ['nothing', { tokenToSpend: 0n }, 'tokenToSpend'],
    ['all of what only a sale has', { solToSpend: 'all' }, 'solToSpend'],
    ['a number', { solToReceive: 1 }, 'solToReceive'],
    ['beyond u64', { tokenToReceive: 2n ** 64n }, 'tokenToReceive'],
  ] as const) {
    it(`${what}: an InvalidArgumentError that names ${argument}`, () => {
      expect(() => orderOf(amounts as unknown as TradeAmount))
        .to.throw(InvalidArgumentError)
        .with.property('argument', argument);
    });
  }
});
