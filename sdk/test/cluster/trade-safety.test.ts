// What trade() protects the caller from: a wallet that signs another transaction or fails after it has sent, an old quote, and
// a second trade after a crash.
import {
  ACCOUNT_SIZE,
  createInitializeAccount3Instruction,
  createTransferInstruction,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import { createSolanaRpc } from '@solana/kit';
import {
  ComputeBudgetProgram,
  Keypair,
  PublicKey,
  SendTransactionError,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import {
  associatedTokenAddress,
  InvalidArgumentError,
  isProgramError,
  OutcomeUnknownError,
  quoteBuy,
  quoteSell,
  TransactionError,
} from '@curvekit/sdk';
import { lookUpRemembered as lookUpWithKit } from '@curvekit/sdk/kit/trade';
import {
  bytesWallet,
  ChangedTransactionError,
  forgetTransaction,
  launch,
  lookUpRemembered,
  rememberedTransaction,
  trade,
  UnfinishedTransactionError,
} from '@curvekit/sdk/trade';
import { useCluster } from '../../../tests/support/cluster/cluster.js';
import { SOL } from '../../../tests/support/constants.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { RpcFailure } from '../../../tests/support/node/rpc-proxy.js';
import { buyTokens, curveState, tokensOf } from '../../../tests/support/program/tokens.js';
import {
  MemoryStore,
  nowhere,
  senderOf,
  useTrader,
  type Trader,
} from '../../../tests/support/program/trader.js';
import { eventually } from '../../../tests/support/service/service.js';

const LIGHTHOUSE = new PublicKey('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95');
const KEY = 'trade';
const TERMS = { name: 'First', symbol: 'FIRST', uri: 'https://example.org/f.json' };

describe('what trade() protects the caller from', () => {
  const cluster = useCluster();
  const trader = useTrader(cluster);
  let { token, wallet, proxy, proxied, held, balance } = {} as Trader;
  let store: MemoryStore;
  beforeEach(() => {
    ({ token, wallet, proxy, proxied, held, balance } = trader());
    store = new MemoryStore();
  });

  const memory = () => ({ store, key: KEY });
  const remembered = () => rememberedTransaction(memory())?.signature;
  const buying = (params: object = {}, connection = cluster().connection) =>
    trade(connection, { mint: token.mint, wallet, solToSpend: SOL, remember: memory(), ...params });
  const signing = (first: (transaction: VersionedTransaction) => unknown) => ({
    publicKey: wallet.publicKey,
    signTransaction: async (transaction: VersionedTransaction) => {
      await first(transaction);
      transaction.sign([wallet]);
      return transaction;
    },
  });

  describe('a wallet that returns another transaction', () => {
    const other = Keypair.generate();
    /** A wallet that changes the transaction before it signs. */
    const changing = (change: (message: TransactionMessage) => void) => ({
      publicKey: wallet.publicKey,
      signTransaction: (transaction: VersionedTransaction) => {
        const message = TransactionMessage.decompile(transaction.message);
        change(message);
        const changed = new VersionedTransaction(message.compileToV0Message());
        changed.sign(message.payerKey.equals(other.publicKey) ? [wallet, other] : [wallet]);
        return Promise.resolve(changed);
      },
    });
    const payment = () =>
      SystemProgram.transfer({
        fromPubkey: wallet.publicKey,
        toPubkey: cluster().payer.publicKey,
        lamports: 1_000_000,
      });

    type Change = (message: TransactionMessage) => unknown;
    const changes: Record<string, [problem: string, change: Change]> = {
      'pays somebody else instead': ['was not simulated', (m) => m.instructions.splice(-1, 1, payment())],
      'pays somebody else as well': [
        `it has an instruction of ${SystemProgram.programId.toBase58()} that was not simulated`,
        (m) => m.instructions.push(payment()),
      ],
      'leaves the trade out': ['an instruction is missing or altered', (m) => m.instructions.pop()],
      'takes another blockhash': [
        'its blockhash is another one',
        (m) => (m.recentBlockhash = Keypair.generate().publicKey.toBase58()),
      ],
      'changes the minimum': ['was not simulated', (m) => m.instructions.at(-1)!.data.fill(0, 16)],
      'pays with another account': ['another account pays for it', (m) => (m.payerKey = other.publicKey)],
    };
    for (const [name, [problem, change]] of Object.entries(changes)) {
      it(`and ${name} is detected before sending`, async () => {
        const error = await rejection(buying({ wallet: changing(change) }), ChangedTransactionError);
        expect(error.message).to.include(problem).and.to.include('it was not sent');
        expect(await balance()).to.equal(20n * SOL);
      });
    }

    it('is also detected when it changes the given object in place', async () => {
      const altering = signing(({ message }) => message.compiledInstructions.at(-1)!.data.fill(0, 16));
      await rejection(buying({ wallet: altering }), ChangedTransactionError);
      expect(await balance()).to.equal(20n * SOL);
    });

    it('is detected when it returns bytes that are not a transaction', async () => {
      const garbage = bytesWallet(wallet.publicKey.toBase58(), () => Promise.resolve(new Uint8Array(3)));
      const error = await rejection(buying({ wallet: garbage }), ChangedTransactionError);
      expect(error.message).to.include('it cannot be read');
    });

    it('is detected when it comes back in another version of the format', async () => {
      const rewriting = bytesWallet(wallet.publicKey.toBase58(), (bytes) => {
        // The version's byte is the first of the message, behind the signatures: 0x80 is version 0, 0x81 version 1.
        const rewritten = Uint8Array.from(bytes);
        rewritten[1 + 64 * bytes[0]!] = 0x81;
        return Promise.resolve(rewritten);
      });
      const error = await rejection(buying({ wallet: rewriting }), ChangedTransactionError);
      expect(error.message).to.match(/^the wallet changed the transaction: .*; it was not sent$/);
      expect(await balance()).to.equal(20n * SOL);
    });

    it('may add a priority fee', async () => {
      const fee = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 7 });
      const paying = changing(({ instructions }) => instructions.splice(0, 2, instructions[0]!, fee));
      const { tokenAmount } = await buying({ wallet: paying });
      expect(await held()).to.equal(tokenAmount);
    });

    it('may add a guard: a cluster without its program refuses it, not the SDK', async () => {
      const guard = new TransactionInstruction({ programId: LIGHTHOUSE, keys: [], data: Buffer.from([0]) });
      const guarding = changing(({ instructions }) => instructions.push(guard));
      const error = await rejection(buying({ wallet: guarding }), TransactionError);
      expect(error.reason).to.match(/ProgramAccountNotFound|may not be used for executing/);
    });
  });

  it('sells all of the associated account, says so, and leaves the tokens of another account', async () => {
    const { tokenAmount } = await buying();
    const { connection } = cluster();
    const other = Keypair.generate();
    const { publicKey: owner } = wallet;
    const lamports = await connection.getMinimumBalanceForRentExemption(ACCOUNT_SIZE);
    const account = { fromPubkey: owner, newAccountPubkey: other.publicKey, lamports, space: ACCOUNT_SIZE };
    const own = associatedTokenAddress(owner, token.mint).address;
    await cluster().send(
      [
        SystemProgram.createAccount({ ...account, programId: TOKEN_PROGRAM_ID }),
        createInitializeAccount3Instruction(other.publicKey, token.mint, owner),
        createTransferInstruction(own, other.publicKey, owner, tokenAmount / 4n),
      ],
      [wallet, other],
    );
    const sold = await trade(connection, { mint: token.mint, wallet, tokenToSpend: 'all' });
    expect(sold.tokenAmount).to.equal(tokenAmount - tokenAmount / 4n);
    expect([await held(), await tokensOf(connection, other.publicKey)]).to.deep.equal([0n, tokenAmount / 4n]);
  });

  describe('a quote that the user has seen', () => {
    it('sets the limit, not the price at the time of the call', async () => {
      const { minTokenToReceive } = quoteBuy(await curveState(cluster(), token), SOL, 100);
      await buyTokens(cluster(), token, cluster().payer, SOL);
      const error = await rejection(buying({ minTokenToReceive }), Error);
      expect(isProgramError(error, 'SlippageError')).to.equal(true);
      expect(await balance()).to.equal(20n * SOL);
      const { tokenAmount } = await buying({ minTokenToReceive: (minTokenToReceive * 8n) / 10n });
      const { minSolToReceive } = quoteSell(await curveState(cluster(), token), tokenAmount, 0);
      const selling = { solToSpend: undefined, tokenToSpend: 'all' as const };
      const late = buying({ ...selling, minSolToReceive: minSolToReceive + 1n });
      expect(isProgramError(await rejection(late, Error), 'SlippageError')).to.equal(true);
      expect((await buying({ ...selling, minSolToReceive })).solAmount).to.equal(minSolToReceive);
    });

    it('a quote of the first buy sets the limit of a launch', async () => {
      const terms = { wallet, ...TERMS };
      const first = await launch(cluster().connection, { ...terms, firstBuy: SOL });
      const minTokenToReceive = first.firstBuy!.tokenAmount;
      const more = { ...terms, firstBuy: SOL, minTokenToReceive: minTokenToReceive + 1n };
      const error = await rejection(launch(cluster().connection, more), Error);
      expect(isProgramError(error, 'SlippageError')).to.equal(true);
      await launch(cluster().connection, { ...terms, firstBuy: SOL, minTokenToReceive });
    });

    it('fixes the venue', async () => {
      const error = await rejection(buying({ venue: 'pool' }), InvalidArgumentError);
      expect(error.argument).to.equal('venue');
      expect(error.message).to.include('still trades on its curve');
      expect((await buying({ venue: 'curve' })).venue).to.equal('curve');
    });

    it('has exactly one limit, which must match the amount', async () => {
      const selling = { solToSpend: undefined, tokenToSpend: 1n };
      for (const [argument, params] of [
        ['minSolToReceive', { minSolToReceive: 1n }],
        ['minTokenToReceive', { ...selling, minTokenToReceive: 1n }],
        ['minTokenToReceive', { solToSpend: undefined, tokenToReceive: 1n, minTokenToReceive: 1n }],
        ['minTokenToReceive', { minTokenToReceive: 1n, slippageBps: 100 }],
        ['minTokenToReceive', { minTokenToReceive: -1n }],
        ['venue', { venue: 'moon' }],
        ['remember.store', { remember: { store: {}, key: KEY } }],
        ['remember.key', { remember: { store: new MemoryStore(), key: '' } }],
      ] as const) {
        const error = await rejection(buying(params, nowhere), InvalidArgumentError);
        expect(error.argument).to.equal(argument);
      }
      const terms = { wallet, ...TERMS };
      const error = await rejection(
        launch(nowhere, { ...terms, minTokenToReceive: 1n }),
        InvalidArgumentError,
      );
      expect(error.argument).to.equal('minTokenToReceive');
    });
  });

  describe('a wallet that signs and sends by itself', () => {
    const send = (transaction: VersionedTransaction) =>
      senderOf(cluster(), wallet).sendTransaction(transaction);
    /** @param answer given the signature of what was sent */
    const answering = (answer: (signature: string) => unknown) => ({
      publicKey: wallet.publicKey,
      sendTransaction: async (transaction: VersionedTransaction) => answer(await send(transaction)) as string,
    });
    /** A wallet that fails before it sends. */
    const refusing = (error: unknown) => ({
      publicKey: wallet.publicKey,
      // What wallets throw is not always an Error.
      // eslint-disable-next-line @typescript-eslint/prefer-promise-reject-errors
      sendTransaction: () => Promise.reject(error),
    });
    const broken = () => {
      throw new Error('WebSocket is not open');
    };

    for (const [shape, answer] of [
      ['base58', (signature: string) => signature],
      ['bytes', (signature: string) => bs58.decode(signature)],
      ['an object', (signature: string) => ({ signature })],
      ['an object with bytes', (signature: string) => ({ signature: bs58.decode(signature) })],
      ['a list with one object', (signature: string) => [{ signature }]],
      ['nothing', () => undefined],
      ['an empty text', () => ''],
      ['an object without it', () => ({ status: 'ok' })],
      ['an error after it has sent', broken],
    ] as const) {
      it(`has bought once when it answers with ${shape}`, async () => {
        const { tokenAmount, signature } = await buying({ wallet: answering(answer) });
        expect(await held()).to.equal(tokenAmount);
        const status = await cluster().connection.getSignatureStatus(signature);
        expect(status.value?.err).to.equal(null);
        expect(remembered()).to.equal(undefined);
      });
    }

    const declined = Object.assign(new Error('x'), { code: 4001 });
    for (const [shape, error] of [
      ['a code', declined],
      ['a code as text', { code: '4001' }],
      ['words', new Error('User rejected the request.')],
      [
        'an error of Wallet Adapter',
        Object.assign(new Error('?'), { name: 'WalletSendTransactionError', error: declined }),
      ],
      ['the cause of another', new Error('failed', { cause: declined })],
    ] as const) {
      it(`ends the trade at once when its user declines, said by ${shape}`, async () => {
        await buying({ wallet: refusing(error) }, proxied).then(
          () => expect.fail('it bought'),
          (thrown: unknown) => expect(thrown).to.equal(error),
        );
        expect(proxy.calls.get('getSignaturesForAddress') ?? 0).to.equal(0);
        expect(remembered()).to.equal(undefined);
      });
    }

    it('ends the trade with the refusal of the application’s node that it passes on', async () => {
      const adapter = {
        publicKey: wallet.publicKey,
        sendTransaction: async (transaction: VersionedTransaction) => {
          await buyTokens(cluster(), token, cluster().payer, 5n * SOL);
          return send(transaction).catch((error: unknown) => {
            expect(error).to.be.instanceOf(SendTransactionError);
            throw Object.assign(new Error('failed'), { name: 'WalletSendTransactionError', error });
          });
        },
      };
      const error = await rejection(buying({ wallet: adapter, slippageBps: 1 }), Error);
      expect(isProgramError(error, 'SlippageError'), error.message).to.equal(true);
      expect(await held()).to.equal(0n);
      expect(remembered()).to.equal(undefined);
    });

    it('leaves the outcome unknown when the node does not list transactions', async () => {
      proxy.rewrite(({ method }, result) =>
        method === 'getSignaturesForAddress' ? new RpcFailure(-32601, 'Method not found') : result,
      );
      const error = await rejection(buying({ wallet: answering(broken) }, proxied), OutcomeUnknownError);
      expect(error.message).to.include('does not list the wallet’s transactions').and.to.include('(unknown)');
      expect(remembered()).to.equal('(unknown)');
      await rejection(buying({}, nowhere), UnfinishedTransactionError);
      expect(await lookUpRemembered(cluster().connection, memory())).to.equal('succeeded');
      expect(remembered()).to.equal(undefined);
    });

    it('is remembered from before it was asked, and found after a crash', async () => {
      // The program ends before the wallet answers.
      await new Promise<void>((resolve) => {
        const crashing = {
          publicKey: wallet.publicKey,
          sendTransaction: async (transaction: VersionedTransaction) => {
            await send(transaction);
            resolve();
            return new Promise<string>(() => undefined);
          },
        };
        void buying({ wallet: crashing });
      });
      expect(remembered()).to.equal('(unknown)');
      await rejection(buying({}, nowhere), UnfinishedTransactionError);
      await eventually(
        async () => (await lookUpRemembered(cluster().connection, memory())) === 'succeeded',
        'the end of the trade',
      );
      expect(remembered()).to.equal(undefined);
    });

    it('is not taken for an equal trade whose signature was told', async () => {
      let first = true;
      const forgetful = answering((signature) => {
        if (!first) return broken();
        first = false;
        return signature;
      });
      const trades = [await buying({ wallet: forgetful }), await buying({ wallet: forgetful })];
      expect(new Set(trades.map(({ signature }) => signature)).size).to.equal(2);
      expect(trades[0]!.tokenAmount + trades[1]!.tokenAmount).to.equal(await held());
    });
  });

  describe('a remembered trade', () => {
    it('is stored before it is sent, and deleted when it ends', async () => {
      const kept: unknown[] = [];
      const note = () => void kept.push(rememberedTransaction(memory())?.signature);
      const steps = { onSent: note, onConfirmed: note };
      const { signature } = await buying({ ...steps });
      expect(kept).to.deep.equal([signature, undefined]);
      expect(await lookUpRemembered(cluster().connection, memory())).to.equal('none');
    });

    it('is not made again after a crash, and its outcome can be looked up', async () => {
      proxy.rewrite(({ method }, result) =>
        method === 'getSignatureStatuses' ? { context: { slot: 1 }, value: [null] } : result,
      );
      const controller = new AbortController();
      const onSent = () => setTimeout(() => controller.abort(), 200);
      const crashing = buying({ signal: controller.signal, onSent }, proxied);
      const { signature } = await rejection(crashing, OutcomeUnknownError);
      const tokens = await held();

      // As after a restart of the program.
      const again = await rejection(buying({}, nowhere), UnfinishedTransactionError);
      expect(again.signature).to.equal(signature);
      await rejection(launch(nowhere, { wallet, ...TERMS, remember: memory() }), UnfinishedTransactionError);
      expect(await lookUpRemembered(proxied, memory())).to.equal('pending');
      const kept = store.getItem(KEY)!;
      expect(await lookUpRemembered(cluster().connection, memory())).to.equal('succeeded');
      store.setItem(KEY, kept);
      expect(await lookUpWithKit(createSolanaRpc(cluster().rpcUrl), memory())).to.equal('succeeded');
      expect(await held()).to.equal(tokens);
      await buying({});
    });

    it('is deleted when the program refuses it, or the wallet declines', async () => {
      const slow = signing(() => buyTokens(cluster(), token, cluster().payer, 5n * SOL));
      await rejection(buying({ wallet: slow }), Error);
      expect(rememberedTransaction(memory())).to.equal(undefined);
      const declining = signing(() => Promise.reject(new Error('declined')));
      await rejection(buying({ wallet: declining }), Error);
      expect(rememberedTransaction(memory())).to.equal(undefined);
    });

    it('a trade of another page, stored while this wallet signs, stops this trade before it is sent', async () => {
      const other = { signature: 'theirs', lastValidBlockHeight: 1 };
      const slow = signing(() => store.setItem(KEY, JSON.stringify(other)));
      const error = await rejection(buying({ wallet: slow }), UnfinishedTransactionError);
      expect(error.signature).to.equal('theirs');
      expect(rememberedTransaction(memory())).to.deep.equal(other);
      expect(await balance()).to.equal(20n * SOL);
      forgetTransaction(memory());
      await buying({});
    });

    it('is not read from an invalid stored text', () => {
      for (const text of ['', '{', '[]', '"text"', '{"signature":1}']) {
        store.setItem(KEY, text);
        expect(rememberedTransaction(memory()), text).to.equal(undefined);
      }
    });
  });
});
