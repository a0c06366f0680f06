// Looks for the landing of signed transactions: many at once, and with the caller's own proof of expiry.
import { Connection, SystemProgram, type Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { expect } from 'chai';
import {
  lookForLanding,
  lookForRecentLandings,
  OutcomeUnknownError,
  prepareTransaction,
  sendAndConfirm,
  TransactionExpiredError,
  type ExpiryProof,
  type ExpiryResult,
  type ExpirySearch,
  type PreparedTransaction,
} from '@curvekit/sdk';
import { useCluster } from '../../../tests/support/cluster/cluster.js';
import { rejection } from '../../../tests/support/mocha/failures.js';
import { startRpcProxy, type RpcProxy } from '../../../tests/support/node/rpc-proxy.js';

interface Signed extends PreparedTransaction {
  readonly signature: string;
}

describe('looking for landings', function () {
  this.timeout(60_000);
  const cluster = useCluster();
  let wallet: Keypair;
  let proxy: RpcProxy;
  let connection: Connection;

  before(async () => {
    wallet = await cluster().fundedWallet();
    proxy = await startRpcProxy(cluster().rpcUrl);
    connection = new Connection(proxy.url, { commitment: 'confirmed', disableRetryOnRateLimit: true });
  });

  afterEach(() => proxy.rewrite(undefined));

  after(() => proxy.stop());

  let lamports = 1;
  async function signed(): Promise<Signed> {
    const { publicKey } = wallet;
    lamports += 1;
    const transfer = SystemProgram.transfer({ fromPubkey: publicKey, toPubkey: publicKey, lamports });
    const parts = { payer: publicKey, instructions: [transfer], computeUnitLimit: 10_000 };
    const prepared = await prepareTransaction(cluster().connection, parts);
    prepared.transaction.sign([wallet]);
    return { ...prepared, signature: bs58.encode(prepared.transaction.signatures[0]!) };
  }

  /** From now on the node reports a finalized height beyond the transaction's last valid block height. */
  function expire({ lastValidBlockHeight }: Signed, blocks = 1): void {
    proxy.rewrite(({ method }, result) =>
      method === 'getEpochInfo'
        ? { ...(result as object), blockHeight: lastValidBlockHeight + blocks }
        : result,
    );
  }

  /** A proof with a fixed result, and its calls. */
  function proofOf(result: ExpiryResult, blocks = 1) {
    const asked: { readonly transaction: object; readonly search: ExpirySearch }[] = [];
    const proof: ExpiryProof = {
      isDue: (height, { lastValidBlockHeight }) => height >= lastValidBlockHeight + blocks,
      examine: (transaction, search) => {
        asked.push({ transaction, search });
        return Promise.resolve(result);
      },
    };
    return { proof, asked };
  }

  it('finds which of many transactions landed, in the given order, with two requests', async () => {
    const [landed, pending, alsoLanded] = [await signed(), await signed(), await signed()];
    await sendAndConfirm(connection, landed);
    await sendAndConfirm(connection, alsoLanded);
    const before = [...proxy.calls.values()].reduce((sum, calls) => sum + calls, 0);
    const { landings } = await lookForRecentLandings(connection, [landed, pending, alsoLanded]);
    expect(landings.map(({ kind }) => kind)).to.deep.equal(['landed', 'pending', 'landed']);
    expect(landings[0]).to.deep.include({ err: null });
    expect([...proxy.calls.values()].reduce((sum, calls) => sum + calls, 0) - before).to.equal(2);
  });

  it('never reports one of many as expired, because that needs a proof', async () => {
    const lost = await signed();
    expire(lost, 1_000);
    expect(await lookForRecentLandings(connection, [lost])).to.deep.equal({
      landings: [{ kind: 'expiring' }],
      height: lost.lastValidBlockHeight + 1_000,
    });
    expect((await lookForLanding(connection, lost)).landing).to.deep.equal({ kind: 'expired' });
  });

  it('asks for the proof when it is due, with the whole transaction and the search result', async () => {
    const lost = await signed();
    const { proof, asked } = proofOf({ kind: 'expired' }, 5);
    expect((await lookForLanding(connection, lost, { proof })).landing).to.deep.equal({ kind: 'pending' });
    expire(lost, 4);
    expect((await lookForLanding(connection, lost, { proof })).landing).to.deep.equal({ kind: 'expiring' });
    expect(asked).to.deep.equal([]);
    expire(lost, 5);
    expect((await lookForLanding(connection, lost, { proof })).landing).to.deep.equal({ kind: 'expired' });
    expect(asked).to.have.length(1);
    const [{ transaction, search }] = asked as [(typeof asked)[number]];
    expect(transaction).to.equal(lost);
    expect(search.searchedHistory).to.equal(true);
    expect(search.finalized.height).to.equal(lost.lastValidBlockHeight + 5);
  });

  it('does not ask for the proof of a landed transaction', async () => {
    const landed = await signed();
    await sendAndConfirm(connection, landed);
    expire(landed);
    const { proof, asked } = proofOf({ kind: 'expired' });
    expect((await lookForLanding(connection, landed, { proof })).landing.kind).to.equal('landed');
    expect(asked).to.deep.equal([]);
  });

  it('makes sendAndConfirm end with the result of the proof', async () => {
    const lost = await signed();
    expire(lost);
    const { proof: expired } = proofOf({ kind: 'expired' });
    const { proof: unproven } = proofOf({ kind: 'unknown', reason: 'a block is missing' });
    // The node accepts the transaction and drops it.
    const dropping = new Connection(proxy.url, { commitment: 'confirmed', disableRetryOnRateLimit: true });
    dropping.sendRawTransaction = () => Promise.resolve(lost.signature);
    await rejection(sendAndConfirm(dropping, lost, { proof: expired }), TransactionExpiredError);
    const error = await rejection(sendAndConfirm(dropping, lost, { proof: unproven }), OutcomeUnknownError);
    expect(error.message).to.include('a block is missing');
  });
});
