// migrateToken never pays a contribution again: neither because the RPC node does not know a payment yet, nor because
// the configured key is not the fee receiver that migrated the curve. threat: repeated-contribution
import { SystemProgram } from '@solana/web3.js';
import { expect } from 'chai';
import { migrate as migrateInstructions } from '@curvekit/sdk';
import { decide, undecidedOf } from '#app/sending/repository.js';
import { signaturesOf } from '#app/sending/history.js';
import { MigrationError } from '#app/graduation/migration/contribution.js';
import { type MigrateOptions } from '#app/graduation/migration/migrate-token.js';
import type { Database } from '#app/db/database.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { RpcFailure, type RpcProxy } from '#tests/node/rpc-proxy.js';
import { keyVariable, whileFinalizing } from '#tests/service/service-context.js';
import { useSettlements } from '#tests/service/settlements.js';
import {
  buyTokens,
  donateSol,
  launch,
  tokensOf,
  WHOLE_CURVE_LAMPORTS,
  type Token,
} from '#tests/program/tokens.js';
import { migrateToken } from '#tests/service/paying.js';
import { NEVER_ABORTED, SOL } from '#tests/constants.js';

describe(`the contribution of a migration, behind a faulty RPC node or with a wrong key (${DATABASE_KIND})`, function () {
  this.timeout(240_000);
  const scene = useSettlements({ isKeyHeld: true });
  const { cluster, contextWith } = scene;
  let database: Database;
  let proxy: RpcProxy;
  let token: Token;
  before(() => ([database, proxy] = [scene.database(), scene.proxy()]));
  beforeEach('a token that was migrated without its contribution', async () => {
    token = await launch(cluster(), { afterMigrationFee: 200 });
    await buyTokens(cluster(), token, cluster().payer, WHOLE_CURVE_LAMPORTS);
    await cluster().send(migrateInstructions({ mint: token.mint, deployment: cluster().deployment }), [
      cluster().feeReceiver,
    ]);
  });

  const migrate = (afterStep?: MigrateOptions['afterStep'], using = scene.context()) =>
    whileFinalizing(cluster(), () => migrateToken(using, token.mint, { signal: NEVER_ABORTED, afterStep }));
  const subject = () => `migration:${token.mint.toBase58()}`;
  const stored = async () => ({
    sol: await tokensOf(cluster().connection, token.communityWsolStorage.address),
    token: await tokensOf(cluster().connection, token.communityTokenStorage.address),
  });

  /** Once the contribution is finalized, the node no longer lists it, and does not return it for some requests. */
  const forgetting = (requests: number, and?: (signature: string) => Promise<unknown>) => {
    let isForgotten = false;
    return async (step: 'signed' | 'sent' | 'finalized') => {
      if (step !== 'finalized' || isForgotten) return;
      isForgotten = true;
      const { signature } = (await undecidedOf(database.queries, subject()))!;
      await and?.(signature);
      let left = requests;
      proxy.rewrite(({ method, params }, result) => {
        if (method === 'getSignaturesForAddress')
          return (result as { signature: string }[]).filter((listed) => listed.signature !== signature);
        if (method !== 'getTransaction' || params[0] !== signature || left === 0) return result;
        left -= 1;
        return null;
      });
    };
  };

  for (const isExpired of [false, true])
    it(`is counted although the node does not list it${isExpired ? ' and it was marked as expired' : ''}; another wallet's donation is not`, async () => {
      const donated = 1_000_000_000n;
      await donateSol(cluster(), token, donated);
      const giveUp = (signature: string) => decide(database.queries, signature, 'expired', null);
      const { contributed, moved, transactions } = await migrate(
        forgetting(3, isExpired ? giveUp : undefined),
      );
      expect(transactions).to.have.length(1);
      expect(contributed).to.deep.equal({
        sol: (moved.sol * 200n) / 10_000n,
        token: (moved.token * 200n) / 10_000n,
      });
      expect(await stored()).to.deep.equal({ ...contributed, sol: contributed.sol + donated });
      expect(await signaturesOf(database.queries, subject(), 'finalized')).to.have.length(1);
      expect((await migrate()).transactions).to.deep.equal([]);
    });

  it('is not repeated while the node lacks its transaction', async () => {
    const error = await rejection(migrate(forgetting(Infinity)), MigrationError);
    const [signature] = await signaturesOf(database.queries, subject(), 'finalized');
    expect(error.message).to.contain(`does not have the finalized transaction ${signature}`);
    expect(await signaturesOf(database.queries, subject(), 'signed')).to.deep.equal([]);
    const once = await stored();
    proxy.rewrite(undefined);
    const report = await migrate();
    expect(report.transactions).to.deep.equal([]);
    expect(report.contributed).to.deep.equal(once);
    expect(await stored()).to.deep.equal(once);
  });

  it('is counted in a transaction of any version; another wallet’s unreadable transaction is ignored', async () => {
    const versions: unknown[] = [];
    const stranger = await cluster().fundedWallet(SOL);
    const { communityWsolStorage } = token;
    // Another wallet's transaction that names the storage and has a version that no node can encode.
    const strange = await cluster().send(
      [
        SystemProgram.transfer({
          fromPubkey: stranger.publicKey,
          toPubkey: communityWsolStorage.address,
          lamports: 0,
        }),
      ],
      [stranger],
    );
    proxy.rewrite(({ method, params }, result) => {
      if (method !== 'getTransaction' || result === null) return result;
      const { maxSupportedTransactionVersion: most } = params[1] as Record<string, unknown>;
      versions.push(most);
      if (params[0] === strange.signature)
        return new RpcFailure(-32015, 'Transaction version (9) is not supported');
      return Number(most) < 1
        ? new RpcFailure(-32015, 'not supported')
        : { ...(result as object), version: 1 };
    });
    const first = await migrate();
    const second = await migrate();
    expect(new Set(versions)).to.deep.equal(new Set([255]));
    expect(second.transactions).to.deep.equal([]);
    expect(second.contributed).to.deep.equal(first.contributed);
    expect(first.contributed.sol).to.equal((first.moved.sol * 200n) / 10_000n);
  });

  it('is never paid by another key, neither first nor again', async () => {
    // A wallet that bought the tokens could pay both parts.
    const wrong = cluster().payer;
    const mistaken = await contextWith({ FEE_RECEIVER_KEYPAIR: keyVariable(wrong) });
    const expectRefusal = async () => {
      const before = await stored();
      const { message } = await rejection(migrate(undefined, mistaken), MigrationError);
      const right = cluster().feeReceiver.publicKey.toBase58();
      expect(message)
        .to.contain(`the fee receiver ${right} migrated ${token.mint.toBase58()}`)
        .and.to.contain(`FEE_RECEIVER_KEYPAIR is the key of ${wrong.publicKey.toBase58()}; nothing was paid`)
        .and.to.contain(`Set FEE_RECEIVER_KEYPAIR to the key of ${right}`);
      expect(await stored()).to.deep.equal(before);
      expect(await undecidedOf(database.queries, subject())).to.equal(undefined);
    };
    await expectRefusal();
    const { contributed } = await migrate();
    expect(await stored()).to.deep.equal(contributed);
    await expectRefusal();
  });
});
