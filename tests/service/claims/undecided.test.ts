// Claims whose outcome the RPC node does not know, or reports wrongly. threat: paid-after-expiry
import { expect } from 'chai';
import { type Keypair } from '@solana/web3.js';
import bs58 from 'bs58';
import { Reconciler } from '#app/claims/reconciler.js';
import { createMetrics } from '#app/base/metrics.js';
import { ClaimsRepository } from '#app/claims/repository.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { expireBlockhashes, transactionOf, untilClaim } from '#tests/service/rewards.js';
import { finalize } from '#tests/service/service.js';
import { SOL } from '#tests/constants.js';
import { NETWORK_FEE, useClaims } from '#tests/service/claims.js';

describe(`claims (${DATABASE_KIND})`, function () {
  this.timeout(120_000);
  const { cluster, scene, proxy, rewarded, claimSol, submit, unclaimed, submitRaw } = useClaims();

  describe('claims that are not submitted', () => {
    it('become EXPIRED once their blockhash is provably too old, and can be claimed again', async () => {
      const wallet = await rewarded('SOL', SOL);
      const transaction = transactionOf(await claimSol(wallet));
      const signature = bs58.encode(transaction.signatures[0]!);
      await expireBlockhashes(cluster());
      await untilClaim(scene().api, signature, 'EXPIRED');
      expect(await unclaimed(wallet)).to.deep.equal({ sol: SOL, token: 0n });

      // Too late: the old transaction has expired, the new one pays.
      const again = await claimSol(wallet);
      transaction.sign([wallet]);
      // The RPC node may reject it, or accept and drop it.
      await submitRaw(transaction).catch(() => undefined);
      await submit(again, wallet);
      await finalize(cluster());
      expect(await lamportsOf(cluster().connection, wallet.publicKey)).to.equal(SOL - NETWORK_FEE);
      const { value } = await cluster().connection.getSignatureStatus(signature, {
        searchTransactionHistory: true,
      });
      expect(value).to.equal(null);
    });

    it('stay IN_PROGRESS while the RPC node lags, lacks history, or reports wrongly that the transaction is gone', async () => {
      const wallet = await rewarded('SOL', SOL);
      const answer = await claimSol(wallet);
      const signature = await submit(answer, wallet);
      type Status = { context: { slot: number }; value: unknown[] };
      const unseen = (result: unknown) => ({
        ...(result as Status),
        value: (result as Status).value.map(() => null),
      });
      const lies: Record<string, (method: string, result: unknown) => unknown> = {
        'a height far ahead, no transaction seen': (method, result) =>
          method === 'getSignatureStatuses' ? unseen(result) : result,
        'the same, and a node too old to know the blockhash': (method, result) =>
          method === 'getSignatureStatuses'
            ? unseen(result)
            : method === 'isBlockhashValid'
              ? { context: { slot: 1 }, value: false }
              : result,
        'the blockhash expired, but statuses from a node that is behind': (method, result) =>
          method === 'getSignatureStatuses'
            ? { ...unseen(result), context: { slot: 1_000_010 } }
            : method === 'isBlockhashValid'
              ? { context: { slot: 1_000_000 }, value: false }
              : result,
        'a history that begins later': (method, result) =>
          method === 'getSignatureStatuses'
            ? { ...unseen(result), context: { slot: 2_000_000 } }
            : method === 'isBlockhashValid'
              ? { context: { slot: 1_000_000 }, value: false }
              : method === 'getFirstAvailableBlock'
                ? 999_000
                : result,
      };
      const rounds = async (requests: number) => {
        const asked = () => proxy().calls.get('getSignatureStatuses') ?? 0;
        const before = asked();
        while (asked() < before + requests) await new Promise((resolve) => setTimeout(resolve, 20));
      };
      for (const [name, lie] of Object.entries(lies)) {
        proxy().rewrite(({ method }, result) => farAhead(method, result) ?? lie(method, result));
        // Several passes of the reconciler.
        await rounds(10);
        proxy().rewrite(undefined);
        // Waits until the current pass is over, because a pass must not see answers of two cases.
        await rounds(4);
        const { body } = await scene().api.get(`/rewards/${signature}/status`);
        expect((body['data'] as { status: string }).status, name).to.equal('IN_PROGRESS');
      }
      await finalize(cluster());
      await untilClaim(scene().api, signature, 'COMPLETED');
    });
  });

  describe('expired because every answer of the RPC node was wrong', () => {
    const pay = async (): Promise<{ wallet: Keypair; signature: string }> => {
      const wallet = await rewarded('SOL', SOL);
      const signature = await submit(await claimSol(wallet), wallet);
      proxy().rewrite(({ method }, result) => {
        const height = farAhead(method, result);
        if (height !== undefined) return height;
        if (method === 'isBlockhashValid') return { context: { slot: 1_000_000 }, value: false };
        if (method === 'getSignatureStatuses') return { context: { slot: 2_000_000 }, value: [null] };
        return result;
      });
      await untilClaim(scene().api, signature, 'EXPIRED');
      proxy().rewrite(undefined);
      await finalize(cluster());
      return { wallet, signature };
    };
    const audit = async (): Promise<string> => {
      const metrics = createMetrics({ ofProcess: false });
      const repository = new ClaimsRepository(scene().database);
      await new Reconciler({ ...scene().service.context, metrics }, { repository }).audit();
      return metrics.registry.metrics();
    };
    const found = /^curvekit_claims_paid_after_expiry_total (\d+)$/m;

    it('are found by the audit, which reserves the released amount again', async () => {
      const { wallet, signature } = await pay();
      expect(await unclaimed(wallet)).to.deep.equal({ sol: SOL, token: 0n });
      expect(found.exec(await audit())?.[1]).to.equal('1');
      await untilClaim(scene().api, signature, 'COMPLETED');
      expect(await unclaimed(wallet)).to.deep.equal({ sol: 0n, token: 0n });
      expect(found.exec(await audit())?.[1]).to.equal('0');
    });

    it('are reported if the wallet has claimed again since, and the ledger stays exact', async () => {
      const { wallet, signature } = await pay();
      const again = await claimSol(wallet);
      expect(again.status, again.text).to.equal(200);
      expect(found.exec(await audit())?.[1]).to.equal('1');
      await untilClaim(scene().api, signature, 'EXPIRED');
    });
  });

  describe('while the RPC node is down', () => {
    afterEach(() => proxy().setDown(false));

    it('cannot be initiated (503, nothing reserved); claims submitted meanwhile are found afterwards', async () => {
      const submitted = await rewarded('SOL', SOL);
      const never = await rewarded('SOL', SOL);
      const [paid, unpaid] = [await claimSol(submitted), transactionOf(await claimSol(never))];
      proxy().setDown(true);
      const signature = await submit(paid, submitted);

      const wallet = await rewarded('SOL', SOL);
      const refused = await claimSol(wallet);
      expect([refused.status, refused.body['code']]).to.deep.equal([503, 'SERVICE_UNAVAILABLE']);
      expect(refused.headers.get('retry-after')).to.match(/^\d+$/);
      expect(await unclaimed(wallet)).to.deep.equal({ sol: SOL, token: 0n });
      const { status, checks } = (await fetch(`${scene().service.url}/ready`).then((r) => r.json())) as {
        status: string;
        checks: Record<string, string>;
      };
      expect([status, checks['rpc']]).to.deep.equal(['not ready', 'does not answer']);

      // Long enough that both transactions are found only in the history.
      await expireBlockhashes(cluster());
      await untilClaim(scene().api, signature, 'IN_PROGRESS');
      proxy().setDown(false);
      await untilClaim(scene().api, signature, 'COMPLETED');
      await untilClaim(scene().api, bs58.encode(unpaid.signatures[0]!), 'EXPIRED');
      expect((await claimSol(wallet)).status).to.equal(200);
    });
  });
});

/** A block height past every blockhash, for methods that return one; otherwise undefined. */
function farAhead(method: string, result: unknown): unknown {
  if (method === 'getBlockHeight') return 10_000_000;
  return method === 'getEpochInfo' ? { ...(result as object), blockHeight: 10_000_000 } : undefined;
}
