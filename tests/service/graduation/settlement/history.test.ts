// Transactions of the authorities when RPC nodes have gaps in their history: another transaction is signed only once the whole history
// shows that the earlier one did not land. Blocks are made by transactions only, because Surfpool invents the blocks that time travel
// skips.
import { Connection, Keypair, SystemProgram } from '@solana/web3.js';
import { expect } from 'chai';
import { follow, UndecidedError } from '#app/sending/follow.js';
import { undecidedOf, type StoredTransaction } from '#app/sending/repository.js';
import { signForAuthority } from '#app/sending/sign.js';
import { watchOwnKeys } from '#app/ledger/gate/payments-gate.js';
import type { Context } from '#app/context.js';
import type { Database } from '#app/db/database.js';
import { checkLedger } from '#app/ledger/check.js';
import { walletBalances } from '#app/ledger/balances.js';
import { settleOne } from '#app/graduation/settlement/pass.js';
import { openSettlement, subjectOf } from '#app/graduation/settlement/repository.js';
import { localSigner } from '#app/keys/local-signer.js';
import { useCluster } from '#tests/cluster/cluster.js';
import { openTestDatabase } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { asRealNode, nodeWithGaps, outliveBlockhash } from '#tests/node/node-with-gaps.js';
import { openPaymentsGate } from '#tests/database/payments-gate.js';
import { startRpcProxy, type RpcProxy } from '#tests/node/rpc-proxy.js';
import {
  clusterEnvironment,
  contextFrom,
  indexCreation,
  keyVariable,
} from '#tests/service/service-context.js';
import { buyTokens, donateSol, launch } from '#tests/program/tokens.js';
import { ALL_TO_HOLDERS } from '#tests/service/settlements.js';
import { NEVER_ABORTED } from '#tests/constants.js';
import { makeBlocks } from '#tests/cluster/blocks.js';

const GIVEN_LAMPORTS = 2_000_000n;
const LONG = 1_000;

describe("the authorities' transactions and the RPC node's history", function () {
  this.timeout(300_000);
  const cluster = useCluster();
  const treasury = Keypair.generate();
  /** Answers batch requests. */
  let batching: RpcProxy;
  /** Refuses batch requests. */
  let single: RpcProxy;
  let database: Database;
  let context: Context;

  before(async () => {
    batching = await startRpcProxy(cluster().rpcUrl, { batches: true });
    single = await startRpcProxy(cluster().rpcUrl, { batches: false });
    database = await openTestDatabase();
    context = await contextFrom(
      {
        ...clusterEnvironment(cluster()),
        RPC_URL: batching.url,
        // The proxies make Surfpool look like a real cluster.
        SIMULATED_CLUSTER: 'off',
        TREASURY_KEYPAIR: keyVariable(treasury),
        SETTLEMENT_INTERVAL_SECONDS: '1',
        SETTLEMENT_MINIMUM_SOL: '1000000',
      },
      database,
    );
    for (const { publicKey } of [treasury, cluster().dexOwner])
      await cluster().fund(publicKey, 10_000_000_000n);
  });
  // The blocks of these nodes are invented, so the reconciliation would not open the gate.
  beforeEach(async () => {
    await watchOwnKeys(context);
    await openPaymentsGate(database);
  });
  after(async () => {
    await database?.close();
    await batching?.stop();
    await single?.stop();
  });
  beforeEach(() => {
    for (const proxy of [batching, single]) proxy.rewrite(asRealNode);
  });

  /** A payment by the cluster's payer, signed but not sent. */
  const signedPayment = async (): Promise<StoredTransaction & { readonly blockhashSlot: number }> => {
    const { connection, deployment, payer } = cluster();
    const transfer = SystemProgram.transfer({
      fromPubkey: payer.publicKey,
      toPubkey: Keypair.generate().publicKey,
      lamports: 1_000_000,
    });
    const signed = await signForAuthority(connection, deployment, [transfer], [localSigner(payer)]);
    expect(signed.blockhashSlot).to.be.a('number');
    return { subject: 'settlement:0', ...signed, blockhashSlot: signed.blockhashSlot! };
  };
  const send = async ({ transaction, signature }: StoredTransaction): Promise<number> => {
    const { connection } = cluster();
    // The transaction may have been sent before.
    await connection
      .sendRawTransaction(Buffer.from(transaction, 'base64'), { skipPreflight: true })
      .catch(() => undefined);
    for (;;) {
      const { value } = await connection.getSignatureStatus(signature);
      if (value !== null) return value.slot;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const followBy = (proxy: RpcProxy, stored: StoredTransaction) =>
    follow({ ...context, connection: new Connection(proxy.url, 'confirmed') }, stored, {
      signal: NEVER_ABORTED,
    });

  for (const kind of ['batches', 'single calls'] as const) {
    const proxy = () => (kind === 'batches' ? batching : single);

    it(`one that landed in a gap stays undecided, and becomes finalized once the node has the blocks again (${kind})`, async () => {
      const stored = await signedPayment();
      await makeBlocks(cluster(), 3);
      const slot = await send(stored);
      await outliveBlockhash(cluster(), stored.lastValidBlockHeight);
      for (const [hole, why] of [
        [{ from: slot, to: slot }, 'the node lacks 1 of the blocks'],
        [{ from: stored.blockhashSlot - 3, to: slot }, 'does not have the block of its blockhash'],
        [{ from: slot, to: slot + LONG }, 'of the 160 blocks from slot'],
      ] as const) {
        proxy().rewrite(nodeWithGaps(hole));
        const error = await rejection(followBy(proxy(), stored), UndecidedError);
        expect(error.message).to.contain(stored.signature).and.to.contain(why).and.to.contain('RPC_URL');
      }
      proxy().rewrite(asRealNode);
      expect(await followBy(proxy(), stored)).to.deep.equal({ state: 'finalized', problem: null, slot });
    });

    it(`one that never landed expires once the node returns the whole history, not while a gap remains (${kind})`, async () => {
      const stored = await signedPayment();
      await outliveBlockhash(cluster(), stored.lastValidBlockHeight);
      proxy().rewrite(nodeWithGaps({ from: stored.blockhashSlot + 50, to: stored.blockhashSlot + 50 }));
      await rejection(followBy(proxy(), stored), UndecidedError);
      proxy().rewrite(asRealNode);
      expect(await followBy(proxy(), stored)).to.deep.equal({ state: 'expired', problem: null, slot: null });
    });
  }

  it('one that landed stays undecided while the URL leads to a node with a gap and to a complete one', async () => {
    const stored = await signedPayment();
    const slot = await send(stored);
    await outliveBlockhash(cluster(), stored.lastValidBlockHeight);
    const withGap = nodeWithGaps({ from: slot, to: slot });
    // The node with the gap answers the status request, the complete node answers the proof's.
    batching.rewrite((call, result, more) =>
      (typeof call.id === 'string' ? withGap : asRealNode)(call, result, more),
    );
    const error = await rejection(followBy(batching, stored), UndecidedError);
    expect(error.message).to.contain('the node knows it now');
    batching.rewrite(asRealNode);
    expect((await followBy(batching, stored)).state).to.equal('finalized');
  });

  it('one that was stored without the slot of its blockhash never expires', async () => {
    const stored = await signedPayment();
    await outliveBlockhash(cluster(), stored.lastValidBlockHeight);
    const error = await rejection(followBy(batching, { ...stored, blockhashSlot: null }), UndecidedError);
    expect(error.message).to.contain('slot of its blockhash was not stored');
  });

  it('a settlement that was paid in a gap keeps its credits, and is done once the node has the blocks again', async () => {
    const token = await launch(cluster(), ALL_TO_HOLDERS);
    const mint = token.mint.toBase58();
    await indexCreation(database, token);
    const holder = await cluster().fundedWallet();
    await buyTokens(cluster(), token, holder, 1_000_000_007n);
    await donateSol(cluster(), token, GIVEN_LAMPORTS);
    const dying = new AbortController();
    let running = true;
    // Surfpool makes no blocks by itself.
    const making = (async () => {
      while (running) await makeBlocks(cluster(), 1);
    })();
    const interrupted = settleOne(context, mint, {
      signal: dying.signal,
      afterStep: (step) => {
        // With more blocks, the transaction could be finalized before the process dies.
        if (step === 'signed') running = false;
        if (step === 'sent') dying.abort(new Error('the process dies'));
      },
    });
    expect((await rejection(interrupted, Error)).message).to.equal('the process dies');
    await making;

    const open = await openSettlement(database.queries, mint);
    const stored = await undecidedOf(database.queries, subjectOf(open!.id));
    const slot = await send(stored!);
    await outliveBlockhash(cluster(), stored!.lastValidBlockHeight);
    batching.rewrite(nodeWithGaps({ from: slot, to: slot }));
    const waiting = await settleOne(context, mint, { signal: NEVER_ABORTED });
    expect(waiting.outcome).to.equal('waiting');
    expect(waiting.problems.join())
      .to.contain('is not proven that transaction')
      // The second message appears if the payment is in the first block that can contain it.
      .and.to.match(/lacks 1 of|does not have the block of its blockhash/);
    expect((await openSettlement(database.queries, mint))?.state).to.equal('planned');

    batching.rewrite(asRealNode);
    const settled = await settleOne(context, mint, { signal: NEVER_ABORTED });
    expect([settled.outcome, settled.problems]).to.deep.equal(['settled', []]);
    expect(settled.settlement?.signature).to.equal(stored!.signature);
    const [balance] = await walletBalances(database.queries, holder.publicKey.toBase58());
    expect(balance?.unclaimedSol).to.equal(GIVEN_LAMPORTS);
    expect(await checkLedger(database.queries, { whole: true })).to.deep.equal([]);
  });
});
