// A stranger names the treasury in ten times as many transactions as its node answers calls. Payments go on. threat: dust
import { Keypair, SystemProgram } from '@solana/web3.js';
import { expect } from 'chai';
import { paymentsCheck } from '#app/checks.js';
import type { Context } from '#app/context.js';
import { statement } from '#app/db/database.js';
import { paymentsHeld, watchOwnKeys } from '#app/ledger/gate/payments-gate.js';
import { CheckWarning } from '#app/http/health.js';
import { Reconciliation, type PassReport } from '#app/reconciliation/reconcile.js';
import { useDatabase } from '#tests/database/database.js';
import { rejection } from '#tests/mocha/failures.js';
import { contextFrom, keyVariable } from '#tests/service/service-context.js';
import { NEVER_ABORTED } from '#tests/constants.js';
import bs58 from 'bs58';
import { RpcFailure, startFakeNode } from '#tests/node/fake-node.js';

// An RPC node of a chain on which a stranger names one key in many transactions of each block. It can lack
// blocks. A real cluster on one machine makes too few transactions for this.

interface DustOptions {
  /** The key that the dust names. */
  readonly named: string;
  /** Transactions of the stranger in a block. */
  readonly dustIn: (slot: number) => number;
  /** Blocks that exist at the start. */
  readonly slots: number;
  /** The chain's clock: a block for so many answered calls, so that no test depends on the machine's speed. */
  readonly callsPerSlot: number;
}

const FINALITY = 31;
const LIFE = 150;
const STRANGER = Keypair.generate().publicKey.toBase58();
const SYSTEM = SystemProgram.programId.toBase58();
const HEADER = { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 1 };
const NO_METHOD = new RpcFailure(-32601, 'Method not found');

async function startNodeWithDust({ named, dustIn, slots, callsPerSlot }: DustOptions) {
  /** What a test changes. */
  const set = {
    /** Dust in the blocks that nobody has asked for yet. */
    dustIn,
    /** Whether `getBlock` gives transactions. */
    givesBlocks: true,
    /** Signatures of transactions that the key itself has signed. They are among the dust. */
    signedByKey: new Set<string>(),
  };
  const places = new Map<string, { readonly slot: number; readonly index: number }>();
  const signatures = new Map<number, string[]>();
  let answered = 0;
  let advanced = slots + FINALITY;

  const tip = () => advanced + Math.floor(answered / callsPerSlot);
  const finalized = () => tip() - FINALITY;
  const signaturesOf = (slot: number): string[] => {
    const known = signatures.get(slot);
    if (known !== undefined) return known;
    const made = Array.from({ length: set.dustIn(slot) }, (_, index) => {
      const bytes = Buffer.alloc(64, 7);
      bytes.writeUInt32BE(slot, 0);
      bytes.writeUInt32BE(index, 4);
      const signature = bs58.encode(bytes);
      places.set(signature, { slot, index });
      return signature;
    });
    signatures.set(slot, made);
    return made;
  };
  const payerOf = (signature: string) => (set.signedByKey.has(signature) ? named : STRANGER);
  const keysOf = (signature: string) => {
    const payer = payerOf(signature);
    return [payer, payer === named ? STRANGER : named, SYSTEM];
  };

  function list(address: unknown, { before, until, limit, commitment }: Record<string, unknown>): object[] {
    if (address !== named) return [];
    const start = places.get(before as string);
    const found: object[] = [];
    for (let slot = start?.slot ?? (commitment === 'finalized' ? finalized() : tip()); slot > 0; slot -= 1) {
      const all = signaturesOf(slot);
      const from = start?.slot === slot ? start.index - 1 : all.length - 1;
      for (let index = from; index >= 0; index -= 1) {
        if (all[index] === until || found.length === limit) return found;
        found.push({ signature: all[index], slot, err: null });
      }
    }
    return found;
  }

  function block(slot: number, details: unknown): unknown {
    const head = { blockHeight: slot, parentSlot: slot - 1, blockhash: String(slot) };
    if (details !== 'accounts') return head;
    const transactions = signaturesOf(slot).map((signature) => ({
      transaction: {
        signatures: [signature],
        accountKeys: keysOf(signature).map((pubkey, index) => ({ pubkey, signer: index === 0 })),
      },
      meta: { err: null, fee: 5_000, preBalances: [9_000, 1, 1], postBalances: [3_999, 2, 1] },
      version: 'legacy',
    }));
    return { ...head, transactions };
  }

  function transaction(signature: string): unknown {
    const place = places.get(signature);
    if (place === undefined) return null;
    return {
      slot: place.slot,
      version: 'legacy',
      meta: { err: null, fee: 5_000, preBalances: [9_000, 1, 1], postBalances: [3_999, 2, 1] },
      transaction: {
        signatures: [signature],
        message: {
          ...{ header: HEADER, accountKeys: keysOf(signature), recentBlockhash: SYSTEM, instructions: [] },
        },
      },
    };
  }

  const inSlot = (slot: number, value: unknown) => ({ context: { slot }, value });
  const answers: Readonly<Record<string, (first: unknown, options: Record<string, unknown>) => unknown>> = {
    getVersion: () => ({ 'solana-core': '4.0.0', 'feature-set': 1 }),
    getEpochInfo: () => ({ absoluteSlot: finalized(), blockHeight: finalized() }),
    getBlockHeight: tip,
    getFirstAvailableBlock: () => 0,
    getAccountInfo: () => inSlot(finalized(), null),
    // The key has no SOL, so it cannot write on chain which database pays.
    getBalance: () => inSlot(tip(), 0),
    getMinimumBalanceForRentExemption: () => 890_880,
    getLatestBlockhash: () => inSlot(tip(), { blockhash: SYSTEM, lastValidBlockHeight: tip() + LIFE }),
    getBlocks: (from, to) =>
      Array.from({ length: Math.max(0, Number(to) - Number(from) + 1) }, (_, index) => Number(from) + index),
    getSignaturesForAddress: list,
    getTransaction: (signature) => transaction(signature as string),
    getBlock: (slot, { transactionDetails: details }) =>
      details === 'accounts' && !set.givesBlocks ? NO_METHOD : block(slot as number, details),
  };

  const fake = await startFakeNode(({ method, params: [first, options = {}] }) => {
    answered += 1;
    return (
      answers[method]?.(first, options as Record<string, unknown>) ?? (method in answers ? null : NO_METHOD)
    );
  });
  return Object.assign(set, fake, {
    finalized,
    signature: (slot: number, index: number) => signaturesOf(slot)[index]!,
    advance: (more: number) => {
      advanced += more;
    },
  });
}
type NodeWithDust = Awaited<ReturnType<typeof startNodeWithDust>>;

/** A slot of 0.4 s: 40 calls and 400 transactions. */
const CALLS_PER_SLOT = 40;
const PER_SLOT = 400;
/** In the 1.5 s that the service's job waits. */
const SLOTS_BETWEEN_PASSES = 4;

describe('payments while another wallet names the treasury in many transactions', function () {
  this.timeout(240_000);
  const treasury = Keypair.generate();
  const named = treasury.publicKey.toBase58();
  const database = useDatabase({ each: true });
  let node: NodeWithDust;
  let context: Context;

  async function start(options: Omit<DustOptions, 'named'>): Promise<void> {
    node = await startNodeWithDust({ named, ...options });
    context = await contextFrom(
      {
        RPC_URL: node.url,
        WS_URL: 'ws://127.0.0.1:1',
        SIMULATED_CLUSTER: 'off',
        TREASURY_KEYPAIR: keyVariable(treasury),
        LOG_LEVEL: 'silent',
      },
      database,
    );
    await watchOwnKeys(context);
  }
  beforeEach(async () => {
    // As of an index that has read everything.
    await statement(database.queries)`
      insert into indexer_state (id, program_id, first_slot, scanned_slot, listed)
      values (1, 'program', 1, 999999999, true)`;
  });
  afterEach(() => node?.stop());

  const pass = (by: Reconciliation): Promise<PassReport> => by.pass(NEVER_ABORTED);
  async function passUntil(by: () => Reconciliation, isDone: (report: PassReport) => boolean, most = 200) {
    for (let passes = 1; passes <= most; passes += 1) if (isDone(await pass(by()))) return passes;
    throw new Error(`not done in ${most} passes`);
  }
  const isComplete = (report: PassReport) => report.isComplete;
  const gate = async () => {
    const [row] = await statement<{ slot: number; at: number; unread: number | null }>(database.queries)`
      select reconciled_slot::integer as slot, unread::integer as unread,
      extract(epoch from reconciled_at)::double precision as at from payments_gate`;
    return row!;
  };
  const findings = () =>
    statement<{ signature: string; state: string }>(database.queries)`
      select signature, state from payment_findings order by slot`;

  it('open, stay reconciled with the tip, and no transaction of the key is missed', async () => {
    await start({ dustIn: () => PER_SLOT, slots: 50, callsPerSlot: CALLS_PER_SLOT });
    const early = node.signature(20, 123);
    node.signedByKey.add(early);
    const reconciliation = new Reconciliation(context);
    await passUntil(
      () => reconciliation,
      ({ isOpen }) => isOpen,
    );
    const late = node.signature(node.finalized() + 5, 321);
    node.signedByKey.add(late);
    const from = (await gate()).slot;
    for (let round = 0; round < 8; round += 1) {
      node.advance(SLOTS_BETWEEN_PASSES);
      expect(await pass(reconciliation)).to.include({ isOpen: true });
      expect(await paymentsHeld(database.queries)).to.equal(undefined);
    }
    await passUntil(() => reconciliation, isComplete);
    const { slot, unread } = await gate();
    expect(slot).to.be.above(from + 8 * SLOTS_BETWEEN_PASSES);
    expect(node.finalized() - slot, 'slots behind').to.be.below(10);
    expect(unread).to.equal(null);
    expect(await findings()).to.deep.equal([
      { signature: early, state: 'other' },
      { signature: late, state: 'other' },
    ]);
    const dust = slot * PER_SLOT;
    expect(node.calls.get('getTransaction') ?? 0, `of ${dust} transactions`).to.be.below(dust / 20);
  });

  it('payments that were open stay open while a node without blocks is read, and /ready says how much is left', async () => {
    await start({ dustIn: () => 0, slots: 40, callsPerSlot: CALLS_PER_SLOT });
    node.givesBlocks = false;
    const briefly = { readForMs: 1 };
    const reconciliation = new Reconciliation(context, briefly);
    expect(await pass(reconciliation)).to.include({ isOpen: true, isComplete: true });
    node.dustIn = () => PER_SLOT;
    node.advance(100);
    for (let passes = 0; ((await gate()).unread ?? 0) === 0; passes += 1) {
      expect(await pass(reconciliation)).to.include({ isOpen: true, isComplete: false });
      expect(passes).to.be.below(60);
    }
    const before = await gate();
    expect(await pass(reconciliation)).to.include({ isOpen: true, isComplete: false });
    const after = await gate();
    expect(after.at).to.be.above(before.at);
    expect(after.slot).to.equal(before.slot);
    const reading =
      /reading the transactions that name the service's keys: at least [1-9]\d* are still to be read$/;
    const { message } = await rejection(paymentsCheck(context).run(), CheckWarning);
    expect(message)
      .to.match(/^payments go on; /)
      .and.match(reading);
    // Another process does not know that the database has not been set back.
    await pass(new Reconciliation(context, briefly));
    expect((await gate()).at).to.equal(after.at);
    await statement(database.queries)`
      update payments_gate set reconciled_at = reconciled_at - interval '121 seconds'`;
    await pass(new Reconciliation(context, briefly));
    expect(await paymentsHeld(database.queries))
      .to.match(reading)
      .and.not.contain('RPC_URL');
  });

  it('are not read from the beginning by a new process', async () => {
    // The newest 32 slots are listed again by a new process, because some nodes lag.
    await start({ dustIn: (slot) => (slot <= 40 ? 150 : 0), slots: 80, callsPerSlot: Infinity });
    node.givesBlocks = false;
    for (let process = 0; process < 10; process += 1) {
      const report = await pass(new Reconciliation(context, { readForMs: 1 }));
      expect(report.isComplete).to.equal(false);
    }
    expect(node.calls.get('getTransaction')).to.be.within(3_000, 5_000);
    expect(await pass(new Reconciliation(context, { readForMs: 600_000 }))).to.include({ isComplete: true });
    expect(node.calls.get('getTransaction')).to.equal(40 * 150);
  });
});
