// trade() and launch() on a curve of the cluster, over each Solana library. threat: last-tokens
import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, Keypair, type VersionedTransaction } from '@solana/web3.js';
import { expect } from 'chai';
import {
  associatedTokenAddress,
  buy,
  GRADUATION_VIRTUAL_TOKEN,
  InstructionError,
  prepareTransaction,
  quoteBuy,
  quoteBuyExactOut,
  quoteSell,
  sell,
} from '@curvekit/sdk';
import { lamportsOf } from '../../../tests/support/cluster/accounts.js';
import { useCluster } from '../../../tests/support/cluster/cluster.js';
import { SOL } from '../../../tests/support/constants.js';
import { failure, FLAVOURS, type Flavour, type Params } from '../../../tests/support/kit/flavours.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { buyTokens, curveState } from '../../../tests/support/program/tokens.js';
import {
  heldBy,
  nowhere,
  senderOf,
  REFUSE_TO_SIGN,
  signerOf,
  signingAfter,
  useTrader,
  type Trader,
} from '../../../tests/support/program/trader.js';

const TOKEN_ACCOUNT_RENT = 2_039_280n;
const TOKENS = 10n ** 12n;
const POLLING = ['getEpochInfo', 'getSignatureStatuses', 'getTransaction'];
const TERMS = { name: 'One Call', symbol: 'CALL', uri: 'https://example.org/call.json' };

/** Waits until a transaction has landed, which takes a validator one slot. Expects it to have succeeded. */
async function expectLanded(connection: Connection, signature: string): Promise<void> {
  for (;;) {
    const [status] = (await connection.getSignatureStatuses([signature])).value;
    if (status) return void expect(status.err).to.equal(null);
    await sleep(20);
  }
}

for (const [name, load] of FLAVOURS) {
  describe(`a trade in one call with ${name}`, () => {
    const cluster = useCluster();
    const trader = useTrader(cluster);
    let library: Flavour;
    let { token, wallet, proxy, held, balance } = {} as Trader;
    before(async () => (library = await load()));
    beforeEach(() => ({ token, wallet, proxy, held, balance } = trader()));

    const node = () => library.client(proxy.url);
    const trade = (params: Params, client = node()) =>
      library.trade(client, { mint: token.mint, wallet, ...params });
    const launch = (params: Params = {}, client = node()) =>
      library.launch(client, { wallet, ...TERMS, ...params });
    /** The wallet, with something that happens before it signs. */
    const signing = (first: Parameters<typeof signingAfter>[1]) => signingAfter(wallet, first);
    const neverSigns = () => signing(REFUSE_TO_SIGN);
    const answering = (changed: string, change: (result: never) => unknown) =>
      proxy.rewrite(({ method }, result) => (method === changed ? change(result as never) : result));

    it('a buy and a sell return what was quoted and what the balances show', async () => {
      const quote = quoteBuy(await curveState(cluster(), token), SOL);
      const before = await balance();
      const bought = await trade({ solToSpend: SOL });
      expect(bought).to.include({ side: 'buy', venue: 'curve', solAmount: SOL, swap: undefined });
      expect(bought).to.include({ tokenAmount: quote.tokenOut, platformFee: quote.fee });
      expect(bought.price).to.deep.equal({ lamports: SOL, tokenUnits: quote.tokenOut });
      expect(bought.record).to.deep.include({ trader: wallet.publicKey, virtualSol: quote.virtualSol });
      expect(await held()).to.equal(quote.tokenOut);
      expect(bought.walletChange).to.equal((await balance()) - before);
      expect(bought.walletChange).to.equal(-(SOL + bought.networkFee + TOKEN_ACCOUNT_RENT));

      const { solOut } = quoteSell(await curveState(cluster(), token), quote.tokenOut);
      const sold = await trade({ tokenToSpend: 'all', closeTokenAccount: true });
      expect(sold).to.include({ side: 'sell', tokenAmount: quote.tokenOut, solAmount: solOut });
      expect(sold.walletChange).to.equal(solOut - sold.networkFee + TOKEN_ACCOUNT_RENT);
      const { value } = await cluster().connection.getSignatureStatuses([bought.signature, sold.signature]);
      expect(value.map((status) => status?.slot)).to.deep.equal([bought.slot, sold.slot]);
    });

    it('exact amounts cost the least', async () => {
      const { solToSpend } = quoteBuyExactOut(await curveState(cluster(), token), TOKENS);
      const bought = await trade({ tokenToReceive: TOKENS });
      expect(bought.solAmount).to.equal(solToSpend);
      // The excess is worth less than one lamport.
      const { virtualSol, virtualToken } = await curveState(cluster(), token);
      expect(bought.tokenAmount >= TOKENS).to.equal(true);
      expect(bought.tokenAmount - TOKENS <= virtualToken / virtualSol + 1n).to.equal(true);
      const sold = await trade({ solToReceive: 1_000_000n });
      expect(sold.solAmount >= 1_000_000n && sold.solAmount <= 1_000_001n).to.equal(true);
    });

    it('an exact amount is quoted and signed again when the price moves while the wallet signs, within the slippage', async () => {
      let signatures = 0;
      const slow = signing(async () => {
        signatures += 1;
        if (signatures === 1) await buyTokens(cluster(), token, cluster().payer, SOL / 20n);
      });
      const first = quoteBuyExactOut(await curveState(cluster(), token), TOKENS).solToSpend;
      const { solAmount, tokenAmount } = await trade({ wallet: slow, tokenToReceive: TOKENS });
      expect([signatures, tokenAmount >= TOKENS]).to.deep.equal([2, true]);
      expect(solAmount > first && solAmount <= (first * 101n) / 100n).to.equal(true);

      signatures = 0;
      const before = await held();
      const exact = trade({ wallet: slow, tokenToReceive: TOKENS, slippageBps: 0 });
      const error = await failure(exact, 'SlippageError');
      expect(error.message).to.match(/more than the \d+ that the slippage allows; quote again/);
      expect(await held()).to.equal(before);
    });

    describe('a buy that is about to close the curve, while another wallet buys,', () => {
      const order = { solToSpend: SOL, slippageBps: 100 };
      let signed: string[];

      /** The cluster's payer buys until about `units` base units are left. */
      const leave = async (units: bigint) => {
        const state = await curveState(cluster(), token);
        const others = state.virtualToken - GRADUATION_VIRTUAL_TOKEN - units;
        await buyTokens(cluster(), token, cluster().payer, quoteBuyExactOut(state, others).solToSpend);
      };
      const buyWhile = (others: () => Promise<void>) => {
        signed = [];
        const slow = signing(() => (signed.length === 0 ? others() : undefined));
        return trade({ wallet: slow, ...order, onSigned: (signature: string) => signed.push(signature) });
      };

      it('which leaves dust, is signed again and closes the curve within the bound plus two lamports', async () => {
        await leave(10n ** 9n);
        const { minTokenToReceive } = quoteBuy(await curveState(cluster(), token), SOL, order.slippageBps);
        const { solAmount, tokenAmount, record, signature } = await buyWhile(() => leave(10_000n));
        expect(tokenAmount > 0n && tokenAmount <= 10_000n).to.equal(true);
        expect(record!.finalized).to.equal(true);
        expect(tokenAmount * SOL >= minTokenToReceive * (solAmount - 2n)).to.equal(true);
        expect([signed.length, signed.at(-1)]).to.deep.equal([2, signature]);
      });

      it('which moves the price beyond the slippage, is refused with an explanation and costs nothing', async () => {
        await leave(10n ** 14n);
        const before = await balance();
        const error = await failure(
          buyWhile(() => leave(10n ** 12n)),
          'SlippageError',
        );
        expect(error.message).to.match(
          /^SlippageError \(6003\): 1000000000 lamports buy at the price of \d+ /,
        );
        expect(error.message).to.match(/no fewer than \d+; nothing was bought, quote again$/);
        expect([signed.length, await balance()]).to.deep.equal([1, before]);
      });
    });

    it('a trade makes four requests in addition to polling, and asks for the rent once', async () => {
      const requests = async (params: Params): Promise<Record<string, number>> => {
        const before = new Map(proxy.calls);
        await trade(params);
        const calls = [...proxy.calls].map(([method, count]) => [method, count - (before.get(method) ?? 0)]);
        return Object.fromEntries(
          calls.filter(([method, count]) => Number(count) > 0 && !POLLING.includes(String(method))),
        ) as Record<string, number>;
      };
      const four = { getMultipleAccounts: 1, getRecentPrioritizationFees: 1, simulateTransaction: 1 };
      const { getMinimumBalanceForRentExemption: rents, ...first } = await requests({ solToSpend: SOL });
      expect(rents ?? 0).to.be.at.most(1);
      expect(first).to.deep.equal({ ...four, sendTransaction: 1 });
      for (const params of [{ solToSpend: SOL }, { tokenToReceive: TOKENS }, { tokenToSpend: 1_000_000n }])
        expect(await requests(params)).to.deep.equal({ ...four, sendTransaction: 1 });
    });

    it('a trade pays the recent priority fee, up to the highest allowed', async () => {
      answering('getRecentPrioritizationFees', () => [{ slot: 1, prioritizationFee: 10 ** 9 }]);
      const prices: bigint[] = [];
      const noting = signing(({ message }) => {
        prices.push(Buffer.from(message.compiledInstructions[1]!.data).readBigUInt64LE(1));
      });
      for (const limit of [{}, { highestComputeUnitPrice: 7n }, { computeUnitPrice: 9n }])
        await trade({ wallet: noting, solToSpend: SOL, ...limit });
      expect(prices).to.deep.equal([1_000_000n, 7n, 9n]);
    });

    for (const [who, walletOf] of [
      ['signs', () => signerOf(wallet)],
      ['sends', () => senderOf(cluster(), wallet)],
    ] as const) {
      it(`a wallet that ${who} trades and launches; callbacks are called at each step, and their errors ignored`, async () => {
        const steps: string[] = [];
        const note = (step: string) => (signature: string) => {
          steps.push(`${step} ${signature}`);
          throw new Error('a display that fails');
        };
        const callbacks = { onSigned: note('signed'), onSent: note('sent'), onConfirmed: note('confirmed') };
        const { signature, tokenAmount } = await trade({ wallet: walletOf(), solToSpend: SOL, ...callbacks });
        expect(steps).to.deep.equal(['signed', 'sent', 'confirmed'].map((step) => `${step} ${signature}`));
        expect(await held()).to.equal(tokenAmount);
        expect((await launch({ wallet: walletOf() })).record.name).to.equal('One Call');
      });
    }

    it('equal trades at the same time are different transactions, and each returns its own result', async () => {
      const params = { solToSpend: SOL / 10n, slippageBps: 1_000 };
      const trades = await Promise.all(Array.from({ length: 5 }, () => trade(params)));
      expect(new Set(trades.map(({ signature }) => signature)).size).to.equal(5);
      expect(trades.reduce((sum, { tokenAmount }) => sum + tokenAmount, 0n)).to.equal(await held());
    });

    it('other nodes, or a sender, send the transaction when the node takes none', async () => {
      const deaf = library.deafClient(cluster().rpcUrl);
      expect((await trade({ solToSpend: SOL, sendClients: [node()] }, deaf)).solAmount).to.equal(SOL);
      let sent = 0;
      const sender = (transaction: VersionedTransaction) => {
        sent += 1;
        return cluster().connection.sendRawTransaction(transaction.serialize());
      };
      const { solAmount } = await trade({ solToSpend: SOL, sender }, deaf);
      expect([solAmount, sent]).to.deep.equal([SOL, 1]);
    });

    describe('a launch', () => {
      it('with a first buy returns what the creator has bought', async () => {
        const before = await balance();
        const { mint, record, firstBuy, walletChange } = await launch({
          afterMigrationFee: 100,
          firstBuy: SOL,
        });
        expect(record).to.deep.include({ ...TERMS, afterMigrationFee: 100, burnBp: 0, mint: mint.publicKey });
        expect(await heldBy(cluster(), wallet, { mint: mint.publicKey })).to.equal(firstBuy?.tokenAmount);
        expect(firstBuy).to.include({ solAmount: SOL, platformFee: SOL / 100n });
        expect(walletChange).to.equal((await balance()) - before);
      });

      it('at a given mint address that already holds lamports succeeds, once', async () => {
        const mint = Keypair.generate();
        await cluster().fund(mint.publicKey, 1_000_000n);
        const { firstBuy, record } = await launch({ mint });
        expect(firstBuy).to.equal(undefined);
        expect(record.mint.equals(mint.publicKey)).to.equal(true);
        expect((await failure(launch({ mint }), 'InvalidArgumentError')).message).to.equal(
          `mint is ${mint.publicKey.toBase58()}, which exists; use a new key`,
        );
      });

      it('with too little SOL is refused with the needed sum, and exactly this sum suffices', async () => {
        const poor = await cluster().fundedWallet(SOL / 100n);
        const error = await failure(launch({ wallet: poor, computeUnitPrice: 0n }), 'InsufficientSolError');
        expect(error.message).to.match(/needs 0.02379776 SOL: 0.02378776 rent \+ 0.00001 fees; has 0.01$/);
        const rich = await cluster().fundedWallet(error['needed'] as bigint);
        const { walletChange } = await launch({ wallet: rich, computeUnitPrice: 0n });
        // Some versions of Metaplex charge less. A wallet with exactly enough must not be refused.
        const exact = await cluster().fundedWallet(-walletChange);
        await launch({ wallet: exact, computeUnitPrice: 0n });
        expect(await lamportsOf(cluster().connection, exact.publicKey)).to.equal(0n);
      });
    });

    describe('is refused before the wallet signs', () => {
      const refused = (params: Params, error: string, client = node()) =>
        failure(trade({ wallet: neverSigns(), ...params }, client), error);

      it('with less SOL than it needs, with every part of the sum', async () => {
        wallet = await cluster().fundedWallet(SOL / 2n);
        const buying = { solToSpend: SOL, computeUnitPrice: 0n };
        const error = await refused(buying, 'InsufficientSolError');
        expect(error.message).to.equal(
          `wallet ${wallet.publicKey.toBase58()} needs 1.00204428 SOL: 1 + 0.00203928 rent + 0.000005 fees; has 0.5`,
        );
        expect(error).to.include({ needed: 1_002_044_280n, available: SOL / 2n });
        const empty = { ...neverSigns(), publicKey: Keypair.generate().publicKey };
        expect((await refused({ ...buying, wallet: empty }, 'InsufficientSolError')).message).to.match(
          /; has 0$/,
        );
      });

      it('when it leaves less than the rent exemption of a wallet, unless it leaves exactly this, or nothing', async () => {
        const fees = TOKEN_ACCOUNT_RENT + 5_000n;
        const buying = { solToSpend: SOL, computeUnitPrice: 0n };
        for (const [left, isRefused] of [
          [1n, true],
          [890_879n, true],
          [890_880n, false],
          [0n, false],
        ] as const) {
          wallet = await cluster().fundedWallet(SOL + fees + left);
          if (isRefused) {
            const error = await refused(buying, 'InsufficientSolError');
            expect(error.message).to.include('0.00089088 that must stay in the wallet');
          } else expect((await trade({ ...buying, wallet })).walletChange).to.equal(-(SOL + fees));
        }
      });

      it('with more tokens than the wallet has, or without a token account', async () => {
        const none = await refused({ tokenToSpend: 1n }, 'NoTokenAccountError');
        const { address } = associatedTokenAddress(wallet.publicKey, token.mint);
        expect(String(none['address'])).to.equal(address.toBase58());
        expect(none.message).to.include('buy first');
        await buyTokens(cluster(), token, wallet, SOL / 10n);
        await buyTokens(cluster(), token, cluster().payer, SOL);
        const available = await held();
        for (const params of [{ tokenToSpend: available + 1n }, { solToReceive: SOL / 5n }]) {
          const error = await refused(params, 'InsufficientTokensError');
          expect(error['available']).to.equal(available);
          expect(error.message).to.match(/needs [\d.]+ tokens of \w+; has [\d.]+$/);
        }
      });

      it('when its simulation takes more SOL, tokens or control than the order says', async () => {
        await buyTokens(cluster(), token, wallet, SOL);
        const tokens = await held();
        type Account = { lamports: number; owner: string; data: [string, string] };
        const changed = (change: (own: Account, held: Buffer) => void) =>
          answering('simulateTransaction', (result: { value: { accounts: Account[] } }) => {
            const [own, account] = result.value.accounts;
            const data = Buffer.from(account!.data[0], 'base64');
            change(own!, data);
            account!.data[0] = data.toString('base64');
            return { ...result };
          });
        const [buying, selling] = [{ solToSpend: SOL }, { tokenToSpend: tokens / 2n }];
        const amountAt = 64;
        type Case = [order: Params, asset: string, says: string, change: Parameters<typeof changed>[0]];
        const cases: Case[] = [
          [buying, 'SOL', 'takes 1.000005001 SOL from', (own) => (own.lamports -= 1)],
          [selling, 'SOL', 'says that it pays at least', (own) => (own.lamports -= Number(SOL))],
          [
            buying,
            'tokens',
            'takes 0.000001 tokens',
            (_, data) => data.writeBigUInt64LE(tokens - 1n, amountAt),
          ],
          [selling, 'tokens', 'allows at most', (_, data) => data.writeBigUInt64LE(0n, amountAt)],
          [buying, 'control of the wallet', 'no such change', (own) => (own.owner = token.mint.toBase58())],
          [buying, 'control of its token account', 'no such change', (_, data) => data.fill(1, 32, 64)],
          [selling, 'control of its token account', 'no such change', (_, data) => data.fill(1, 72, 76)],
        ];
        for (const [order, asset, says, change] of cases) {
          changed(change);
          const error = await refused(order, 'ExcessiveLossError');
          expect(error['asset']).to.equal(asset);
          expect(error.message).to.include(says).and.to.include('Nothing was signed. Program');
        }
        answering('simulateTransaction', (result: { value: object }) => ({
          ...(result as object),
          value: { ...result.value, accounts: null },
        }));
        expect((await refused(buying, 'RpcError')).message).to.include('has no accounts');
      });

      it('on a cluster without the launchpad, and for a mint of another launchpad', async () => {
        const unknown = await refused(
          { solToSpend: SOL, mint: Keypair.generate().publicKey },
          'InvalidArgumentError',
        );
        expect(unknown['argument']).to.equal('mint');
        answering('getMultipleAccounts', (result: { value: unknown[] }) => ({
          ...(result as object),
          value: result.value.map(() => null),
        }));
        const wrong = await refused({ solToSpend: SOL }, 'WrongClusterError');
        const host = name === 'web3.js' ? new URL(proxy.url).host : 'the RPC node';
        expect(wrong.message).to.include(`has no properties on the cluster of ${host}; use`);
      });

      it('with invalid arguments, before any request', async () => {
        const dead = library.client(nowhere.rpcEndpoint);
        for (const [argument, params] of [
          ['amount', {}],
          ['amount', { solToSpend: 1n, tokenToSpend: 1n }],
          ['solToSpend', { solToSpend: 0n }],
          ['solToSpend', { solToSpend: 'all' }],
          ['tokenToReceive', { tokenToReceive: 1 }],
          ['tokenToReceive', { tokenToReceive: 2n ** 64n }],
          ['slippageBps', { solToSpend: 1n, slippageBps: 10_001 }],
          ['mint', { solToSpend: 1n, mint: 'text' }],
          ['computeUnitPrice', { solToSpend: 1n, computeUnitPrice: -1n }],
          ['highestComputeUnitPrice', { solToSpend: 1n, highestComputeUnitPrice: 1 }],
          ['stallTimeoutMs', { solToSpend: 1n, stallTimeoutMs: 0 }],
          ['wallet', { solToSpend: 1n, wallet: { publicKey: wallet.publicKey } }],
        ] as const)
          expect((await refused(params, 'InvalidArgumentError', dead))['argument']).to.equal(argument);
        for (const [argument, params] of [
          ['mint', { mint: { address: 'text' } }],
          ['name', { name: '' }],
          ['firstBuy', { firstBuy: 0n }],
        ] as const)
          expect((await failure(launch(params, dead), 'InvalidArgumentError'))['argument']).to.equal(
            argument,
          );
      });
    });

    describe('after the quote', () => {
      it('sends nothing when it is aborted before sending', async () => {
        const before = await balance();
        const controller = new AbortController();
        const aborting = signing(() => controller.abort(new Error('changed my mind')));
        for (const given of [aborting, wallet]) {
          const trading = trade({ wallet: given, solToSpend: SOL, signal: controller.signal });
          expect((await rejection(trading, Error)).message).to.equal('changed my mind');
        }
        expect(await balance()).to.equal(before);
      });

      it('names the signature of a transaction that may have landed, when it is aborted after sending', async () => {
        answering('getSignatureStatuses', () => ({ context: { slot: 1 }, value: [null] }));
        const controller = new AbortController();
        const onSent = () => setTimeout(() => controller.abort(), 50);
        const trading = trade({ solToSpend: SOL, signal: controller.signal, onSent });
        const error = await failure(trading, 'OutcomeUnknownError');
        expect(error.message).to.include('the caller stopped waiting for it');
        await expectLanded(cluster().connection, error['signature'] as string);
      });

      it('says that nothing was sent, when the blockhash expired while the wallet signed', async () => {
        answering('simulateTransaction', (result: { value: object }) => {
          const blockhash = Keypair.generate().publicKey.toBase58();
          const replacementBlockhash = { blockhash, lastValidBlockHeight: 1 };
          return { ...(result as object), value: { ...result.value, replacementBlockhash } };
        });
        const before = await balance();
        const error = await failure(trade({ solToSpend: SOL }), 'BlockhashExpiredError');
        expect(error.message).to.include('was not sent: its blockhash');
        expect(await balance()).to.equal(before);
      });
    });

    describe('a transaction that the caller has signed', () => {
      const signed = async (minTokenToReceive = 0n) => {
        const payer = wallet.publicKey;
        const instructions = buy({ mint: token.mint, payer, solToSpend: SOL, minTokenToReceive });
        const parts = { payer, instructions, computeUnitLimit: 200_000 };
        const prepared = await prepareTransaction(cluster().connection, parts);
        prepared.transaction.sign([wallet]);
        return prepared;
      };

      it('lands once, however often it is sent', async () => {
        const sent = await signed();
        const { slot } = await library.sendAndConfirm(node(), sent);
        const bought = await held();
        expect(slot).to.be.greaterThan(0);
        expect(await library.sendAndConfirm(node(), sent)).to.include({ slot });
        expect(await held()).to.equal(bought);
      });

      it('is refused with the program’s error, by the preflight and by the chain', async () => {
        for (const skipPreflight of [false, true]) {
          const sending = library.sendAndConfirm(node(), await signed(10n ** 15n), { skipPreflight });
          expect((await failure(sending, 'SlippageError')).message).to.equal(
            'instruction 2 (buyToken) failed: SlippageError (6003): Slippage error',
          );
        }
      });

      it('has expired when it can never land, and is given up at the signal', async () => {
        const sent = await signed();
        sent.transaction.message.recentBlockhash = Keypair.generate().publicKey.toBase58();
        sent.transaction.sign([wallet]);
        const lastValidBlockHeight = await cluster().connection.getBlockHeight('finalized');
        const late = { ...sent, lastValidBlockHeight };
        await failure(
          library.sendAndConfirm(node(), late, { skipPreflight: true }),
          'TransactionExpiredError',
        );
        const signal = AbortSignal.abort(new Error('enough'));
        expect((await failure(library.sendAndConfirm(node(), sent, { signal }), 'Error')).message).to.equal(
          'enough',
        );
      });
    });
  });
}

describe('the errors of prepareTransaction', () => {
  const cluster = useCluster();
  const trader = useTrader(cluster);

  it('say what a wallet lacks, when the simulation fails', async () => {
    const { token, wallet, held } = trader();
    const { connection, deployment } = cluster();
    await buyTokens(cluster(), token, wallet, SOL);
    const params = { mint: token.mint, payer: wallet.publicKey, deployment };
    const sale = sell({ ...params, tokenToSpend: (await held()) + 1n, minSolToReceive: 0n });
    const purchase = buy({ ...params, solToSpend: 40n * SOL, minTokenToReceive: 0n });
    for (const [instructions, meaning] of [
      [sale, 'the account has too few tokens'],
      [purchase, 'the wallet has too little SOL'],
    ] as const) {
      const preparing = prepareTransaction(connection, { payer: wallet.publicKey, instructions });
      expect((await rejection(preparing, InstructionError)).message).to.match(new RegExp(`: ${meaning}$`));
    }
  });
});
