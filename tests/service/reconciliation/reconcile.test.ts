// The reconciliation books from the chain every payment that the tables lack, once, and divides settlements as they were, by their
// memo or their amounts. A pass is valid for two minutes; a command without a service reconciles itself until it ends. threat: forged-memo
import { setTimeout as sleep } from 'node:timers/promises';
import { ACCOUNT_SIZE } from '@solana/spl-token';
import { Keypair, TransactionInstruction } from '@solana/web3.js';
import { expect } from 'chai';
import { statement } from '#app/db/database.js';
import { paymentsHeld, watchOwnKeys } from '#app/ledger/gate/payments-gate.js';
import { RECONCILING_LEASE, whilePaymentsOpen } from '#app/reconciliation/open-payments.js';
import { Reconciliation } from '#app/reconciliation/reconcile.js';
import { recoveredWithRest } from '#app/reconciliation/recovered.js';
import { memoInstruction, MEMO_PROGRAM_ADDRESS } from '#app/graduation/settlement/payment/memo.js';
import { settlementInstructions } from '#app/graduation/settlement/payment/transaction.js';
import { lamportsOf } from '#tests/cluster/accounts.js';
import { NEVER_ABORTED } from '#tests/constants.js';
import { rejection } from '#tests/mocha/failures.js';
import { RpcFailure } from '#tests/node/rpc-proxy.js';
import { donateSol, type Token } from '#tests/program/tokens.js';
import { settleOne } from '#tests/service/paying.js';
import { eventually } from '#tests/service/service.js';
import { settledAs } from '#tests/service/settlement-payments.js';
import { ALL_TO_HOLDERS, useSettlements } from '#tests/service/settlements.js';

const GIVEN = 4_000_000n;

describe('the reconciliation of payments', function () {
  this.timeout(180_000);
  const { cluster, proxy, context, database, treasury, given, settle, unclaimed, checkExact } =
    useSettlements();
  let token: Token;
  let creator: Keypair;
  let holder: Keypair;
  before(() => watchOwnKeys(context()));
  afterEach(checkExact);

  const mint = () => token.mint.toBase58();
  const pass = async (options = {}) =>
    (await new Reconciliation(context()).pass(NEVER_ABORTED, options)).booked;
  const settlementRows = () =>
    statement<{ id: number; state: string; signature: string | null }>(database().queries)`
      select id::integer as id, state, signature from settlements where mint = ${mint()} order by id`;

  describe('that the tables have lost', () => {
    beforeEach(async () => {
      ({ token, holder } = await given(GIVEN));
    });
    const credited = async () => (await unclaimed(holder, token)).sol;

    /** A settlement whose transaction the tables have lost: they only have its plan. */
    async function paidAndForgotten(): Promise<string> {
      const held = () => lamportsOf(cluster().connection, treasury.publicKey);
      const before = await held();
      const dying = new AbortController();
      const interrupted = settleOne(context(), mint(), {
        signal: dying.signal,
        afterStep: (step) => {
          if (step === 'sent') dying.abort(new Error('the process dies'));
        },
      });
      await rejection(interrupted, Error);
      await eventually(async () => (await held()) > before, 'the settlement to be paid', 30_000);
      const [lost] = await statement<{ signature: string }>(database().queries)`
        delete from authority_transactions where state = 'signed' returning signature`;
      expect((await settlementRows()).at(-1)).to.include({ state: 'planned', signature: null });
      return lost!.signature;
    }

    it('ends the planned settlement, and credits it once, in two concurrent passes', async () => {
      const signature = await paidAndForgotten();
      const { id } = (await settlementRows())[0]!;
      expect(await credited()).to.equal(0n);
      const booked = (await Promise.all([pass(), pass()])).flat();
      expect(booked.map(({ detail }) => detail).join()).to.contain(`it ended the settlement ${id}`);
      expect(await settlementRows()).to.deep.equal([{ id, state: 'done', signature }]);
      expect(await credited()).to.equal(GIVEN);
      expect(await pass()).to.deep.equal([]);
      expect((await settleOne(context(), mint(), { signal: NEVER_ABORTED })).outcome).to.equal('nothing');
      expect(await credited()).to.equal(GIVEN);
    });

    it('lists from the beginning if the node has forgotten where the last pass stopped, and books nothing twice', async () => {
      await settle(token);
      await pass();
      const stops = await statement<{ signature: string | null }>(database().queries)`
        select signature from payment_watches`;
      const known = new Set(stops.map(({ signature }) => signature));
      await donateSol(cluster(), token, GIVEN);
      const signature = await paidAndForgotten();
      let refused = 0;
      proxy().rewrite(({ method, params }, result) => {
        const { until } = (params[1] ?? {}) as { until?: string };
        if (method !== 'getSignaturesForAddress' || !known.has(until ?? null)) return result;
        refused += 1;
        return new RpcFailure(-32_020, `Transaction ${until} not found`);
      });
      const booked = await pass();
      expect(refused, 'listings that the node refused').to.be.greaterThan(0);
      expect(booked.map(({ detail }) => detail).join()).to.contain(signature);
      expect(await credited()).to.equal(2n * GIVEN);
    });
  });

  describe('during a command', () => {
    const reconciledBefore = (seconds: number) =>
      statement(database().queries)`
        update payments_gate set reconciled_at = now() - make_interval(secs => ${seconds})`;
    const isFresh = async () => {
      const [row] = await statement<{ fresh: boolean }>(database().queries)`
        select reconciled_at > now() - interval '1 minute' as fresh from payments_gate`;
      return row?.fresh === true;
    };

    it('keeps payments open until it ends, also when the last pass expires after its start', async () => {
      ({ token, holder } = await given(GIVEN));
      await reconciledBefore(119);
      let samples = 0;
      const report = await settle(token, async (step) => {
        if (step !== 'sampled' || (samples += 1) !== 1) return;
        // As if two minutes had passed.
        await reconciledBefore(121);
        expect(await paymentsHeld(database().queries)).to.match(/^closed: the payments on chain were last/);
        await eventually(isFresh, 'the next reconciliation');
      });
      expect([report.outcome, report.problems]).to.deep.equal(['settled', []]);
      expect((await unclaimed(holder, token)).sol).to.equal(GIVEN);
    });

    it('is waited for, which is said once', async () => {
      const other = await database().tryLead(RECONCILING_LEASE);
      await reconciledBefore(121);
      const said: string[] = [];
      const work = whilePaymentsOpen(
        context(),
        NEVER_ABORTED,
        () => paymentsHeld(database().queries),
        (reason) => said.push(reason),
      );
      await sleep(1_500);
      await other!.release();
      expect(await work).to.equal(undefined);
      expect(said).to.have.lengthOf(1);
      expect(said[0]).to.match(/^closed: the payments on chain were last reconciled at/);
    });
  });

  describe('of a settlement that another database made', () => {
    const SHARES = { burnBps: 0, holdersBps: 5_000, lpBps: 0 };
    const ID = 17;
    const of = (hasHolders: boolean, sol = GIVEN) =>
      settledAs({ sol, units: 0n, hasHolders, isCredited: true }, SHARES);
    /** These two pay the same. */
    const [WITHOUT_HOLDERS, WITH_HOLDERS] = [of(false), of(true)];

    beforeEach(async () => {
      ({ token, creator } = await given(GIVEN, { ...ALL_TO_HOLDERS, afterMigrationHoldersBp: 5_000 }));
      await statement(database().queries)`
        insert into indexer_state (id, program_id, first_slot, scanned_slot, listed)
        values (1, ${cluster().programId.toBase58()}, ${token.created.slot}, 999999999, true) on conflict do nothing`;
    });

    async function pay(...memos: TransactionInstruction[]): Promise<void> {
      const { dexOwner, connection } = cluster();
      const unwrapping = Keypair.generate();
      const payments = settlementInstructions({
        mint: token.mint,
        dexOwner: dexOwner.publicKey,
        wsolStorage: token.communityWsolStorage.address,
        tokenStorage: token.communityTokenStorage.address,
        treasury: treasury.publicKey,
        lp: null,
        creator: creator.publicKey,
        opensCreatorAccount: false,
        ...WITHOUT_HOLDERS.amounts,
        unwrapping: unwrapping.publicKey,
        tokenAccountRent: await connection.getMinimumBalanceForRentExemption(ACCOUNT_SIZE),
      });
      await cluster().send([...memos, ...payments], [dexOwner, unwrapping]);
    }
    const named = ({ division }: typeof WITH_HOLDERS) => memoInstruction({ id: ID, ...division });
    const text = (words: string) =>
      new TransactionInstruction({ programId: MEMO_PROGRAM_ADDRESS, keys: [], data: Buffer.from(words) });
    const result = async () => ({
      creator: (await unclaimed(creator, token)).sol,
      holders: (await recoveredWithRest(database().queries, mint())).reduce(
        (sum, { solLeft }) => sum + solLeft,
        0n,
      ),
    });
    /** A settlement that the tables have planned, with the credit of its creator. */
    async function plan(): Promise<number> {
      const wallet = creator.publicKey.toBase58();
      const [row] = await statement<{ id: number }>(database().queries)`
        insert into settlements (mint, creator, treasury, state, sol, sol_creator, sol_creator_credited)
        values (${mint()}, ${wallet}, ${treasury.publicKey.toBase58()}, 'planned', ${GIVEN}, ${GIVEN}, ${GIVEN})
        returning id::integer as id`;
      await statement(database().queries)`
        insert into settlement_credits (settlement_id, wallet, balance, sol, token)
        values (${row!.id}, ${wallet}, 0, ${GIVEN}, 0)`;
      return row!.id;
    }

    const ALL = { creator: GIVEN, holders: 0n };
    const HALF = { creator: GIVEN / 2n, holders: GIVEN / 2n };
    for (const [name, isPlanned, memos, divided, detail] of [
      ['divides it as its memo says', false, () => [named(WITHOUT_HOLDERS)], ALL, /\(17 in its memo\)/],
      ['divides it as its memo says, with holders', false, () => [named(WITH_HOLDERS)], HALF, /in its memo/],
      ['without a memo divides it for the holders, as far as its amounts tell', false, () => [], HALF, /./],
      [
        'ends the settlement that is planned',
        true,
        () => [named(WITHOUT_HOLDERS)],
        ALL,
        /it ended the settlement/,
      ],
      ['without a memo ends the settlement that is planned', true, () => [], ALL, /it ended the settlement/],
      ['with another memo does not end one that pays the same', true, () => [named(WITH_HOLDERS)], HALF, /./],
    ] as const)
      it(name, async () => {
        const id = isPlanned ? await plan() : undefined;
        await pay(...memos());
        const booked = await pass();
        expect(booked.map(({ state }) => state)).to.deep.equal(['booked']);
        expect(booked[0]!.detail).to.match(detail);
        expect(await result()).to.deep.equal(divided);
        if (id !== undefined && divided === HALF)
          expect((await settlementRows()).find((row) => row.id === id)).to.include({ state: 'planned' });
      });

    for (const [what, memos] of [
      ['a memo of amounts that it did not pay', () => [named(of(true, GIVEN - 1n))]],
      ['a memo of another version', () => [text('curvekit settlement/2 17')]],
      ['two memos', () => [named(WITH_HOLDERS), named(WITHOUT_HOLDERS)]],
    ] as const)
      it(`holds payments until an operator has looked at one with ${what}`, async () => {
        await pay(...memos());
        expect((await pass()).map(({ state }) => state)).to.deep.equal(['open']);
        expect(await paymentsHeld(database().queries)).to.match(
          /its payments and its memo match no settlement of these amounts\. If a newer version/,
        );
        expect((await pass({ repair: true })).map(({ state }) => state)).to.deep.equal(['accepted']);
        expect(await paymentsHeld(database().queries)).to.equal(undefined);
        expect(await result()).to.deep.equal({ creator: 0n, holders: 0n });
      });
  });
});
