// trade() on a curve of the cluster. threat: last-tokens
import { Connection, SendTransactionError, type VersionedTransaction } from '@solana/web3.js';
import { expect } from 'chai';
import {
  GRADUATION_VIRTUAL_TOKEN,
  isSlippageError,
  ProgramError,
  quoteBuy,
  quoteBuyExactOut,
  quoteSell,
} from '@curvekit/sdk';
import { launch, trade, type TradeParams } from '@curvekit/sdk/trade';
import { useCluster } from '../../../tests/support/cluster/cluster.js';
import { SOL } from '../../../tests/support/constants.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { buyTokens, curveState } from '../../../tests/support/program/tokens.js';
import { senderOf, signerOf, useTrader, type Trader } from '../../../tests/support/program/trader.js';

const TOKEN_ACCOUNT_RENT = 2_039_280n;
const TOKENS = 10n ** 12n;
const POLLING = ['getEpochInfo', 'getSignatureStatuses', 'getTransaction'];
const TERMS = { name: 'One Call', symbol: 'CALL', uri: 'https://example.org/call.json' };

describe('a trade in one call', () => {
  const cluster = useCluster();
  const trader = useTrader(cluster);
  let { token, wallet, proxy, proxied, held, balance } = {} as Trader;
  beforeEach(() => ({ token, wallet, proxy, proxied, held, balance } = trader()));

  const common = () => ({ mint: token.mint, wallet });
  const signer = () => signerOf(wallet);

  it('Given a wallet with SOL, when it buys and sells, then the results equal the quotes and the balance changes', async () => {
    const { connection } = cluster();
    const quote = quoteBuy(await curveState(cluster(), token), SOL);
    const before = await balance();
    const bought = await trade(connection, { ...common(), solToSpend: SOL });
    expect(bought).to.include({ side: 'buy', venue: 'curve', solAmount: SOL, swap: undefined });
    expect(bought).to.include({ tokenAmount: quote.tokenOut, platformFee: quote.fee });
    expect(bought.price).to.deep.equal({ lamports: SOL, tokenUnits: quote.tokenOut });
    expect(bought.record?.virtualSol).to.equal(quote.virtualSol);
    expect(await held()).to.equal(quote.tokenOut);
    expect(bought.walletChange).to.equal((await balance()) - before);
    expect(bought.walletChange).to.equal(-(SOL + bought.networkFee + TOKEN_ACCOUNT_RENT));

    const expected = quoteSell(await curveState(cluster(), token), quote.tokenOut);
    const sold = await trade(connection, { ...common(), tokenToSpend: 'all', closeTokenAccount: true });
    expect(sold).to.include({ side: 'sell', tokenAmount: quote.tokenOut, solAmount: expected.solOut });
    expect(sold.walletChange).to.equal(expected.solOut - sold.networkFee + TOKEN_ACCOUNT_RENT);
    const { value } = await connection.getSignatureStatuses([bought.signature, sold.signature]);
    expect(value.map((status) => status?.slot)).to.deep.equal([bought.slot, sold.slot]);
  });

  it('Given exact amounts to receive, when the price does not move, then they are delivered at the lowest cost', async () => {
    const { connection } = cluster();
    const { solToSpend } = quoteBuyExactOut(await curveState(cluster(), token), TOKENS);
    const bought = await trade(connection, { ...common(), tokenToReceive: TOKENS });
    expect(bought.solAmount).to.equal(solToSpend);
    expect(bought.tokenAmount >= TOKENS).to.equal(true);
    // The excess is worth less than one lamport.
    const state = await curveState(cluster(), token);
    expect(bought.tokenAmount - TOKENS <= state.virtualToken / state.virtualSol + 1n).to.equal(true);

    const sold = await trade(connection, { ...common(), solToReceive: 1_000_000n });
    expect(sold.solAmount >= 1_000_000n).to.equal(true);
    expect(sold.solAmount <= 1_000_001n).to.equal(true);
  });

  it('Given an exact amount, when the price moves while the wallet signs, then the trade is quoted and signed again, within the slippage', async () => {
    const { connection } = cluster();
    let signatures = 0;
    const slow = {
      publicKey: wallet.publicKey,
      signTransaction: async (transaction: VersionedTransaction) => {
        signatures += 1;
        if (signatures === 1) await buyTokens(cluster(), token, cluster().payer, SOL / 20n);
        return signer().signTransaction(transaction);
      },
    };
    const first = quoteBuyExactOut(await curveState(cluster(), token), TOKENS).solToSpend;
    const params = { mint: token.mint, wallet: slow, tokenToReceive: TOKENS };
    const { solAmount, tokenAmount } = await trade(connection, params);
    expect(signatures).to.equal(2);
    expect(tokenAmount >= TOKENS).to.equal(true);
    expect(solAmount > first && solAmount <= (first * 101n) / 100n).to.equal(true);

    signatures = 0;
    const before = await held();
    const error = await rejection(trade(connection, { ...params, slippageBps: 0 }), Error);
    expect(isSlippageError(error)).to.equal(true);
    expect(error.message).to.match(/more than the \d+ that the slippage allows; quote again/);
    expect(await held()).to.equal(before);
  });

  describe('Given a curve that a buy is about to close, when another wallet buys while the wallet signs,', () => {
    const order = { solToSpend: SOL, slippageBps: 100 };
    let signed: string[];

    /** The cluster's payer buys until about `units` base units are left. */
    const leave = async (units: bigint) => {
      const state = await curveState(cluster(), token);
      const others = state.virtualToken - GRADUATION_VIRTUAL_TOKEN - units;
      await buyTokens(cluster(), token, cluster().payer, quoteBuyExactOut(state, others).solToSpend);
    };

    async function buyWhile(others: () => Promise<void>) {
      signed = [];
      const slow = {
        publicKey: wallet.publicKey,
        signTransaction: async (transaction: VersionedTransaction) => {
          if (signed.length === 0) await others();
          return signer().signTransaction(transaction);
        },
      };
      const onSigned = (signature: string) => signed.push(signature);
      return trade(cluster().connection, { mint: token.mint, wallet: slow, ...order, onSigned });
    }

    it('and leaves dust, then the buy is signed again, calls onSigned again, and closes the curve within the bound plus two lamports', async () => {
      await leave(10n ** 9n);
      const { minTokenToReceive } = quoteBuy(await curveState(cluster(), token), SOL, order.slippageBps);
      const { solAmount, tokenAmount, record, signature } = await buyWhile(() => leave(10_000n));
      expect(tokenAmount > 0n && tokenAmount <= 10_000n).to.equal(true);
      expect(record!.finalized).to.equal(true);
      expect(tokenAmount * SOL >= minTokenToReceive * (solAmount - 2n)).to.equal(true);
      expect(tokenAmount * SOL < minTokenToReceive * solAmount).to.equal(true);
      expect([signed.length, signed.at(-1)]).to.deep.equal([2, signature]);
    });

    it('and moves the price beyond the slippage, then the buy is refused with an explanation and costs nothing', async () => {
      await leave(10n ** 14n);
      const before = await balance();
      const error = await rejection(
        buyWhile(() => leave(10n ** 12n)),
        ProgramError,
      );
      expect(error.message).to.match(/^SlippageError \(6003\): 1000000000 lamports buy at the price of \d+ /);
      expect(error.message).to.match(/no fewer than \d+; nothing was bought, quote again$/);
      expect(isSlippageError(error.cause)).to.equal(true);
      expect(signed).to.have.lengthOf(1);
      expect(await balance()).to.equal(before);
    });
  });

  it('Given a proxy that counts requests, when a wallet trades, then it makes four requests in addition to polling, and asks for the rent once', async () => {
    const requests = async (params: TradeParams): Promise<Record<string, number>> => {
      const before = new Map(proxy.calls);
      await trade(proxied, params);
      const calls = [...proxy.calls].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const);
      return Object.fromEntries(calls.filter(([name, count]) => count > 0 && !POLLING.includes(name)));
    };
    const four = {
      getMultipleAccounts: 1,
      getRecentPrioritizationFees: 1,
      simulateTransaction: 1,
      sendTransaction: 1,
    };
    const first = { ...four, getMinimumBalanceForRentExemption: 1 };
    expect(await requests({ ...common(), solToSpend: SOL })).to.deep.equal(first);
    expect(await requests({ ...common(), solToSpend: SOL })).to.deep.equal(four);
    expect(await requests({ ...common(), tokenToReceive: TOKENS })).to.deep.equal(four);
    expect(await requests({ ...common(), tokenToSpend: 1_000_000n })).to.deep.equal(four);
    expect(proxy.calls.get('getTransaction')).to.be.at.least(3);
  });

  it('Given recent fees, when a trade is made, then it pays that priority fee, up to the highest allowed', async () => {
    proxy.rewrite(({ method }, result) =>
      method === 'getRecentPrioritizationFees' ? [{ slot: 1, prioritizationFee: 10 ** 9 }] : result,
    );
    const prices: bigint[] = [];
    const noting = {
      publicKey: wallet.publicKey,
      signTransaction: (transaction: VersionedTransaction) => {
        const [, price] = transaction.message.compiledInstructions;
        prices.push(Buffer.from(price!.data).readBigUInt64LE(1));
        return signer().signTransaction(transaction);
      },
    };
    const params = { mint: token.mint, wallet: noting, solToSpend: SOL };
    await trade(proxied, params);
    await trade(proxied, { ...params, highestComputeUnitPrice: 7n });
    await trade(proxied, { ...params, computeUnitPrice: 9n });
    expect(prices).to.deep.equal([1_000_000n, 7n, 9n]);
  });

  it('Given callbacks, when a trade is made, then they are called at each step, and their errors are ignored', async () => {
    const steps: string[] = [];
    const note = (step: string) => (signature: string) => {
      steps.push(`${step} ${signature}`);
      throw new Error('a display that fails');
    };
    const callbacks = { onSigned: note('signed'), onSent: note('sent'), onConfirmed: note('confirmed') };
    const result = await trade(cluster().connection, {
      mint: token.mint,
      wallet: signer(),
      solToSpend: SOL,
      ...callbacks,
    });
    const { signature } = result;
    expect(steps).to.deep.equal([`signed ${signature}`, `sent ${signature}`, `confirmed ${signature}`]);
  });

  it('Given a wallet that signs and sends by itself, when it returns the signature, then the trade is tracked to its result', async () => {
    const { connection } = cluster();
    const sending = senderOf(cluster(), wallet);
    const { tokenAmount } = await trade(connection, { mint: token.mint, wallet: sending, solToSpend: SOL });
    expect(await held()).to.equal(tokenAmount);
    const launched = await launch(connection, { wallet: sending, ...TERMS });
    expect(launched.record.name).to.equal('One Call');
  });

  it('Given a node that takes no transactions, when other nodes or a sender are given, then they send the transaction', async () => {
    const { connection } = cluster();
    const lame = new Connection(cluster().rpcUrl, 'confirmed');
    lame.sendRawTransaction = () => Promise.reject(new Error('503'));
    const many = await trade(lame, { ...common(), solToSpend: SOL, sendConnections: [connection] });
    expect(many.solAmount).to.equal(SOL);
    let sent = 0;
    const sender = (transaction: VersionedTransaction) => {
      sent += 1;
      return connection.sendRawTransaction(transaction.serialize());
    };
    const own = await trade(lame, { ...common(), solToSpend: SOL, sender });
    expect(own.solAmount).to.equal(SOL);
    expect(sent).to.equal(1);
  });

  it('Given a node that refuses and one that disconnects, when the second still forwards the transaction, then it is not signed again', async () => {
    const { connection } = cluster();
    const refusing = new Connection(cluster().rpcUrl, 'confirmed');
    refusing.sendRawTransaction = () => {
      const transactionMessage =
        'Transaction simulation failed: Error processing Instruction 3: custom program error: 0x1773';
      return Promise.reject(new SendTransactionError({ action: 'send', signature: '', transactionMessage }));
    };
    const breaking = new Connection(cluster().rpcUrl, 'confirmed');
    // It forwards the transaction later, although the request fails.
    breaking.sendRawTransaction = (bytes) => {
      setTimeout(() => void connection.sendRawTransaction(bytes), 300);
      return Promise.reject(new Error('ECONNRESET'));
    };
    let signatures = 0;
    const counting = {
      publicKey: wallet.publicKey,
      signTransaction: (transaction: VersionedTransaction) => {
        signatures += 1;
        return signer().signTransaction(transaction);
      },
    };
    const params = { mint: token.mint, wallet: counting, tokenToReceive: TOKENS };
    const { tokenAmount } = await trade(refusing, { ...params, sendConnections: [breaking] });
    expect(signatures).to.equal(1);
    expect(await held()).to.equal(tokenAmount);
    signatures = 0;
    expect(isSlippageError(await rejection(trade(refusing, params), Error))).to.equal(true);
    expect(signatures).to.equal(3);
  });
});
