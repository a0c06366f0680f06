// What the treasury can pay: fees and rent of claims never come out of what it owes, with many claims at once, with a node that shows
// wrong balances, and when its key is changed. threat: spent-by-claims, counted-twice
import { Keypair, SystemProgram, type PublicKey, type VersionedTransaction } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import { connectNode } from '#app/chain/connection.js';
import { ClaimRefusedError } from '#app/claims/refusal.js';
import type { ClaimOrder } from '#app/claims/transaction.js';
import { Treasury, type Terms } from '#app/claims/treasury.js';
import { localSigner } from '#app/keys/local-signer.js';
import { type Service } from '#app/service.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { ApiClient, type ApiAnswer } from '#tests/service/api-client.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { DATABASE_KIND, openTestDatabase } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { ACCOUNTS_SLOT, startAccountsNode, type AccountsNode } from '#tests/node/accounts-node.js';
import { HttpFailure, RpcFailure } from '#tests/node/fake-node.js';
import {
  expireBlockhashes,
  initiate,
  ledgerProblems,
  reward,
  rewardsEnvironment,
  useRewardsScene,
  transactionOf,
  untilClaim,
  untilClaimsEnd,
} from '#tests/service/rewards.js';
import { ACCOUNT_RENT, NETWORK_FEE, TOKENS, WALLET_RENT } from '#tests/service/claims.js';
import { eventually, finalize } from '#tests/service/service.js';
import { whileFinalizing } from '#tests/service/service-context.js';
import { startTestService } from '#tests/service/test-service.js';
import { SOL } from '#tests/constants.js';

const MINT = 'So11111111111111111111111111111111111111112';
/** Too little for another claim. */
const REST = NETWORK_FEE - 1n;

describe(`the treasury of claims (${DATABASE_KIND})`, () => {
  const cluster = useCluster();
  const scene = useRewardsScene(cluster);
  /** Has a SOL reward that it does not claim. */
  let owner: Keypair;

  before(async () => (owner = await scene.rewarded('SOL', 10n * SOL)));
  afterEach('the ledger adds up', async () => {
    expect(await ledgerProblems(scene.database)).to.deep.equal([]);
  });

  /** Leaves the treasury `surplus` lamports above what it owes and its own rent. */
  const leave = (surplus: bigint) =>
    cluster().setAccount(scene.treasury.publicKey, { lamports: 10n * SOL + WALLET_RENT + surplus });
  const surplus = async () =>
    (await lamportsOf(cluster().connection, scene.treasury.publicKey)) - 10n * SOL - WALLET_RENT;

  /** Sends claims of new wallets, all at once. @returns the accepted ones, each as wallet and answer */
  async function claimAtOnce(count: number, burnToken = false): Promise<[Keypair, ApiAnswer][]> {
    const wallets = await Promise.all(Array.from({ length: count }, () => scene.rewarded('TOKEN', TOKENS)));
    const answers = await Promise.all(
      wallets.map((wallet) => initiate(scene, wallet, { claimType: 'TOKEN', burnToken })),
    );
    for (const { status, body } of answers)
      if (status !== 200)
        expect([status, body['message']]).to.deep.equal([
          400,
          'The treasury is short of SOL for the network at the moment; try again later',
        ]);
    return wallets.flatMap((wallet, index) =>
      answers[index]!.status === 200 ? [[wallet, answers[index]!]] : [],
    );
  }
  async function land(paid: readonly [Keypair, ApiAnswer][]): Promise<void> {
    for (const [wallet, answer] of paid) {
      const transaction = transactionOf(answer);
      transaction.sign([wallet]);
      await cluster().sendSigned(transaction);
    }
  }

  it('pays fees and rent of concurrent token claims only from its surplus', async () => {
    await leave(3n * (NETWORK_FEE + ACCOUNT_RENT) + REST);
    const paid = await claimAtOnce(12);
    expect(paid).to.have.length(3);
    // Signed claims, and landed claims that are not finalized, still hold their reserve.
    expect(await claimAtOnce(1)).to.deep.equal([]);
    await land(paid);
    expect(await surplus()).to.equal(REST);
    expect(await claimAtOnce(1)).to.deep.equal([]);
    await finalize(cluster());
    await untilClaimsEnd(scene.database);
    expect(await claimAtOnce(1)).to.deep.equal([]);
    expect(await surplus()).to.equal(REST);
  });

  it('reserves the rent that burning claims need while they land', async () => {
    await leave(NETWORK_FEE + ACCOUNT_RENT + REST);
    const paid = await claimAtOnce(4, true);
    expect(paid).to.have.length(1);
    await land(paid);
    expect(await surplus()).to.equal(ACCOUNT_RENT + REST);
    await finalize(cluster());
    await untilClaimsEnd(scene.database);
  });

  it('does not spend on a SOL claim what token claims in progress need', async () => {
    await leave(NETWORK_FEE + ACCOUNT_RENT);
    expect(await claimAtOnce(1)).to.have.length(1);
    await leave(NETWORK_FEE + ACCOUNT_RENT - 1n);
    const refused = await initiate(scene, owner, { claimType: 'SOL' });
    expect(refused.body['message']).to.equal('The treasury is short of SOL at the moment; try again later');
    await leave(NETWORK_FEE + ACCOUNT_RENT);
    const paid = await initiate(scene, owner, { claimType: 'SOL' });
    expect(paid.status, paid.text).to.equal(200);
  });
});

describe(`a treasury whose key is changed while claims are open (${DATABASE_KIND})`, () => {
  const cluster = useCluster();

  it('still pays the claim that the old key signed, and the expired one with the new key', async () => {
    const database = await openTestDatabase();
    const [old, fresh] = [await cluster().fundedWallet(), await cluster().fundedWallet()];
    const [sends, waits] = [Keypair.generate(), Keypair.generate()];
    for (const { publicKey } of [sends, waits]) await reward(database, publicKey, MINT, 'SOL', SOL);
    let service: Service | undefined;
    /** The service with this treasury, on the same database, once it pays. */
    async function restart(treasury: Keypair) {
      await service?.stop();
      service = await startTestService(
        cluster(),
        { ...rewardsEnvironment(treasury), INDEXER: 'off' },
        {
          reconcilerIntervalMs: 50,
          overrides: { database: { ...database, close: () => Promise.resolve() } },
        },
      );
      const { url, document } = service;
      const isOpen = async () =>
        (await fetch(`${url}/ready`).then((r) => r.text())).includes('"payments":"ok"');
      await whileFinalizing(cluster(), () => eventually(isOpen, 'open payments'));
      return { api: new ApiClient(url, document), mint: MINT };
    }
    const payerOf = ({ message }: VersionedTransaction) => message.staticAccountKeys[0]!.toBase58();
    const signatureOf = ({ signatures }: VersionedTransaction) => bs58.encode(signatures[0]!);
    let client = await restart(old);
    const paid = async (transaction: VersionedTransaction, wallet: Keypair) => {
      transaction.sign([wallet]);
      await cluster().sendSigned(transaction);
      await whileFinalizing(cluster(), () => untilClaim(client.api, signatureOf(transaction), 'COMPLETED'));
    };
    const first = transactionOf(await initiate(client, sends, { claimType: 'SOL' }));
    const second = transactionOf(await initiate(client, waits, { claimType: 'SOL' }));
    expect([payerOf(first), payerOf(second)]).to.deep.equal(Array(2).fill(old.publicKey.toBase58()));

    client = await restart(fresh);
    // The open claim still has its amount: the new key does not pay it too.
    expect((await initiate(client, sends, { claimType: 'SOL' })).status).to.equal(409);
    await paid(first, sends);
    await expireBlockhashes(cluster());
    await untilClaim(client.api, signatureOf(second), 'EXPIRED');
    const again = transactionOf(await initiate(client, waits, { claimType: 'SOL' }));
    expect(payerOf(again)).to.equal(fresh.publicKey.toBase58());
    await paid(again, waits);
    for (const { publicKey } of [sends, waits])
      expect(await lamportsOf(cluster().connection, publicKey)).to.equal(SOL - NETWORK_FEE);
    expect(await ledgerProblems(database)).to.deep.equal([]);
    await service?.stop();
    await database.close();
  });
});

describe('the treasury, before it signs a claim,', () => {
  const key = Keypair.generate();
  const address = key.publicKey;
  const mint = Keypair.generate().publicKey;
  let node: AccountsNode;
  let treasury: Treasury;
  let wallet: PublicKey;

  before('start a node', async () => (node = await startAccountsNode()));
  after(() => node.stop());
  beforeEach(() => {
    node.reset();
    wallet = Keypair.generate().publicKey;
    treasury = new Treasury(connectNode({ rpcUrl: node.url }), localSigner(key));
    node.put('finalized', address, 5n * SOL + WALLET_RENT);
    node.putTokens('finalized', { wallet: address, mint }, 7_000n);
  });

  const sign = (changes: Partial<ClaimOrder> = {}, terms: Partial<Terms> = {}) =>
    treasury.sign(
      { wallet, mint, asset: 'TOKEN', amount: 5n, burn: true, ...changes },
      {
        ...{ settledSlot: 0, since: -Infinity },
        accountRefusal: () => Promise.reject(new Error('nobody may ask for an account')),
        ...terms,
      },
    );
  const readings = () => node.askedFor('getMultipleAccounts', 'finalized');

  it('reads its finalized balances: lamports above the rent, and tokens of the mint', async () => {
    // Newer balances could be undone.
    node.put('confirmed', address, 9n * SOL);
    node.putTokens('confirmed', { wallet: address, mint }, 9_000n);
    const balances = {
      treasury: address.toBase58(),
      slot: ACCOUNTS_SLOT,
      lamports: 5n * SOL,
      tokens: 7_000n,
    };
    expect((await sign()).balances).to.deep.equal(balances);
    const other = Keypair.generate().publicKey;
    expect((await sign({ mint: other })).balances).to.deep.equal({ ...balances, tokens: 0n });
    node.reset();
    node.putTokens('finalized', { wallet: address, mint }, 7_000n, { program: SystemProgram.programId });
    expect((await sign({}, { since: performance.now() })).balances).to.deep.include({
      ...{ lamports: -WALLET_RENT, tokens: 0n },
    });
  });

  it('reads balances from before the latest payment again, at its slot', async () => {
    node.newest = ACCOUNTS_SLOT + 20;
    for (const [settledSlot, slot, minimums] of [
      [ACCOUNTS_SLOT, ACCOUNTS_SLOT, [undefined]],
      [ACCOUNTS_SLOT + 1, node.newest, [undefined, ACCOUNTS_SLOT + 1]],
      [node.newest, node.newest, [undefined, node.newest]],
    ] as const) {
      node.asked.length = 0;
      const { balances } = await sign({}, { settledSlot, since: performance.now() });
      expect([balances.slot, balances.tokens]).to.deep.equal([slot, 7_000n]);
      expect(readings().map(({ minContextSlot }) => minContextSlot)).to.deep.equal(minimums);
    }
    const late = sign({}, { settledSlot: node.newest + 1, since: performance.now() });
    expect(String((await rejection(late, ClaimRefusedError)).cause)).to.contain(
      'Minimum context slot has not been reached',
    );
  });

  it('takes a refused account that has appeared meanwhile', async () => {
    const refusal = new ClaimRefusedError('later', 'no more accounts for now');
    const refused = () => Promise.resolve(refusal);
    expect(await rejection(sign({ burn: false }, { accountRefusal: refused }), ClaimRefusedError)).to.equal(
      refusal,
    );
    const appearing = () => {
      node.putTokens('confirmed', { wallet, mint }, 0n);
      return refused();
    };
    expect((await sign({ burn: false }, { accountRefusal: appearing })).signed).to.include({
      ...{ opensAccount: false, rent: 0n },
    });
  });

  // web3.js answers 0 when the node refuses to tell the rent. Nothing may be paid with that.
  for (const [what, failure] of [
    ['an error', new RpcFailure(-32_005, 'Node is behind')],
    ['HTTP 503', new HttpFailure(503)],
  ] as const)
    it(`needs the rents, which it asks again when the node answered with ${what}`, async () => {
      node.setFaults(({ method }, result) =>
        method === 'getMinimumBalanceForRentExemption' ? failure : result,
      );
      const { refusal, message } = await rejection(sign(), ClaimRefusedError);
      expect([refusal, message]).to.deep.equal([
        'unavailable',
        'The cluster cannot be reached; try again later',
      ]);
      node.setFaults();
      const allowed = { accountRefusal: () => Promise.resolve(undefined) };
      expect((await sign({ burn: false }, allowed)).signed).to.include({
        ...{ opensAccount: true, rent: ACCOUNT_RENT },
      });
    });
});
