// The same trade() call on the curve, during the graduation, and in the pool. threat: late-pool, moving-pool
import { Connection, SYSVAR_CLOCK_PUBKEY, type Keypair, type VersionedTransaction } from '@solana/web3.js';
import { expect } from 'chai';
import {
  AMM,
  associatedTokenAddress,
  buy,
  InstructionError,
  isSlippageError,
  NATIVE_MINT_ADDRESS,
  positionOf,
  quoteBuy,
  quoteBuyExactOut,
  quoteSell,
  sell,
  type TradingMovedError,
  type PoolMarket,
  wrapSol,
} from '@curvekit/sdk';
import { InsufficientSolError, trade } from '@curvekit/sdk/trade';
import { SOL } from '#tests/constants.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { describeOnAmms } from '#tests/graduation/amms.js';
import {
  launchTrading,
  marketOf,
  MORE_THAN_A_CURVE,
  openPool,
  opensSoon,
  sendGraduation,
  untilOpen,
  type GraduatingToken,
} from '#tests/graduation/graduating.js';
import { FLAVOURS, type Params } from '#tests/kit/flavours.js';
import { rejection } from '#tests/mocha/failures.js';
import { startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { buyTokens, tokensOf } from '#tests/program/tokens.js';

const TOKEN_ACCOUNT_RENT = 2_039_280n;
const TOKENS = 10n ** 12n;
const NETWORK_FEE = 5_000n;
const UNIX_TIMESTAMP = 32;

interface AccountJson {
  readonly data: readonly [base64: string, encoding: string];
}

/** The clock sysvar account with another time. */
function withTime(account: AccountJson, unixTimestamp: bigint): AccountJson {
  const [text, encoding] = account.data;
  const data = Buffer.from(text, 'base64');
  data.writeBigInt64LE(unixTimestamp, UNIX_TIMESTAMP);
  return { ...account, data: [data.toString('base64'), encoding] };
}

describeOnAmms('a trade in one call, before and after graduation', (cluster) => {
  let token: GraduatingToken;
  let wallet: Keypair;

  beforeEach(async () => {
    token = await launchTrading(cluster());
    wallet = await cluster().fundedWallet(20n * SOL);
  });

  const common = () => ({ mint: token.mint, wallet, deployment: cluster().deployment });
  const account = () => associatedTokenAddress(wallet.publicKey, token.mint).address;
  const held = () => tokensOf(cluster().connection, account());
  const wrapped = () => associatedTokenAddress(wallet.publicKey, NATIVE_MINT_ADDRESS).address;

  const market = () => marketOf(cluster(), token);

  for (const [name, load] of FLAVOURS) {
    it(`Given a token, when ${name} buys it on the curve, and sells it in the pool, then each result equals its quote`, async () => {
      const { connection, rpcUrl } = cluster();
      const library = await load();
      const tradeWith = (params: Params) => library.trade(library.client(rpcUrl), { ...common(), ...params });
      expect((await tradeWith({ solToSpend: SOL })).venue).to.equal('curve');

      await buyTokens(cluster(), token, cluster().payer, MORE_THAN_A_CURVE);
      const closed = await rejection(tradeWith({ solToSpend: SOL }), Error);
      expect(closed).to.include({ code: 6001, venue: 'graduating' });
      expect(String((closed as TradingMovedError).poolAddress)).to.equal(String(token.pool.pool));
      const graduating = await market();
      await sendGraduation(cluster(), token);
      await untilOpen(cluster(), token);

      const quote = quoteBuy(await market(), SOL);
      const before = await lamportsOf(connection, wallet.publicKey);
      const bought = await tradeWith({ solToSpend: SOL });
      expect(bought).to.include({ venue: 'pool', solAmount: SOL, tokenAmount: quote.tokenOut });
      expect(bought).to.include({ platformFee: 0n, record: undefined });
      expect(bought.swap?.trader).to.equal(wallet.publicKey.toBase58());
      expect(bought.walletChange).to.equal(-(SOL + bought.networkFee));
      expect(before + bought.walletChange).to.equal(await lamportsOf(connection, wallet.publicKey));

      const all = await held();
      const { solOut } = quoteSell(await market(), all);
      const traded = { tokenAmount: quote.tokenOut, paid: SOL, received: 1n };
      const position = { saleValue: solOut, untraded: all - quote.tokenOut, profit: solOut + 1n - SOL };
      expect(positionOf(await market(), all, traded)).to.include(position);
      expect(positionOf(graduating, all, traded)).to.include({ saleValue: null, profit: null });
      expect(positionOf(graduating, 0n, traded)).to.include({ saleValue: 0n, profit: 1n - SOL });
      const sold = await tradeWith({ tokenToSpend: 'all', closeTokenAccount: true });
      expect(sold).to.include({ venue: 'pool', side: 'sell', tokenAmount: all, solAmount: solOut });
      expect(sold.walletChange).to.equal(solOut - sold.networkFee + TOKEN_ACCOUNT_RENT);
      expect(await connection.getAccountInfo(wrapped())).to.equal(null);
      const none = await rejection(tradeWith({ tokenToSpend: 'all' }), Error);
      expect(none.name).to.equal('NoTokenAccountError');
    });
  }

  it('Given a pool, when exact amounts are wanted, then they cost the least, and a price change within the slippage is quoted again', async () => {
    await openPool(cluster(), token);
    const { connection } = cluster();
    const { solToSpend } = quoteBuyExactOut(await market(), TOKENS);
    const bought = await trade(connection, { ...common(), tokenToReceive: TOKENS });
    expect(bought.solAmount).to.equal(solToSpend);
    expect(bought.tokenAmount >= TOKENS && bought.tokenAmount < TOKENS + 100_000n).to.equal(true);
    const sold = await trade(connection, { ...common(), solToReceive: 1_000_000n });
    expect(sold.solAmount >= 1_000_000n && sold.solAmount <= 1_000_001n).to.equal(true);

    let signatures = 0;
    const mover = cluster().payer;
    const slow = (lamports: bigint) => ({
      publicKey: wallet.publicKey,
      signTransaction: async (transaction: VersionedTransaction) => {
        signatures += 1;
        const move = { mint: token.mint, wallet: mover, solToSpend: lamports, slippageBps: 9_999 };
        if (signatures === 1) await trade(connection, { ...move, deployment: cluster().deployment });
        transaction.sign([wallet]);
        return transaction;
      },
    });
    const params = { ...common(), tokenToReceive: TOKENS };
    const moved = await trade(connection, { ...params, wallet: slow(SOL / 10n) });
    expect(signatures).to.equal(2);
    expect(moved.tokenAmount >= TOKENS).to.equal(true);
    signatures = 0;
    const error = await rejection(trade(connection, { ...params, wallet: slow(30n * SOL) }), Error);
    expect(isSlippageError(error)).to.equal(true);
    expect(signatures).to.equal(1);
  });

  describe('Given a pool that opens in a second', () => {
    let proxy: RpcProxy;
    let node: Connection;
    let signatures: number;

    beforeEach(async () => {
      proxy = await startRpcProxy(cluster().rpcUrl);
      node = new Connection(proxy.url, { commitment: 'confirmed', disableRetryOnRateLimit: true });
      signatures = 0;
    });

    afterEach(() => proxy.stop());

    const counting = () => ({
      publicKey: wallet.publicKey,
      signTransaction: (transaction: VersionedTransaction) => {
        signatures += 1;
        transaction.sign([wallet]);
        return Promise.resolve(transaction);
      },
    });

    /** Makes simulations fail as before the opening until `isOver()`, and sets the clock relative to the opening. */
    function refuse(timeFromOpening: bigint, isOver: () => boolean): void {
      const logs = [`Program ${AMM.programId.toBase58()} failed: custom program error: 0x1770`];
      proxy.rewrite(async ({ method, params }, result) => {
        if (method === 'simulateTransaction' && !isOver()) {
          const { context, value } = result as { context: unknown; value: object };
          return { context, value: { ...value, err: { InstructionError: [6, { Custom: 6000 }] }, logs } };
        }
        if (params[0] !== SYSVAR_CLOCK_PUBKEY.toBase58()) return result;
        const { context, value } = result as { context: unknown; value: AccountJson };
        const { pool } = (await market()) as PoolMarket;
        return { context, value: withTime(value, pool.openTime + timeFromOpening) };
      });
    }

    const simulations = () => proxy.calls.get('simulateTransaction');
    const buying = (options: { readonly signal?: AbortSignal } = {}) =>
      trade(node, { ...common(), wallet: counting(), solToSpend: SOL, ...options });

    it('when a wallet trades at once, then the trade waits for the opening instead of failing', async () => {
      await buyTokens(cluster(), token, cluster().payer, MORE_THAN_A_CURVE);
      await sendGraduation(cluster(), token);
      const [{ venue }] = await Promise.all([buying(), opensSoon(cluster(), token)]);
      expect([venue, signatures]).to.deep.equal(['pool', 1]);
    });

    it('when it opens late, or the simulating node lags behind, then the trade continues as soon as a simulation succeeds', async () => {
      await openPool(cluster(), token);
      for (const timeFromOpening of [-1n, 1n]) {
        const before = simulations() ?? 0;
        refuse(timeFromOpening, () => simulations()! > before + 2);
        signatures = 0;
        expect([(await buying()).venue, signatures]).to.deep.equal(['pool', 1]);
        expect(simulations()).to.equal(before + 3);
      }
    });

    it('when the AMM refuses long after the opening, then the trade waits no longer than for a refusal that may pass', async () => {
      await openPool(cluster(), token);
      refuse(60n, () => false);
      expect((await rejection(buying(), InstructionError)).reason).to.equal('NotApproved');
      expect([simulations(), signatures]).to.deep.equal([4, 0]);
    });

    it('when the waiting is aborted, then the wallet is not asked to sign', async () => {
      await openPool(cluster(), token);
      refuse(-1n, () => false);
      const error = await rejection(buying({ signal: AbortSignal.timeout(300) }), DOMException);
      expect([error.name, signatures]).to.deep.equal(['TimeoutError', 0]);
    });
  });

  it('Given a pool, when a wallet has too little SOL, then the needed sum includes the rent of the wrapped SOL account', async () => {
    await openPool(cluster(), token);
    wallet = await cluster().fundedWallet(SOL);
    const params = { ...common(), solToSpend: SOL, computeUnitPrice: 0n };
    const error = await rejection(trade(cluster().connection, params), InsufficientSolError);
    expect(error.costs).to.deep.equal({ amount: SOL, rent: 2n * TOKEN_ACCOUNT_RENT, fees: 5_000n, kept: 0n });
    wallet = await cluster().fundedWallet(error.needed);
    const { walletChange } = await trade(cluster().connection, { ...params, wallet });
    expect(walletChange).to.equal(-(SOL + TOKEN_ACCOUNT_RENT + NETWORK_FEE));
  });

  it('Given a price that moves beyond the slippage, when the trade lands, then the AMM refuses it and the wallet pays only the network fee', async () => {
    await openPool(cluster(), token);
    const { deployment, payer } = cluster();
    const stale = { market: await market(), solToSpend: SOL, deployment };
    const { minTokenToReceive } = quoteBuy(stale.market, SOL, 50);
    await cluster().send(buy({ ...stale, payer: payer.publicKey, minTokenToReceive: 0n }), [payer]);
    const before = await lamportsOf(cluster().connection, wallet.publicKey);
    const late = buy({ ...stale, payer: wallet.publicKey, minTokenToReceive });
    const error = await rejection(cluster().send(late, [wallet]), InstructionError);
    expect(error).to.include({ programId: AMM.programId.toBase58(), reason: 'ExceededSlippage' });
    expect(isSlippageError(error)).to.equal(true);
    expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(before - NETWORK_FEE);
  });

  it('Given a wallet with wrapped SOL, when it trades with keepWrappedSol, then its SOL stays wrapped', async () => {
    await openPool(cluster(), token);
    const { connection, deployment } = cluster();
    await cluster().send(wrapSol(wallet.publicKey, SOL), [wallet]);
    const params = { payer: wallet.publicKey, solToSpend: SOL, minTokenToReceive: 0n, deployment };
    await cluster().send(buy({ ...params, market: await market(), keepWrappedSol: true }), [wallet]);
    expect(await tokensOf(connection, wrapped())).to.equal(SOL);
    const live = await market();
    const tokenToSpend = await held();
    const { solOut } = quoteSell(live, tokenToSpend);
    const all = { market: live, payer: wallet.publicKey, tokenToSpend, minSolToReceive: solOut, deployment };
    await cluster().send(sell({ ...all, keepWrappedSol: true, closeTokenAccount: true }), [wallet]);
    expect(await tokensOf(connection, wrapped())).to.equal(SOL + solOut);
    await cluster().send(buy({ ...params, market: await market() }), [wallet]);
    expect(await connection.getAccountInfo(wrapped())).to.equal(null);
  });
});
