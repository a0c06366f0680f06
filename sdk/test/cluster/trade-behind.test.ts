// Trades in a row through a pool of nodes where one is behind: over web3.js and Kit.
import { Connection, SendTransactionError } from '@solana/web3.js';
import { expect } from 'chai';
import { fetchMarket, RpcError } from '@curvekit/sdk';
import { trade } from '@curvekit/sdk/trade';
import { useCluster } from '../../../tests/support/cluster/cluster.js';
import { SOL } from '../../../tests/support/constants.js';
import { useBothTraders } from '../../../tests/support/kit/both-traders.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { RpcFailure, type RpcCall } from '../../../tests/support/node/rpc-proxy.js';
import { buyTokens } from '../../../tests/support/program/tokens.js';
import { useTrader, type Trader } from '../../../tests/support/program/trader.js';

const BEHIND = new RpcFailure(-32016, 'Minimum context slot has not been reached');
const STATE_METHODS = ['getMultipleAccounts', 'simulateTransaction'];

/** How a node answers that has not reached the slot of the request. */
function behind({ params }: RpcCall, result: unknown): unknown {
  return (params[1] as { minContextSlot?: number }).minContextSlot === undefined ? result : BEHIND;
}

interface Answer {
  readonly context: { readonly slot: number };
}

describe('a sale right after a buy, from a node that is behind', () => {
  const cluster = useCluster();
  const trader = useTrader(cluster);
  const libraries = useBothTraders(trader);
  let { token, wallet, proxy, proxied, held } = {} as Trader;
  beforeEach(() => ({ token, wallet, proxy, proxied, held } = trader()));

  for (const [name, tradeWith] of Object.entries(libraries)) {
    describe(`with ${name}`, () => {
      const buy = () => tradeWith({ solToSpend: SOL / 10n });
      const sell = () => tradeWith({ tokenToSpend: 'all' });

      for (const obeys of [true, false]) {
        const how = obeys ? 'and says so' : 'and ignores minContextSlot';
        it(`${how}: the sale waits for the node`, async () => {
          let old: Answer | undefined;
          proxy.rewrite(({ method }, result) => {
            if (method === 'getMultipleAccounts') old ??= result as Answer;
            return result;
          });
          const { tokenAmount } = await buy();
          let stale = 6;
          proxy.rewrite((call, result) => {
            const { method } = call;
            if (!STATE_METHODS.includes(method) || stale <= 0) return result;
            stale -= 1;
            if (obeys && behind(call, result) === BEHIND) return BEHIND;
            // A slot of the local cluster has several transactions, one after the other.
            const context = { slot: old!.context.slot - 1 };
            const state = method === 'getMultipleAccounts' ? old! : (result as Answer);
            return { ...state, context };
          });
          expect((await sell()).tokenAmount).to.equal(tokenAmount);
          expect([await held(), stale]).to.deep.equal([0n, 0]);
        });
      }

      it('only when it simulates: the sale waits for the node', async () => {
        await buy();
        let stale = 3;
        proxy.rewrite((call, result) =>
          call.method === 'simulateTransaction' && stale-- > 0 ? behind(call, result) : result,
        );
        await sell();
        expect([await held(), stale]).to.deep.equal([0n, -1]);
      });
    });
  }

  it('a node that does not know the blockhash yet: the same transaction is sent again', async () => {
    const sent: string[] = [];
    const connection = new Connection(cluster().rpcUrl, 'confirmed');
    const send = connection.sendRawTransaction.bind(connection);
    connection.sendRawTransaction = (bytes, options) => {
      sent.push(Buffer.from(bytes as Uint8Array).toString('base64'));
      expect(options).to.include({ skipPreflight: false }).and.to.have.property('minContextSlot');
      if (sent.length > 2) return send(bytes, options);
      const transactionMessage = 'Transaction simulation failed: Blockhash not found';
      return Promise.reject(new SendTransactionError({ action: 'send', signature: '', transactionMessage }));
    };
    const { tokenAmount } = await trade(connection, { mint: token.mint, wallet, solToSpend: SOL / 10n });
    expect(await held()).to.equal(tokenAmount);
    expect([sent.length, new Set(sent).size]).to.deep.equal([3, 1]);
  });

  for (const [name, tradeWith] of Object.entries(libraries)) {
    it(`with ${name}, that has not the token account yet: the sale asks again`, async () => {
      await buyTokens(cluster(), token, wallet, SOL / 10n);
      let stale = 2;
      proxy.rewrite(({ method }, result) => {
        if (method !== 'getMultipleAccounts' || stale-- <= 0) return result;
        const { context, value } = result as Answer & { value: unknown[] };
        return { context, value: value.with(1, null) };
      });
      await tradeWith({ tokenToSpend: 'all' });
      expect(await held()).to.equal(0n);
    });
  }

  it('for too long: the error says so, and not that there is nothing to sell', async () => {
    await trade(proxied, { mint: token.mint, wallet, solToSpend: SOL / 10n });
    proxy.rewrite((call, result) => (call.method === 'getMultipleAccounts' ? behind(call, result) : result));
    const selling = trade(proxied, { mint: token.mint, wallet, tokenToSpend: 'all', readTimeoutMs: 1_000 });
    const error = await rejection(selling, RpcError);
    expect(error).to.include({ code: -32016, isTemporary: true, method: 'getMultipleAccounts' });
    const reading = fetchMarket(proxied, token.mint, { timeoutMs: 500 });
    expect(await rejection(reading, RpcError)).to.have.property('code', -32016);
    // Other connections do not know of the trade.
    expect(await fetchMarket(cluster().connection, token.mint)).to.have.property('venue', 'curve');
  });
});
