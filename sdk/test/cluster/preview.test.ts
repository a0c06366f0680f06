// previewTransaction: what a transaction would change in a wallet, before it is signed, with each Solana library.
import { createSolanaRpc, getTransactionDecoder, type Address } from '@solana/kit';
import { Keypair, SystemProgram, type PublicKey, type TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import {
  buy,
  compileTransaction,
  InvalidArgumentError,
  isProgramError,
  quoteBuy,
  sell,
  type TransactionError,
} from '@curvekit/sdk';
import { previewTransaction, type BalanceChange } from '@curvekit/sdk/trade';
import { useCluster } from '../../../tests/support/cluster/cluster.js';
import { SOL } from '../../../tests/support/constants.js';
import { KIT_MAJORS, kitTrading } from '../../../tests/support/kit/kit-entry.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { buyTokens, curveState, launch } from '../../../tests/support/program/tokens.js';
import { balanceOf, useTrader, type Trader } from '../../../tests/support/program/trader.js';

const TOKEN_ACCOUNT_RENT = 2_039_280n;
const SIGNATURE_FEE = 5_000n;

interface Told {
  readonly error: TransactionError | null;
  readonly computeUnits: number;
  readonly slot: number | bigint;
  readonly sol: BalanceChange;
  readonly tokens: readonly (BalanceChange & { readonly mint: { toString(): string } })[];
}
type Terms = { readonly wallet: PublicKey; readonly mints?: readonly PublicKey[] };
type Transaction = ReturnType<typeof compileTransaction>;
type Preview = (transaction: Transaction, terms: Terms) => Promise<Told>;

for (const library of ['web3.js', ...KIT_MAJORS] as const) {
  describe(`a preview of a transaction with ${library}`, () => {
    const cluster = useCluster();
    const trader = useTrader(cluster);
    let { token, wallet, proxy, proxied, held: tokensHeld } = {} as Trader;
    let preview: Preview;

    before(async () => {
      if (library === 'web3.js') {
        preview = (transaction, terms) => previewTransaction(proxied, transaction, terms);
        return;
      }
      const kit = await kitTrading(library);
      const text = (key: PublicKey) => String(key) as Address;
      preview = (transaction, { wallet: owner, mints }) =>
        kit.previewTransaction(
          createSolanaRpc(proxy.url),
          getTransactionDecoder().decode(transaction.serialize()),
          { wallet: text(owner), mints: Array.isArray(mints) ? mints.map(text) : (mints as undefined) },
        );
    });
    beforeEach(() => ({ token, wallet, proxy, proxied, held: tokensHeld } = trader()));

    const asked = () => [...proxy.calls.values()].reduce((sum, count) => sum + count, 0);
    const compiled = async (instructions: readonly TransactionInstruction[]) => {
      const { blockhash } = await cluster().connection.getLatestBlockhash();
      return compileTransaction({ payer: wallet.publicKey, instructions }, blockhash);
    };
    const buying = (minTokenToReceive: bigint) =>
      buy({ mint: token.mint, payer: wallet.publicKey, solToSpend: SOL, minTokenToReceive });

    it('equals the result of the transaction', async () => {
      const { tokenOut } = quoteBuy(await curveState(cluster(), token), SOL);
      const other = await launch(cluster());
      const transaction = await compiled(buying(tokenOut));
      const told = await preview(transaction, {
        wallet: wallet.publicKey,
        mints: [other.mint, token.mint],
      });
      expect(told.error).to.equal(null);
      expect(told.computeUnits).to.be.within(1_000, 200_000);
      expect(Number(told.slot)).to.be.greaterThan(0);
      const after = 19n * SOL - TOKEN_ACCOUNT_RENT - SIGNATURE_FEE;
      expect(told.sol).to.deep.equal({ before: 20n * SOL, after });
      expect(told.tokens.map(({ mint, ...change }) => [String(mint), change])).to.deep.equal([
        [String(other.mint), { before: 0n, after: 0n }],
        [String(token.mint), { before: 0n, after: tokenOut }],
      ]);
      await cluster().send(buying(tokenOut), [wallet]);
      expect(await balanceOf(cluster(), wallet)).to.equal(after);
    });

    it('starts from the current balances of the wallet', async () => {
      await buyTokens(cluster(), token, wallet, SOL);
      const held = await tokensHeld();
      const terms = { mint: token.mint, payer: wallet.publicKey, tokenToSpend: held, minSolToReceive: 0n };
      const told = await preview(await compiled(sell(terms)), {
        wallet: wallet.publicKey,
        mints: [token.mint],
      });
      expect(told.tokens[0]).to.include({ before: held, after: 0n });
      expect(told.sol.after > told.sol.before).to.equal(true);
    });

    it('a preview of a transaction that would fail has its error and unchanged balances', async () => {
      const told = await preview(await compiled(buying(2n ** 63n)), {
        wallet: wallet.publicKey,
        mints: [token.mint],
      });
      expect(told.error).to.include({ code: 6003 });
      expect(library !== 'web3.js' || isProgramError(told.error, 'SlippageError')).to.equal(true);
      expect(told.sol).to.deep.equal({ before: 20n * SOL, after: 20n * SOL });
      expect(told.tokens[0]).to.include({ before: 0n, after: 0n });
    });

    it('refuses wrong keys by name, before any request', async () => {
      const transaction = await compiled(buying(0n));
      const before = asked();
      const [zero, key] = [SystemProgram.programId, () => Keypair.generate().publicKey];
      for (const [argument, change] of [
        ['wallet', { wallet: zero }],
        ['wallet', { wallet: 'nobody' }],
        ['mints', { mints: 'all' }],
        ['mints', { mints: Array.from({ length: 21 }, key) }],
        ['mints[0]', { mints: [zero] }],
        ['mints[1]', { mints: [key(), 'mint'] }],
      ] as const) {
        const terms = Object.assign({ wallet: wallet.publicKey }, change) as unknown as Terms;
        const error = await rejection(preview(transaction, terms), Error);
        expect(error).to.include({ name: InvalidArgumentError.name, argument });
      }
      expect(asked()).to.equal(before);
    });
  });
}
