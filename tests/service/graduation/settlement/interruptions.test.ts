// Settlements that an error interrupts: the job retries them within seconds, because they may hold up claims, and without
// delaying others. A settlement that needs an operator rests for an interval. threat: hanging-settlements, hanging-signer
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT_SIZE } from '@solana/spl-token';
import { Keypair, VersionedTransaction } from '@solana/web3.js';
import { expect } from 'chai';
import { eq, sql } from 'drizzle-orm';
import { decide, undecidedOf } from '#app/sending/repository.js';
import { tasks } from '#app/db/schema/index.js';
import { settling } from '#app/graduation/settlement/periods/waiting.js';
import { openSettlement, subjectOf } from '#app/graduation/settlement/repository.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { openPaymentsGate } from '#tests/database/payments-gate.js';
import { RpcFailure, type RpcCall } from '#tests/node/rpc-proxy.js';
import type { Token } from '#tests/program/tokens.js';
import { eventually } from '#tests/service/service.js';
import { ALL_TO_CREATOR, useSettlements } from '#tests/service/settlements.js';
import { signedBy, startLyingSigner, type Said } from '#tests/signers/lying-signer.js';

const GIVEN = 5_000_000n;
const LONG_INTERVAL = { SETTLEMENT_INTERVAL_SECONDS: '600' };
const SOON_MS = 10_000;
const HANGING = 16;

interface Scene {
  readonly token: Token;
  readonly creator: Keypair;
  /** The creator's lamports before the settlement. */
  readonly had: bigint;
}

describe(`interrupted settlements (${DATABASE_KIND})`, function () {
  this.timeout(120_000);
  const { cluster, database, contextWith, given, settle, running, proxy } = useSettlements();

  async function scene(lamports: bigint): Promise<Scene> {
    const { token, creator } = await given(lamports, ALL_TO_CREATOR, 1_000_000n);
    return { token, creator, had: await lamportsOf(cluster().connection, creator.publicKey) };
  }

  const isPaid = async ({ token, creator, had }: Scene, lamports: bigint) =>
    (await lamportsOf(cluster().connection, creator.publicKey)) === had + lamports &&
    (await openSettlement(database().queries, token.mint.toBase58())) === undefined;

  const REFUSED: Readonly<Record<string, (call: RpcCall) => boolean>> = {
    'to simulate the payment': ({ method }) => method === 'simulateTransaction',
    'to tell the rent of the payment': ({ method, params }) =>
      method === 'getMinimumBalanceForRentExemption' && params[0] === ACCOUNT_SIZE,
    "to return the recipients' accounts": ({ method, params }) =>
      method === 'getMultipleAccounts' &&
      (params[1] as { commitment?: string } | undefined)?.commitment === 'confirmed',
  };
  for (const [what, isRefused] of Object.entries(REFUSED)) {
    it(`go on within seconds after the node refuses ${what}`, async () => {
      const owed = await scene(GIVEN);
      let failedAt: number | undefined;
      proxy().rewrite((call, result) => {
        if (!isRefused(call) || failedAt !== undefined) return result;
        failedAt = performance.now();
        return new RpcFailure(-32005, 'Node is behind by 42 slots');
      });
      await running(await contextWith(LONG_INTERVAL), () =>
        eventually(() => isPaid(owed, GIVEN), 'the payment', 60_000),
      );
      expect(performance.now() - failedAt!).to.be.below(SOON_MS);
    });
  }

  it("go on within seconds after the DEX owner's signer hung, signed with another key, and refused; it is paid once", async () => {
    const signer = await startLyingSigner();
    try {
      const { dexOwner } = cluster();
      const said: ((asked: string) => Said | undefined)[] = [
        () => undefined,
        (asked) => signedBy(Keypair.generate(), asked),
        () => ({ status: 403, body: '{"error":"no"}' }),
      ];
      signer.says = (asked) => (said.shift() ?? ((right) => signedBy(dexOwner, right)))(asked);
      const owed = await scene(GIVEN);
      const url = `unix://${signer.socket}?address=${dexOwner.publicKey.toBase58()}`;
      const context = await contextWith({ ...LONG_INTERVAL, DEX_OWNER_KEYPAIR: url });
      await running(context, () => eventually(() => isPaid(owed, GIVEN), 'the payment', 60_000));
      expect(said).to.deep.equal([]);
      const { failures } = context.config.dexOwner!;
      expect(failures).to.deep.equal({ timeout: 1, wrong: 1, refused: 1, unreachable: 0 });
    } finally {
      await signer.stop();
    }
  });

  it('go on within seconds after the payments gate was closed for a moment', async () => {
    const owed = await scene(GIVEN);
    let closes = true;
    proxy().rewrite(async ({ method }, result) => {
      if (method !== 'simulateTransaction' || !closes) return result;
      closes = false;
      await database().queries.execute(sql`update payments_gate set incarnation = null`);
      return result;
    });
    await running(await contextWith(LONG_INTERVAL), async () => {
      await eventually(() => Promise.resolve(!closes), 'the simulation');
      await sleep(500);
      await openPaymentsGate(database());
      await eventually(() => isPaid(owed, GIVEN), 'the payment', SOON_MS);
    });
  });

  it('go on within seconds after the node was silent while the transaction was tracked', async () => {
    const owed = await scene(GIVEN);
    let silentUntil: number | undefined;
    proxy().rewrite(({ method }, result) => {
      if (method !== 'getSignatureStatuses') return result;
      silentUntil ??= performance.now() + 7_000;
      if (performance.now() < silentUntil) throw new Error('no answer');
      return result;
    });
    await running(await contextWith(LONG_INTERVAL), () =>
      eventually(() => isPaid(owed, GIVEN), 'the payment', 60_000),
    );
    expect(performance.now() - silentUntil!).to.be.below(SOON_MS);
  });

  it('rest for an interval if only an operator can help', async () => {
    const owed = await scene(GIVEN);
    await settle(owed.token, (step) => {
      if (step === 'finalized') throw new Error('the process ends here');
    });
    // The payment has landed, but is marked as expired, and the node has forgotten it.
    const { id } = (await openSettlement(database().queries, owed.token.mint.toBase58()))!;
    const { signature } = (await undecidedOf(database().queries, subjectOf(id)))!;
    await decide(database().queries, signature, 'expired', null);
    let simulations = 0;
    proxy().rewrite(({ method }, result) => {
      if (method === 'simulateTransaction') simulations += 1;
      return method === 'getSignatureStatuses' ? { context: { slot: 1 }, value: [null] } : result;
    });
    await running(await contextWith(LONG_INTERVAL), async () => {
      await eventually(() => Promise.resolve(simulations > 0), 'the first attempt');
      await sleep(5_000);
      expect(simulations).to.equal(1);
    });
    proxy().rewrite(undefined);
    expect((await settle(owed.token)).outcome).to.equal('settled');
  });

  it('leave lanes for others, even if many more valuable ones never get an answer', async () => {
    const hanging = new Set<string>();
    // Twice as many as there are lanes: whenever one of them gives up, another is due.
    for (let index = 0; index < HANGING; index += 1) {
      const { token } = await scene(4n * GIVEN);
      hanging.add(token.communityWsolStorage.address.toBase58());
    }
    proxy().rewrite((call, result) =>
      keysOf(call).some((key) => hanging.has(key)) ? new Promise(() => undefined) : result,
    );
    await running(await contextWith({}), async () => {
      const { queries } = database();
      await eventually(
        async () => (await queries.$count(tasks, eq(tasks.kind, settling.kind))) === HANGING,
        'the end of the first attempts',
        60_000,
      );
      await queries.update(tasks).set({ dueAt: new Date() });
      const owed = await scene(GIVEN);
      await eventually(() => isPaid(owed, GIVEN), 'the payment', SOON_MS);
    });
  });

  /** Accounts of the transaction that the call simulates. */
  function keysOf({ method, params }: RpcCall): string[] {
    if (method !== 'simulateTransaction') return [];
    const { message } = VersionedTransaction.deserialize(Buffer.from(params[0] as string, 'base64'));
    return message.staticAccountKeys.map((key) => key.toBase58());
  }
});
