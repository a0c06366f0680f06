// One call for a trade or a launch with Kit. The source is that of @curvekit/sdk/trade, so this file tests the
// differences: signers, Kit's RPC client, addresses in results and errors.
import {
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  type Address,
  type createSolanaRpc,
  type KeyPairSigner,
  type Transaction,
  type TransactionModifyingSigner,
  type TransactionSendingSigner,
} from '@solana/kit';
import { PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import bs58 from 'bs58';
import { quoteBuy, quoteBuyExactOut, quoteSell } from '@curvekit/sdk';
import { SOL } from '../../../tests/support/constants.js';
import { KIT_MAJORS, type KitTrading } from '../../../tests/support/kit/kit-entry.js';
import { KITTEN, signedBy, useKitTrader } from '../../../tests/support/kit/trader.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import type { RpcProxy } from '../../../tests/support/node/rpc-proxy.js';
import { buyTokens, curveState, type Token } from '../../../tests/support/program/tokens.js';

const TOKEN_ACCOUNT_RENT = 2_039_280n;
const TOKENS = 10n ** 12n;
const POLLING = ['getEpochInfo', 'getSignatureStatuses', 'getTransaction'];

for (const major of KIT_MAJORS) {
  describe(`trade and launch in one call with ${major}`, () => {
    const { cluster, current, rpc, proxied, held, balance } = useKitTrader(major);
    let kit: KitTrading;
    let token: Token;
    let mint: Address;
    let wallet: KeyPairSigner;
    let proxy: RpcProxy;
    beforeEach(() => ({ kit, token, mint, wallet, proxy } = current()));

    const common = () => ({ mint, wallet });

    it('buys and sells as quoted, and returns the result in Kit’s types', async () => {
      const quote = quoteBuy(await curveState(cluster(), token), SOL);
      const before = await balance();
      const bought = await kit.trade(rpc(), { ...common(), solToSpend: SOL });
      expect(bought).to.include({ side: 'buy', venue: 'curve', solAmount: SOL, swap: undefined });
      expect(bought).to.include({ tokenAmount: quote.tokenOut, platformFee: quote.fee });
      expect(bought.price).to.deep.equal({ lamports: SOL, tokenUnits: quote.tokenOut });
      expect(bought.record).to.include({ mint, trader: wallet.address, virtualSol: quote.virtualSol });
      expect(bought.slot).to.be.a('bigint');
      expect(await held()).to.equal(quote.tokenOut);
      expect(bought.walletChange).to.equal((await balance()) - before);
      expect(bought.walletChange).to.equal(-(SOL + bought.networkFee + TOKEN_ACCOUNT_RENT));

      const { solOut } = quoteSell(await curveState(cluster(), token), quote.tokenOut);
      const all = { ...common(), tokenToSpend: 'all', closeTokenAccount: true } as const;
      const sold = await kit.trade(rpc(), all);
      expect(sold).to.include({ side: 'sell', tokenAmount: quote.tokenOut, solAmount: solOut });
      expect(sold.walletChange).to.equal(solOut - sold.networkFee + TOKEN_ACCOUNT_RENT);
      const { value } = await rpc().getSignatureStatuses([bought.signature, sold.signature]).send();
      expect(value.map((status) => status?.slot)).to.deep.equal([bought.slot, sold.slot]);
    });

    it('delivers exact amounts at the lowest cost', async () => {
      const { solToSpend } = quoteBuyExactOut(await curveState(cluster(), token), TOKENS);
      const bought = await kit.trade(rpc(), { ...common(), tokenToReceive: TOKENS });
      expect(bought.solAmount).to.equal(solToSpend);
      expect(bought.tokenAmount >= TOKENS).to.equal(true);
      const sold = await kit.trade(rpc(), { ...common(), solToReceive: 1_000_000n });
      expect(sold.solAmount >= 1_000_000n && sold.solAmount <= 1_000_001n).to.equal(true);
    });

    it('quotes an exact amount again when the price moves while the wallet signs', async () => {
      let signatures = 0;
      const slow: TransactionModifyingSigner = {
        address: wallet.address,
        modifyAndSignTransactions: async (transactions) => {
          signatures += 1;
          if (signatures === 1) await buyTokens(cluster(), token, cluster().payer, SOL / 20n);
          return signedBy(wallet, transactions);
        },
      };
      const { tokenAmount } = await kit.trade(rpc(), { mint, wallet: slow, tokenToReceive: TOKENS });
      expect(signatures).to.equal(2);
      expect(tokenAmount >= TOKENS).to.equal(true);
      signatures = 0;
      const params = { mint, wallet: slow, tokenToReceive: TOKENS, slippageBps: 0 };
      const error = await rejection(kit.trade(rpc(), params), Error);
      expect(kit.isSlippageError(error), String(error)).to.equal(true);
    });

    it('launches with a first buy, with a new mint or a given one', async () => {
      const before = await balance();
      const result = await kit.launch(rpc(), { wallet, ...KITTEN, afterMigrationFee: 100, firstBuy: SOL });
      expect(result.record).to.include({ ...KITTEN, mint: result.mint.address, creator: wallet.address });
      expect(result.firstBuy).to.include({ solAmount: SOL, platformFee: SOL / 100n });
      expect(await held({ mint: new PublicKey(result.mint.address) })).to.equal(result.firstBuy?.tokenAmount);
      expect(result.walletChange).to.equal((await balance()) - before);
      const key = await generateKeyPairSigner();
      const launched = await kit.launch(rpc(), { wallet, mint: key, ...KITTEN });
      expect([launched.mint, launched.firstBuy]).to.deep.equal([key, undefined]);
      const again = kit.launch(rpc(), { wallet, mint: key, ...KITTEN });
      expect((await rejection(again, Error)).message).to.equal(
        `mint is ${key.address}, which exists; use a new key`,
      );
    });

    it('tracks a transaction that the signer sends itself, and calls back at each step', async () => {
      const steps: string[] = [];
      const note = (step: string) => (signature: string) => {
        steps.push(`${step} ${signature}`);
        throw new Error('a display that fails');
      };
      const sending: TransactionSendingSigner = {
        address: wallet.address,
        signAndSendTransactions: async (transactions) => {
          const [transaction] = await signedBy(wallet, transactions);
          const wire = getBase64EncodedWireTransaction(transaction!);
          const signature = await rpc().sendTransaction(wire, { encoding: 'base64' }).send();
          return [bs58.decode(signature) as never];
        },
      };
      const callbacks = { onSigned: note('signed'), onSent: note('sent'), onConfirmed: note('confirmed') };
      const params = { mint, wallet: sending, solToSpend: SOL, ...callbacks };
      const { signature, tokenAmount } = await kit.trade(rpc(), params);
      expect(steps).to.deep.equal([`signed ${signature}`, `sent ${signature}`, `confirmed ${signature}`]);
      expect(await held()).to.equal(tokenAmount);
      expect((await kit.launch(rpc(), { wallet: sending, ...KITTEN })).record.name).to.equal('Kitten');
    });

    it('finds what a signer has sent without returning its signature', async () => {
      for (const answer of [() => [], () => Promise.reject(new Error('the socket is closed'))]) {
        const before = await held();
        const silent: TransactionSendingSigner = {
          address: wallet.address,
          signAndSendTransactions: async (transactions) => {
            const [transaction] = await signedBy(wallet, transactions);
            const wire = getBase64EncodedWireTransaction(transaction!);
            await rpc().sendTransaction(wire, { encoding: 'base64' }).send();
            return answer();
          },
        };
        const { tokenAmount } = await kit.trade(rpc(), { mint, wallet: silent, solToSpend: SOL });
        expect((await held()) - before).to.equal(tokenAmount);
      }
    });

    it('makes equal trades at the same time as different transactions', async () => {
      const params = { ...common(), solToSpend: SOL / 10n, slippageBps: 1_000 };
      const before = await held();
      const trades = await Promise.all([1, 2, 3].map(() => kit.trade(rpc(), params)));
      expect(new Set(trades.map(({ signature }) => signature)).size).to.equal(3);
      expect(trades.reduce((sum, { tokenAmount }) => sum + tokenAmount, before)).to.equal(await held());
    });

    it('sends through other nodes, or a sender, when the node accepts no transactions', async () => {
      const lame = {
        ...rpcMethods(rpc()),
        sendTransaction: () => ({ send: () => Promise.reject(new Error('503')) }),
      } as never;
      const many = await kit.trade(lame, { ...common(), solToSpend: SOL, sendRpcs: [rpc()] });
      expect(many.solAmount).to.equal(SOL);
      let sent = 0;
      const sender = (transaction: Transaction) => {
        sent += 1;
        const wire = getBase64EncodedWireTransaction(transaction);
        return rpc().sendTransaction(wire, { encoding: 'base64' }).send();
      };
      const own = await kit.trade(lame, { ...common(), solToSpend: SOL, sender });
      expect([own.solAmount, sent]).to.deep.equal([SOL, 1]);
    });

    it('makes four requests in addition to polling, and asks for the rent once', async () => {
      const client = proxied();
      await kit.trade(client, { ...common(), solToSpend: SOL });
      const before = new Map(proxy.calls);
      await kit.trade(client, { ...common(), solToSpend: SOL });
      const calls = [...proxy.calls].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const);
      const made = calls.filter(([name, count]) => count > 0 && !POLLING.includes(name));
      expect(Object.fromEntries(made)).to.deep.equal({
        getMultipleAccounts: 1,
        getRecentPrioritizationFees: 1,
        simulateTransaction: 1,
        sendTransaction: 1,
      });
    });
  });
}

/** An object with the methods that a trade uses. Kit's client is a proxy, which cannot be copied. */
function rpcMethods(rpc: ReturnType<typeof createSolanaRpc>): Record<string, unknown> {
  const names = [
    'getBlockHeight',
    'getEpochInfo',
    'getLatestBlockhash',
    'getMinimumBalanceForRentExemption',
    'getMultipleAccounts',
    'getRecentPrioritizationFees',
    'getSignatureStatuses',
    'getTransaction',
    'simulateTransaction',
  ] as const;
  return Object.fromEntries(names.map((name) => [name, (rpc[name] as () => unknown).bind(rpc)]));
}
