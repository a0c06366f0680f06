// What trade() protects the caller from: a wallet that signs another transaction, an old quote, a silent node.
import {
  ACCOUNT_SIZE,
  createInitializeAccount3Instruction,
  createTransferInstruction,
  TOKEN_PROGRAM_ID,
} from '@solana/spl-token';
import {
  ComputeBudgetProgram,
  Keypair,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
  PublicKey,
} from '@solana/web3.js';
import { expect } from 'chai';
import {
  associatedTokenAddress,
  InvalidArgumentError,
  isProgramError,
  IncompleteTransactionError,
  OutcomeUnknownError,
  quoteBuy,
  quoteSell,
  TransactionError,
} from '@curvekit/sdk';
import { bytesWallet, ChangedTransactionError, launch, trade } from '@curvekit/sdk/trade';
import { useCluster } from '../../../tests/support/cluster/cluster.js';
import { SOL } from '../../../tests/support/constants.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { buyTokens, curveState, tokensOf } from '../../../tests/support/program/tokens.js';
import { MemoryStore, nowhere, useTrader, type Trader } from '../../../tests/support/program/trader.js';

const LIGHTHOUSE = new PublicKey('L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95');
const KEY = 'trade';

describe('what trade() protects the caller from', () => {
  const cluster = useCluster();
  const trader = useTrader(cluster);
  let { token, wallet, proxy, proxied, held, balance } = {} as Trader;
  beforeEach(() => ({ token, wallet, proxy, proxied, held, balance } = trader()));

  const buying = (params: object = {}, connection = cluster().connection) =>
    trade(connection, { mint: token.mint, wallet, solToSpend: SOL, ...params });

  describe('a wallet that returns another transaction', () => {
    /** A wallet that changes the transaction before it signs. */
    const changing = (change: (message: TransactionMessage) => void) => ({
      publicKey: wallet.publicKey,
      signTransaction: (transaction: VersionedTransaction) => {
        const message = TransactionMessage.decompile(transaction.message);
        change(message);
        const changed = new VersionedTransaction(message.compileToV0Message());
        changed.sign([wallet]);
        return Promise.resolve(changed);
      },
    });
    const payment = () =>
      SystemProgram.transfer({
        fromPubkey: wallet.publicKey,
        toPubkey: cluster().payer.publicKey,
        lamports: 1_000_000,
      });

    for (const [name, change, problem] of [
      [
        'pays somebody else instead',
        (message: TransactionMessage) => message.instructions.splice(-1, 1, payment()),
        'was not simulated',
      ],
      [
        'pays somebody else as well',
        (message: TransactionMessage) => message.instructions.push(payment()),
        `it has an instruction of ${SystemProgram.programId.toBase58()} that was not simulated`,
      ],
      [
        'leaves the trade out',
        (message: TransactionMessage) => message.instructions.pop(),
        'an instruction is missing or altered',
      ],
      [
        'takes another blockhash',
        (message: TransactionMessage) => (message.recentBlockhash = Keypair.generate().publicKey.toBase58()),
        'its blockhash is another one',
      ],
      [
        'changes the minimum',
        (message: TransactionMessage) => message.instructions.at(-1)!.data.fill(0, 16),
        'was not simulated',
      ],
    ] as const) {
      it(`and ${name} is detected before sending`, async () => {
        const error = await rejection(buying({ wallet: changing(change) }), ChangedTransactionError);
        expect(error.message).to.include(problem).and.to.include('it was not sent');
        expect(await balance()).to.equal(20n * SOL);
      });
    }

    it('is also detected when it changes the given object in place', async () => {
      const altering = {
        publicKey: wallet.publicKey,
        signTransaction: (transaction: VersionedTransaction) => {
          transaction.message.compiledInstructions.at(-1)!.data.fill(0, 16);
          transaction.sign([wallet]);
          return Promise.resolve(transaction);
        },
      };
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

    it('signs bytes, launches and trades', async () => {
      const signing = bytesWallet(wallet.publicKey.toBase58(), (bytes) => {
        const transaction = VersionedTransaction.deserialize(bytes);
        transaction.sign([wallet]);
        return Promise.resolve(transaction.serialize());
      });
      const terms = { name: 'Bytes', symbol: 'BYTES', uri: 'https://example.org/bytes.json' };
      const { mint } = await launch(cluster().connection, { wallet: signing, ...terms });
      const { tokenAmount } = await buying({ wallet: signing, mint: mint.publicKey });
      expect(tokenAmount > 0n).to.equal(true);
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
      const terms = { wallet, name: 'First', symbol: 'FIRST', uri: 'https://example.org/f.json' };
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
      const terms = { wallet, name: 'First', symbol: 'FIRST', uri: 'https://example.org/f.json' };
      const error = await rejection(
        launch(nowhere, { ...terms, minTokenToReceive: 1n }),
        InvalidArgumentError,
      );
      expect(error.argument).to.equal('minTokenToReceive');
    });
  });

  describe('a node that stops answering', () => {
    it('after sending does not delay an abort by the caller', async () => {
      for (const [silent, expected] of [
        ['getSignatureStatuses', OutcomeUnknownError],
        ['getTransaction', IncompleteTransactionError],
      ] as const) {
        const controller = new AbortController();
        let stoppedAt = Infinity;
        proxy.rewrite(({ method }, result) => {
          if (method !== silent) return result;
          stoppedAt = performance.now();
          controller.abort(new Error('enough'));
          return new Promise(() => undefined);
        });
        const error = await rejection(buying({ signal: controller.signal }, proxied), expected);
        expect(error.signature).to.have.length.within(64, 88);
        expect(performance.now() - stoppedAt).to.be.below(2_000);
      }
    });
  });
});
