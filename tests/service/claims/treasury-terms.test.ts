// What the treasury asks its RPC node before it signs a claim, which claims it refuses, and what it says about those it signs. threat: counted-twice
import {
  Keypair,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
  type PublicKey,
} from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import { associatedTokenAddress } from '@curvekit/sdk';
import { claimInstructions, type ClaimOrder } from '#app/claims/transaction.js';
import { Treasury, type PayableClaim, type Terms } from '#app/claims/treasury.js';
import { ClaimRefusedError } from '#app/claims/refusal.js';
import { connectNode } from '#app/chain/connection.js';
import { verifySignature } from '#app/keys/ed25519.js';
import { localSigner } from '#app/keys/local-signer.js';
import { SOL } from '#tests/constants.js';
import { rejection } from '#tests/mocha/failures.js';
import {
  ACCOUNT_RENT,
  ACCOUNTS_SLOT,
  BLOCKHASH,
  BLOCKHASH_SLOT,
  startAccountsNode,
  WALLET_RENT,
  type AccountsNode,
} from '#tests/node/accounts-node.js';
import { HttpFailure } from '#tests/node/fake-node.js';

const NETWORK_FEE = 10_000n;

describe('the terms on which the treasury signs a claim', function () {
  this.timeout(30_000);
  const key = Keypair.generate();
  const address = key.publicKey;
  const mint = Keypair.generate().publicKey;
  let node: AccountsNode;
  let treasury: Treasury;
  let wallet: PublicKey;

  before('start a node', async () => {
    node = await startAccountsNode();
  });
  after(() => node.stop());
  beforeEach(() => {
    node.reset();
    wallet = Keypair.generate().publicKey;
    treasury = new Treasury(connectNode({ rpcUrl: node.url }), localSigner(key));
    node.put('finalized', address, 5n * SOL + WALLET_RENT);
    putTokens('finalized', address, 7_000n);
  });

  const tokensOf = (owner: PublicKey) => associatedTokenAddress(owner, mint).address.toBase58();
  /** Sets a wallet's account of the token. */
  const putTokens = (
    at: 'confirmed' | 'finalized',
    of: PublicKey,
    amount: bigint,
    unusual?: Parameters<AccountsNode['putTokens']>[3],
  ) => node.putTokens(at, { wallet: of, mint }, amount, unusual);
  const orderOf = (changes: Partial<ClaimOrder> = {}): ClaimOrder => ({
    ...{ wallet, mint, asset: 'TOKEN', amount: 5n, burn: false },
    ...changes,
  });
  const neverAsked = () => Promise.reject(new Error('nobody may ask for an account'));
  const sign = (changes: Partial<ClaimOrder> = {}, terms: Partial<Terms> = {}): Promise<PayableClaim> =>
    treasury.sign(orderOf(changes), {
      ...{ settledSlot: 0, since: -Infinity, accountRefusal: neverAsked },
      ...terms,
    });
  /** Signs and expects the transaction's instructions. @returns what the claim costs the treasury in addition */
  async function costsOf(changes: Partial<ClaimOrder>, walletHasAccount: boolean, terms?: Partial<Terms>) {
    const { signed } = await sign(changes, terms);
    const order = orderOf(changes);
    const transaction = VersionedTransaction.deserialize(Buffer.from(signed.transaction, 'base64'));
    const message = new TransactionMessage({
      payerKey: address,
      recentBlockhash: BLOCKHASH.blockhash,
      instructions: claimInstructions(address, order, { networkFee: NETWORK_FEE, walletHasAccount }),
    }).compileToV0Message();
    expect(transaction.message.serialize()).to.deep.equal(message.serialize());
    const [bySigner, byWallet] = transaction.signatures;
    expect(signed.signature).to.equal(bs58.encode(bySigner!));
    expect(verifySignature(address.toBytes(), message.serialize(), bySigner!)).to.equal(true);
    expect([...byWallet!]).to.deep.equal(Array(64).fill(0));
    const { opensAccount, rent, ...rest } = signed;
    expect(rest).to.deep.equal({
      ...{ signature: signed.signature, transaction: signed.transaction, networkFee: NETWORK_FEE },
      ...{ blockhashSlot: BLOCKHASH_SLOT, lastValidBlockHeight: 345 },
    });
    return { opensAccount, rent };
  }
  const FREE = { opensAccount: false, rent: 0n };
  const refusalOf = (changes: Partial<ClaimOrder>, terms?: Partial<Terms>) =>
    rejection(sign(changes, terms), ClaimRefusedError);
  const readings = () => node.askedFor('getMultipleAccounts', 'finalized');

  it('the treasury itself cannot claim, and no node is asked', async () => {
    const { refusal, message } = await refusalOf({ wallet: address });
    expect([refusal, message]).to.deep.equal(['claim', 'The treasury itself cannot claim']);
    expect(node.asked).to.deep.equal([]);
  });

  const least = (amount: bigint, limit: bigint, why: string) =>
    `The SOL amount to claim is ${amount} lamports; it must be above ${limit}, ${why}. It stays credited and is paid together ` +
    'with the next rewards of this token';
  for (const [whose, lamports, limit, why] of [
    ['a wallet that has lamports', 1n, NETWORK_FEE, 'the network fee'],
    ['a wallet that has none', 0n, NETWORK_FEE + WALLET_RENT, 'the network fee and the rent of a new wallet'],
    [
      'a wallet that does not exist',
      undefined,
      NETWORK_FEE + WALLET_RENT,
      'the network fee and the rent of a new wallet',
    ],
  ] as const) {
    it(`SOL to ${whose} must be above ${limit} lamports`, async () => {
      if (lamports !== undefined) node.put('confirmed', wallet, lamports);
      for (const amount of [1n, limit]) {
        const { refusal, message } = await refusalOf({ asset: 'SOL', amount });
        expect([refusal, message]).to.deep.equal(['claim', least(amount, limit, why)]);
      }
      expect(await costsOf({ asset: 'SOL', amount: limit + 1n }, false)).to.deep.equal(FREE);
    });
  }

  it('a claim of SOL reads no token account and no balance of tokens', async () => {
    putTokens('confirmed', wallet, 0n, { owner: Keypair.generate().publicKey });
    expect(await costsOf({ asset: 'SOL', amount: SOL }, false)).to.deep.equal(FREE);
    expect((await sign({ asset: 'SOL', amount: SOL })).balances.tokens).to.equal(0n);
    expect(node.asked.flatMap(({ addresses }) => addresses)).not.to.include(tokensOf(wallet));
    expect(readings()[0]!.addresses).to.deep.equal([address.toBase58()]);
  });

  it('tokens to an account that exists cost no rent, and any amount can be claimed', async () => {
    putTokens('confirmed', wallet, 0n);
    for (const burn of [false, true]) expect(await costsOf({ amount: 1n, burn }, true)).to.deep.equal(FREE);
  });

  it('tokens to an account that does not exist cost its rent, and need a permission', async () => {
    let times = 0;
    const accountRefusal = () => Promise.resolve(void (times += 1));
    const opened = { opensAccount: true, rent: ACCOUNT_RENT };
    // A token account of the finalized state only is one that was closed since.
    putTokens('finalized', wallet, 0n);
    expect(await costsOf({}, false, { accountRefusal })).to.deep.equal(opened);
    // Anyone can send lamports to the address.
    putTokens('confirmed', wallet, 0n, { program: SystemProgram.programId });
    expect(await costsOf({}, false, { accountRefusal })).to.deep.equal(opened);
    expect(times).to.equal(2);
  });

  it('tokens to burn need the rent for the moment, and no permission', async () => {
    expect(await costsOf({ burn: true }, false)).to.deep.equal({ opensAccount: false, rent: ACCOUNT_RENT });
  });

  it("tokens are not paid to the wallet's account when the wallet has given it away", async () => {
    putTokens('confirmed', wallet, 0n, { owner: Keypair.generate().publicKey });
    for (const burn of [false, true]) {
      const { refusal, message } = await refusalOf({ burn });
      expect([refusal, message]).to.deep.equal([
        'claim',
        "The wallet's token account belongs to somebody else",
      ]);
    }
  });

  it('a refused permission is thrown, unless the account has appeared meanwhile', async () => {
    const refusal = new ClaimRefusedError('later', 'no more accounts for now');
    expect(await refusalOf({}, { accountRefusal: () => Promise.resolve(refusal) })).to.equal(refusal);
    expect(node.askedFor('getMultipleAccounts', 'confirmed')).to.have.lengthOf(2);
    const accountRefusal = () => {
      putTokens('confirmed', wallet, 0n);
      return Promise.resolve(refusal);
    };
    expect(await costsOf({}, true, { accountRefusal })).to.deep.equal(FREE);
  });

  it('a node that does not answer whether the account has appeared is unavailable', async () => {
    const accountRefusal = () => {
      node.setDown(true);
      return Promise.resolve(new ClaimRefusedError('later', 'no more accounts for now'));
    };
    await rejection(sign({}, { accountRefusal }), ClaimRefusedError);
  });

  it('the balances are finalized: lamports above the rent, and tokens of the mint', async () => {
    // Newer balances could be undone.
    node.put('confirmed', address, 9n * SOL);
    putTokens('confirmed', address, 9_000n);
    const balances = {
      treasury: address.toBase58(),
      slot: ACCOUNTS_SLOT,
      lamports: 5n * SOL,
      tokens: 7_000n,
    };
    expect((await sign({ burn: true })).balances).to.deep.equal(balances);
    expect(readings().map(({ addresses }) => addresses)).to.deep.equal([
      [address.toBase58(), tokensOf(address)],
    ]);
    const other = Keypair.generate().publicKey;
    expect((await sign({ burn: true, mint: other })).balances).to.deep.equal({ ...balances, tokens: 0n });
    expect((await sign({ asset: 'SOL', amount: SOL })).balances).to.deep.equal({ ...balances, tokens: 0n });
  });

  it('a treasury without accounts lacks even its rent, and has no tokens', async () => {
    node.reset();
    const none = { lamports: -WALLET_RENT, tokens: 0n };
    expect((await sign({ burn: true })).balances).to.deep.include(none);
    putTokens('finalized', address, 7_000n, { program: SystemProgram.programId });
    expect((await sign({ burn: true }, { since: performance.now() })).balances).to.deep.include(none);
  });

  it('balances from before the latest payment are read again, at its slot', async () => {
    node.newest = ACCOUNTS_SLOT + 20;
    for (const [settledSlot, slot, minimums] of [
      [ACCOUNTS_SLOT, ACCOUNTS_SLOT, [undefined]],
      [ACCOUNTS_SLOT + 1, node.newest, [undefined, ACCOUNTS_SLOT + 1]],
      [node.newest, node.newest, [undefined, node.newest]],
    ] as const) {
      node.asked.length = 0;
      const { balances } = await sign({ burn: true }, { settledSlot, since: performance.now() });
      expect([balances.slot, balances.tokens]).to.deep.equal([slot, 7_000n]);
      expect(readings().map(({ minContextSlot }) => minContextSlot)).to.deep.equal(minimums);
    }
    const late = sign({ burn: true }, { settledSlot: node.newest + 1, since: performance.now() });
    expect(String((await rejection(late, ClaimRefusedError)).cause)).to.contain(
      'Minimum context slot has not been reached',
    );
  });

  it('claims at once share the balances of their token and the blockhash', async () => {
    const since = performance.now();
    const other = { mint: Keypair.generate().publicKey, burn: true };
    await Promise.all([sign({ burn: true }, { since }), sign({ burn: true }), sign(other), sign(other)]);
    expect(readings()).to.have.lengthOf(2);
    expect(node.askedFor('getLatestBlockhash', 'confirmed')).to.have.lengthOf(1);
    // What was read before a claim's time is read again.
    await sign({ burn: true }, { since: performance.now() });
    expect(readings()).to.have.lengthOf(3);
    expect(node.askedFor('getLatestBlockhash', 'confirmed')).to.have.lengthOf(2);
  });

  it("claims read their wallet's accounts each time, which can change at any time", async () => {
    const newWallet = NETWORK_FEE + WALLET_RENT;
    await refusalOf({ asset: 'SOL', amount: newWallet });
    node.put('confirmed', wallet, 1n);
    await sign({ asset: 'SOL', amount: newWallet });
  });

  it('rents are read once', async () => {
    for (const amount of [1n, 2n, 3n])
      expect((await sign({ burn: true, amount })).signed.rent).to.equal(ACCOUNT_RENT);
    expect(node.askedFor('getMinimumBalanceForRentExemption', 'confirmed')).to.have.lengthOf(2);
  });

  it('rents that the node did not tell are read again', async () => {
    node.setFaults(({ method }, result) =>
      method === 'getMinimumBalanceForRentExemption' ? new HttpFailure(503) : result,
    );
    await rejection(sign({ burn: true }), ClaimRefusedError);
    node.setFaults();
    expect((await sign({ burn: true })).signed.rent).to.equal(ACCOUNT_RENT);
  });

  it('a node that does not answer is unavailable, and the cause says why', async () => {
    node.setDown(true);
    const { message, cause } = await rejection(sign({ burn: true }), ClaimRefusedError);
    expect(message).to.equal('The cluster cannot be reached; try again later');
    expect(String(cause)).to.contain('503');
    node.setDown(false);
    // Not with the readings that are still on their way to fail.
    await sign({ burn: true }, { since: performance.now() });
  });
});
