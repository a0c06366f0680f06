// Decodes the swaps of a pool from transactions, and computes the pool's reserves after them. threat: falsified-chart, swap-of-another
import { type Keypair, type PublicKey, TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import {
  AMM,
  associatedTokenAddress,
  buy,
  createTokenAccountIfMissing,
  fetchTransaction,
  NATIVE_MINT_ADDRESS,
  poolAfterSwap,
  poolTrade,
  sell,
  wrapSol,
  type PoolMarket,
  type PoolSide,
  type PoolState,
  type PoolSwap,
} from '@curvekit/sdk';
import { decodeSwaps } from '@curvekit/sdk/feed';
import { describeOnAmms } from '#tests/graduation/amms.js';
import { launchTrading, marketOf, openPool, type GraduatingToken } from '#tests/graduation/graduating.js';
import { tokensOf } from '#tests/program/tokens.js';
import { SOL } from '#tests/constants.js';

const SWAP_BASE_OUTPUT = [55, 217, 98, 86, 163, 74, 180, 173];

describeOnAmms('swaps of a pool', (cluster) => {
  let token: GraduatingToken;
  let trader: Keypair;

  before(async () => {
    token = await launchTrading(cluster());
    trader = await cluster().fundedWallet(50n * SOL);
    await openPool(cluster(), token);
  });

  const pool = async () => (await marketOf(cluster(), token)) as PoolMarket;
  const transactionOf = async (signature: string) =>
    (await fetchTransaction(cluster().connection, signature, 'confirmed'))!;
  /** A buy for one SOL. */
  const bought = async () =>
    cluster().send(buy({ ...(await params()), solToSpend: SOL, minTokenToReceive: 0n }), [trader]);

  /** Expects that the decoded swaps match the pool accounts before and after. */
  async function expectSwaps(
    before: PoolState,
    signature: string,
    expected: readonly (Partial<PoolSwap> & { readonly input: PoolSide })[],
  ): Promise<void> {
    const found = AMM.swaps(await transactionOf(signature), (await pool()).addresses);
    expect(found.map(({ input }) => input)).to.deep.equal(expected.map(({ input }) => input));
    let [state, known] = [before, before];
    for (const [index, swap] of found.entries()) {
      expect(swap).to.include({ trader: trader.publicKey.toBase58(), ...expected[index] });
      if (swap.reservesBefore !== undefined) {
        expect(swap.reservesBefore).to.deep.equal({ sol: state.sol, token: state.token });
      }
      state = poolAfterSwap(state, swap);
      known = poolAfterSwap(known, { ...swap, reservesBefore: undefined });
    }
    expect(state, 'with the reserves in the log').to.deep.equal((await pool()).pool);
    expect(known, 'without them').to.deep.equal((await pool()).pool);
  }

  const params = async () => ({
    market: await pool(),
    payer: trader.publicKey,
    deployment: cluster().deployment,
  });
  const tokens = () =>
    tokensOf(cluster().connection, associatedTokenAddress(trader.publicKey, token.mint).address);

  it('Given a buy and a sale, when their transactions are read, then amounts and reserves equal those on chain', async () => {
    const first = await pool();
    const { signature } = await bought();
    const { amountOut } = poolTrade(first.pool, 'sol', SOL);
    await expectSwaps(first.pool, signature, [{ input: 'sol', amountIn: SOL, amountOut }]);

    const second = await pool();
    const tokenToSpend = (await tokens()) / 3n;
    const sold = await cluster().send(sell({ ...(await params()), tokenToSpend, minSolToReceive: 0n }), [
      trader,
    ]);
    await expectSwaps(second.pool, sold.signature, [{ input: 'token', amountIn: tokenToSpend }]);
  });

  it("when a swap is decoded, then its time is the cluster's; a time in 1970 is unknown", async () => {
    const transaction = await transactionOf((await bought()).signature);
    const { deployment } = cluster();
    const timeOf = (change?: { readonly blockTime: unknown }) =>
      decodeSwaps({ ...transaction, ...change }, { deployment }).map(({ data }) => data.timestamp);
    const [time] = timeOf();
    expect(Number(time)).to.be.closeTo(Number((await cluster().clock()).unixTimestamp), 5);
    expect(timeOf({ blockTime: 1_800_000 })).to.deep.equal([undefined]);
    expect(timeOf({ blockTime: 1_584_368_940 })).to.deep.equal([1_584_368_940n]);
    expect(timeOf({ blockTime: 1_800_000_000n })).to.deep.equal([1_800_000_000n]);
  });

  it('Given several swaps in one transaction, an exact output among them, when it is read, then the result has all of them in order', async () => {
    const live = await pool();
    const [wsol, held] = [NATIVE_MINT_ADDRESS, token.mint].map(
      (mint) => associatedTokenAddress(trader.publicKey, mint).address,
    ) as [PublicKey, PublicKey];
    const amountIn = 100_000_007n;
    const exactIn = AMM.swap(live.addresses, {
      owner: trader.publicKey,
      input: 'sol',
      from: wsol,
      to: held,
      amountIn,
      minAmountOut: 0n,
    });
    const wanted = 123_456_789n;
    const data = Buffer.alloc(24);
    data.set(SWAP_BASE_OUTPUT);
    data.writeBigUInt64LE(SOL, 8);
    data.writeBigUInt64LE(wanted, 16);
    const exactOut = new TransactionInstruction({ programId: exactIn.programId, keys: exactIn.keys, data });
    const { signature } = await cluster().send(
      [
        createTokenAccountIfMissing(trader.publicKey, trader.publicKey, token.mint),
        ...wrapSol(trader.publicKey, 2n * SOL),
        exactIn,
        exactOut,
        exactIn,
      ],
      [trader],
    );
    await expectSwaps(live.pool, signature, [
      { input: 'sol', amountIn },
      { input: 'sol', amountOut: wanted },
      { input: 'sol', amountIn },
    ]);
  });

  it('Given a swap of another pool, or a failed swap, when the transaction is read, then the result is empty', async () => {
    const live = await pool();
    const other = AMM.addresses(trader.publicKey, token.mint);
    const transaction = await transactionOf((await bought()).signature);
    expect(AMM.swaps(transaction, live.addresses)).to.have.lengthOf(1);
    expect(AMM.swaps(transaction, other)).to.deep.equal([]);
    const failed = {
      ...transaction,
      meta: { ...transaction.meta!, err: { InstructionError: [0, 'Custom'] } },
    };
    expect(AMM.swaps(failed, live.addresses)).to.deep.equal([]);
  });
});
