// What a caller adds to trade() and launch(): own instructions, a tip, a durable nonce, lookup tables; over each Solana
// library.
import { createTransferInstruction } from '@solana/spl-token';
import {
  AddressLookupTableAccount,
  AddressLookupTableProgram,
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  NonceAccount,
  type PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js';
import { expect } from 'chai';
import { associatedTokenAddress } from '@curvekit/sdk';
import { rememberedTransaction } from '@curvekit/sdk/trade';
import { lamportsOf } from '../../../tests/support/cluster/accounts.js';
import { useCluster } from '../../../tests/support/cluster/cluster.js';
import { SOL } from '../../../tests/support/constants.js';
import { failure, FLAVOURS, type Flavour, type Params } from '../../../tests/support/kit/flavours.js';
import {
  MemoryStore,
  nowhere,
  senderOf,
  REFUSE_TO_SIGN,
  signerOf,
  signingAfter,
  useTrader,
  type Trader,
} from '../../../tests/support/program/trader.js';
import { eventually } from '../../../tests/support/service/service.js';

const PAID = 2_000_000n;
const TERMS = { name: 'Composed', symbol: 'PARTS', uri: 'https://example.org/parts.json' };

for (const [name, load] of FLAVOURS) {
  describe(`a trade with more than the order, with ${name}`, () => {
    const cluster = useCluster();
    const trader = useTrader(cluster);
    let library: Flavour;
    let { token, wallet, proxy, held, balance } = {} as Trader;
    let friend: PublicKey;
    before(async () => (library = await load()));
    beforeEach(() => {
      ({ token, wallet, proxy, held, balance } = trader());
      friend = Keypair.generate().publicKey;
    });

    const node = () => library.client(proxy.url);
    const buy = (params: Params = {}, client = node()) =>
      library.trade(client, { mint: token.mint, wallet, solToSpend: SOL, ...params });
    const paying = (lamports: bigint, from = wallet.publicKey) =>
      SystemProgram.transfer({ fromPubkey: from, toPubkey: friend, lamports });
    const received = () => lamportsOf(cluster().connection, friend);
    /** A wallet that is given a transaction, and may change it. */
    const signing = (first: Parameters<typeof signingAfter>[1]) => signingAfter(wallet, first);
    const neverSigns = () => signing(REFUSE_TO_SIGN);
    const unsent = async (params: Params, error: string) => {
      const refused = await failure(buy({ wallet: neverSigns(), ...params }), error);
      expect(await balance()).to.equal(20n * SOL);
      return refused;
    };

    it('pays a tip, and makes instructions of the caller before and after, within what they may take', async () => {
      const own = { before: [paying(PAID)], after: [paying(1n)], tip: { to: friend, lamports: PAID } };
      const { tokenAmount, walletChange, networkFee } = await buy({ ...own, extraLamports: PAID + 1n });
      expect([await held(), await received()]).to.deep.equal([tokenAmount, 2n * PAID + 1n]);
      expect(walletChange).to.equal(-(SOL + networkFee + 2_039_280n + 2n * PAID + 1n));

      await library.trade(node(), { mint: token.mint, wallet, tokenToSpend: 'all', tip: own.tip });
      expect([await held(), await received()]).to.deep.equal([0n, 3n * PAID + 1n]);
      await library.launch(node(), { wallet, ...TERMS, firstBuy: SOL, tip: own.tip });
      expect(await received()).to.equal(4n * PAID + 1n);
    });

    it('takes nothing that the caller has not allowed: of SOL, of the bought tokens, of their account', async () => {
      const { allowed, takes } = await unsent(
        { after: [paying(PAID)], extraLamports: PAID - 1n },
        'ExcessiveLossError',
      );
      expect((takes as bigint) - (allowed as bigint)).to.equal(1n);
      const own = associatedTokenAddress(wallet.publicKey, token.mint).address;
      await buy();
      const other = await cluster().fundedWallet(2n * SOL);
      const theirs = associatedTokenAddress(other.publicKey, token.mint).address;
      await buy({ wallet: other });
      const giving = createTransferInstruction(own, theirs, wallet.publicKey, 1_000_000_000_000);
      const before = await balance();
      const error = await failure(buy({ wallet: neverSigns(), after: [giving] }), 'ExcessiveLossError');
      expect(error).to.include({ asset: 'tokens' });
      expect(await balance()).to.equal(before);
    });

    it('refuses before any request what it cannot sign, and a wallet that may change what it sends', async () => {
      const sends = senderOf(cluster(), wallet);
      for (const [argument, params] of [
        ['after[0]', { after: [paying(1n, friend)] }],
        ['before[0]', { before: [{}] }],
        ['tip.lamports', { tip: { to: friend, lamports: 0n } }],
        ['extraLamports', { extraLamports: -1n }],
        ['nonce', { nonce: friend, wallet: sends }],
        ['lookupTables', { lookupTables: [tableOf(friend, [])], wallet: sends }],
      ] as const) {
        const error = await failure(buy(params, library.client(nowhere.rpcEndpoint)), 'InvalidArgumentError');
        expect(error['argument'], error.message).to.equal(argument);
      }
    });

    it('is prepared for a signer of the caller’s, also with another’s signature', async () => {
      const other = await cluster().fundedWallet(SOL);
      const order = { mint: token.mint, solToSpend: SOL, before: [paying(PAID, other.publicKey)] };
      const prepared = await library.prepareTrade(node(), { ...order, wallet });
      prepared.transaction.sign([wallet, other]);
      await library.sendAndConfirm(node(), prepared);
      expect([(await held()) > 0n, await received()]).to.deep.equal([true, PAID]);
    });

    describe('a durable nonce', () => {
      let nonce: Keypair;
      let store: MemoryStore;
      beforeEach(async () => {
        nonce = Keypair.generate();
        store = new MemoryStore();
        const { connection, payer } = cluster();
        const lamports = await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH);
        const { instructions } = SystemProgram.createNonceAccount({
          fromPubkey: payer.publicKey,
          noncePubkey: nonce.publicKey,
          authorizedPubkey: wallet.publicKey,
          lamports,
        });
        await cluster().send(instructions, [payer, nonce]);
      });
      const memory = () => ({ store, key: 'trade' });
      const order = () => ({ nonce: nonce.publicKey, remember: memory(), stallTimeoutMs: 1_500 });
      const value = async () => {
        const account = await cluster().connection.getAccountInfo(nonce.publicKey);
        return NonceAccount.fromAccountData(account!.data).nonce;
      };
      // Not the first instruction: Surfpool would take the transaction's blockhash for a nonce.
      const advance = () =>
        cluster().send(
          [
            paying(0n),
            SystemProgram.nonceAdvance({ noncePubkey: nonce.publicKey, authorizedPubkey: wallet.publicKey }),
          ],
          [wallet],
        );

      it('takes the place of a blockhash, and has advanced afterwards', async () => {
        const first = await value();
        const blockhashes: string[] = [];
        const noting = signing(({ message }) => blockhashes.push(message.recentBlockhash));
        const { tokenAmount } = await buy({ ...order(), wallet: noting });
        expect([await held(), blockhashes]).to.deep.equal([tokenAmount, [first]]);
        expect(await value()).not.to.equal(first);
        await library.trade(node(), { ...order(), mint: token.mint, wallet, tokenToSpend: 'all' });
        expect(await held()).to.equal(0n);
      });

      it('must be the wallet’s', async () => {
        const theirs = await cluster().fundedWallet(SOL);
        for (const given of [{ wallet: theirs, nonce: nonce.publicKey }, { nonce: friend }]) {
          const error = await failure(buy(given), 'InvalidArgumentError');
          expect(error['argument']).to.equal('nonce');
        }
      });

      it('that advances while the wallet signs makes the node refuse the trade', async () => {
        const error = await failure(buy({ ...order(), wallet: signing(advance) }), 'BlockhashExpiredError');
        expect(error.message).to.include('nonce has advanced');
        expect([await held(), rememberedTransaction(memory())]).to.deep.equal([0n, undefined]);
      });

      it('leaves the outcome open as long as it has not advanced: the trade lands much later', async () => {
        let kept: VersionedTransaction | undefined;
        const sender = (transaction: VersionedTransaction) => Promise.resolve((kept = transaction));
        await failure(buy({ ...order(), sender }), 'OutcomeUnknownError');
        expect(await library.lookUpRemembered(node(), memory())).to.equal('pending');
        await failure(buy(order()), 'UnfinishedTransactionError');
        await cluster().connection.sendRawTransaction(kept!.serialize());
        const ends = (how: string) =>
          eventually(async () => (await library.lookUpRemembered(node(), memory())) === how, how);
        await ends('succeeded');
        expect((await held()) > 0n).to.equal(true);
        await failure(buy({ ...order(), sender }), 'OutcomeUnknownError');
        await advance();
        await ends('expired');
      });

      it('that has advanced without the trade proves that it never lands', async () => {
        const sender = () => advance();
        const error = await failure(
          buy({ ...order(), stallTimeoutMs: 30_000, sender }),
          'TransactionExpiredError',
        );
        expect(error.message).to.include('before its nonce advanced');
        expect([await held(), rememberedTransaction(memory())]).to.deep.equal([0n, undefined]);
      });

      it('whose finalized state is from before it proves nothing', async () => {
        proxy.rewrite(({ method, params }, result) => {
          // Kit leaves out what is the node's default.
          const { commitment = 'finalized' } = Object(params[1]) as { commitment?: string };
          if (!/^get(Account|MultipleAccounts)/.test(method) || commitment !== 'finalized') return result;
          const { context, value } = result as { context: object; value: unknown };
          return { context: { ...context, slot: 1 }, value: Array.isArray(value) ? [null] : null };
        });
        await failure(buy({ ...order(), sender: advance }), 'OutcomeUnknownError');
      });
    });

    describe('a lookup table', () => {
      let table: AddressLookupTableAccount;
      beforeEach(async () => {
        const { connection } = cluster();
        // Two tables of one authority and one slot would have one address.
        const payer = await cluster().fundedWallet(SOL);
        const recentSlot = await connection.getSlot('confirmed');
        const [create, key] = AddressLookupTableProgram.createLookupTable({
          authority: payer.publicKey,
          payer: payer.publicKey,
          recentSlot,
        });
        const addresses = [cluster().deployment.feeReceiver, friend, Keypair.generate().publicKey];
        const extend = AddressLookupTableProgram.extendLookupTable({
          ...{ lookupTable: key, authority: payer.publicKey, payer: payer.publicKey, addresses },
        });
        await cluster().send([create, extend], [payer]);
        // The cluster looks addresses up from the slot after their addition.
        await cluster().fund(friend, SOL);
        table = tableOf(key, addresses);
      });
      const order = () => ({ lookupTables: [table], after: [paying(PAID)], extraLamports: PAID });

      it('holds accounts of the caller’s instructions, and none of the order', async () => {
        const lookups: unknown[] = [];
        const noting = signing(({ message: { addressTableLookups } }) =>
          lookups.push(...addressTableLookups.map(({ writableIndexes }) => [...writableIndexes])),
        );
        await buy({ ...order(), wallet: noting });
        expect([await received(), lookups]).to.deep.equal([SOL + PAID, [[1]]]);
      });

      it('whose addresses the node does not confirm is refused', async () => {
        const [first, second, third] = table.state.addresses;
        for (const addresses of [
          [first!, third!],
          [first!, second!, third!, friend],
        ]) {
          const error = await unsent(
            { ...order(), lookupTables: [tableOf(table.key, addresses)] },
            'InvalidArgumentError',
          );
          expect(error['argument']).to.equal('lookupTables[0]');
        }
        await unsent({ ...order(), lookupTables: [tableOf(friend, [])] }, 'InvalidArgumentError');
      });

      it('of which the wallet takes another address is detected', async () => {
        const swapping = signing(({ message }) => {
          message.addressTableLookups[0]!.writableIndexes[0] = 2;
        });
        const error = await failure(buy({ ...order(), wallet: swapping }), 'ChangedTransactionError');
        expect(error.message).to.include('an instruction').and.not.include('by tables');
        expect(await balance()).to.equal(20n * SOL);
      });

      it('of its own the wallet may not add', async () => {
        const other = tableOf(Keypair.generate().publicKey, [friend]);
        const swapping = {
          publicKey: wallet.publicKey,
          signTransaction: ({ message }: VersionedTransaction) => {
            const rewritten = TransactionMessage.decompile(message, { addressLookupTableAccounts: [table] });
            return signerOf(wallet).signTransaction(
              new VersionedTransaction(rewritten.compileToV0Message([other])),
            );
          },
        };
        const error = await failure(buy({ ...order(), wallet: swapping }), 'ChangedTransactionError');
        expect(error.message).to.include('by tables');
      });
    });
  });
}

function tableOf(key: PublicKey, addresses: PublicKey[]): AddressLookupTableAccount {
  const state = { deactivationSlot: 2n ** 64n - 1n, lastExtendedSlot: 0, lastExtendedSlotStartIndex: 0 };
  return new AddressLookupTableAccount({ key, state: { ...state, addresses } });
}
