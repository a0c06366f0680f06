// Credits before they are booked: of the holders, and of a creator whose account refuses the payment. A made-up node answers
// which payments pass the simulation; the credited amounts are in the memo of each.
import { Keypair, type VersionedTransaction } from '@solana/web3.js';
import { expect } from 'chai';
import { eq } from 'drizzle-orm';
import type { Context } from '#app/context.js';
import type { Database } from '#app/db/database.js';
import { settlementHolders, settlements } from '#app/db/schema/index.js';
import { creditCreatorInstead } from '#app/graduation/settlement/credits/credit-creator.js';
import { addCredit, divideAmongHolders } from '#app/graduation/settlement/credits/repository.js';
import type { Settlement } from '#app/graduation/settlement/repository.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { insertTransaction, type OpenSettlement } from '#tests/database/open-settlement.js';
import { creditsOf } from '#tests/database/settlement-rows.js';
import { newAddress } from '#tests/new-address.js';
import { rejection } from '#tests/mocha/failures.js';
import { usePayments } from '#tests/service/payments.js';
import { keyVariable } from '#tests/service/service-context.js';

/** The creator's part of each side. They are equal, so that a difference between the sides is 0. */
const PART = 1_000n;
const MEMO = /curvekit settlement \d+ holders \d+ \d+ creator (\d+) (\d+)/;
const WARN = 40;

describe(`credits that are planned (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const [creator, treasury] = [newAddress(), Keypair.generate()];
  const at = usePayments();
  const { logged, stored } = at;
  let database: Database;
  let context: Context;
  let stopping: AbortController;
  /** Whether a payment passes with these credits of the creator. */
  let passes: (sol: boolean, token: boolean) => boolean | Promise<boolean>;
  /** The credits of each simulated payment. */
  const tried: string[] = [];

  async function simulated({ message }: VersionedTransaction) {
    const [, ...credited] = MEMO.exec(Buffer.from(message.serialize()).toString('latin1'))!;
    tried.push(credited.join(' '));
    const [sol, token] = credited.map((amount) => BigInt(amount) === PART);
    return (await passes(sol!, token!)) ? null : { InstructionError: [1, 'InsufficientFunds'] };
  }

  before(async () => {
    context = await at.contextWith({ TREASURY_KEYPAIR: keyVariable(treasury) });
    ({ database } = context);
  });
  beforeEach(() => {
    tried.length = 0;
    at.node.simulated = simulated;
    stopping = new AbortController();
  });

  const insert = (columns: OpenSettlement['columns'] = {}) => {
    const parts = { sol: PART, solCreator: PART, token: PART, tokenCreator: PART };
    return at.planned({ creator, ...parts, ...columns });
  };
  const creditInstead = (settlement: Settlement, by = context) =>
    creditCreatorInstead(by, settlement, 'refused', stopping.signal);
  const credits = ({ id }: Settlement) => creditsOf(database.queries, id);

  const REFUSED = [
    { name: 'tokens', sol: false, token: true, tries: ['0 1000'] },
    { name: 'SOL', sol: true, token: false, tries: ['0 1000', '1000 0'] },
    { name: 'both', sol: true, token: true, tries: ['0 1000', '1000 0', '1000 1000'] },
  ];
  for (const { name, sol, token, tries } of REFUSED) {
    it(`replace the payment that the creator's accounts refuse: ${name}`, async () => {
      const settlement = await insert();
      passes = (ofSol, ofToken) => ofSol === sol && ofToken === token;
      const after = await creditInstead(settlement);
      const [solCredited, tokenCredited] = [sol ? PART : 0n, token ? PART : 0n];
      expect(after).to.deep.include({
        ...{ id: settlement.id, state: 'planned', treasury: treasury.publicKey.toBase58() },
        ...{ solCreatorCredited: solCredited, tokenCreatorCredited: tokenCredited },
      });
      expect(after).to.deep.equal(await stored(settlement.id));
      expect(tried).to.deep.equal(tries);
      expect(await credits(settlement)).to.deep.equal([
        { wallet: creator, balance: 0n, sol: solCredited, token: tokenCredited },
      ]);
      expect(logged).to.have.lengthOf(1);
      const { mint, id } = settlement;
      const fields = { level: WARN, mint, settlement: id, creator, problem: 'refused', sol, token };
      expect(logged[0]).to.deep.include(fields);
    });
  }

  /** No credit is stored. */
  async function expectUnchanged(settlement: Settlement) {
    expect(await stored(settlement.id)).to.deep.equal(settlement);
    expect(await credits(settlement)).to.deep.equal([]);
    expect(logged).to.deep.equal([]);
  }

  it('do not replace a payment that fails for another reason', async () => {
    const settlement = await insert();
    passes = () => false;
    expect(await creditInstead(settlement)).to.equal(undefined);
    expect(tried).to.deep.equal(['0 1000', '1000 0', '1000 1000']);
    await expectUnchanged(settlement);
  });

  it('try only what is not credited yet', async () => {
    passes = () => false;
    expect(await creditInstead(await insert({ solCreatorCredited: PART }))).to.equal(undefined);
    expect(tried.splice(0)).to.deep.equal(['1000 1000', '1000 1000']);
    expect(await creditInstead(await insert({ tokenCreatorCredited: PART }))).to.equal(undefined);
    expect(tried.splice(0)).to.deep.equal(['1000 1000', '1000 1000']);
    const both = { solCreatorCredited: PART, tokenCreatorCredited: PART };
    expect(await creditInstead(await insert(both))).to.equal(undefined);
    expect(tried).to.deep.equal([]);
  });

  it('replace both payments at once after a transaction has failed on chain', async () => {
    const settlement = await insert();
    await insertTransaction(database.queries, settlement.id, 'has failed', 'failed');
    passes = () => true;
    expect(await creditInstead(settlement)).to.deep.include({
      ...{ solCreatorCredited: PART, tokenCreatorCredited: PART },
    });
    expect(tried).to.deep.equal(['1000 1000']);
  });

  it('replace no payment that may have been made', async () => {
    passes = () => true;
    for (const state of ['signed', 'expired', 'finalized'] as const) {
      const settlement = await insert();
      await insertTransaction(database.queries, settlement.id, `is ${state}`, state);
      expect(await creditInstead(settlement), state).to.equal(undefined);
      expect(tried).to.deep.equal([]);
      await expectUnchanged(settlement);
    }
  });

  it('go to the treasury of the plan, or to the configured one, or to none', async () => {
    passes = () => true;
    const planned = newAddress();
    const withTreasury = await insert({ treasury: planned });
    expect((await creditInstead(withTreasury))!.treasury).to.equal(planned);
    [tried.length, logged.length] = [0, 0];
    const without = await insert();
    expect(await creditInstead(without, await at.contextWith({}))).to.equal(undefined);
    expect(tried).to.deep.equal([]);
    await expectUnchanged(without);
  });

  it('are not stored by a process that stops, or after another has changed the plan', async () => {
    const stopped = await insert();
    passes = () => {
      stopping.abort(new Error('the process ends'));
      return true;
    };
    expect((await rejection(creditInstead(stopped), Error)).message).to.equal('the process ends');
    await expectUnchanged(stopped);
    stopping = new AbortController();
    tried.length = 0;
    const changed = await insert();
    passes = async () => {
      await database.queries.update(settlements).set({ lp: 'another' }).where(eq(settlements.id, changed.id));
      return true;
    };
    expect(await creditInstead(changed)).to.equal(undefined);
    expect(tried).to.deep.equal(['0 1000']);
    await expectUnchanged({ ...changed, lp: 'another' });
  });

  it('add up per wallet, and are omitted when they are 0', async () => {
    const settlement = await insert();
    const add = (sol: bigint, token: bigint, wallet = 'wallet') =>
      database.transaction((tx) => addCredit(tx, settlement.id, wallet, { sol, token }));
    await add(0n, 0n);
    expect(await credits(settlement)).to.deep.equal([]);
    await add(5n, 0n);
    await add(0n, 7n);
    await add(1n, 2n);
    await add(0n, 0n);
    await add(0n, 4n, 'another');
    expect(await credits(settlement)).to.deep.equal([
      { wallet: 'another', balance: 0n, sol: 0n, token: 4n },
      { wallet: 'wallet', balance: 0n, sol: 6n, token: 9n },
    ]);
  });

  it('credits of the holders are proportional, and what is left goes to the largest rest and the smaller address', async () => {
    const { id } = await insert();
    const other = await insert();
    const weights = { c: 1n, b: 1n, a: 1n, dust: 0n, whale: 7n };
    const rows = Object.entries(weights).map(([wallet, balance]) => ({ settlementId: id, wallet, balance }));
    await database.queries
      .insert(settlementHolders)
      .values([...rows, { settlementId: other.id, wallet: 'another', balance: 90n }]);
    await database.transaction((tx) => divideAmongHolders(tx, id, { sol: 22n, token: 2n }));
    // Exact: 2.2 three times and 15.4 of the SOL; 0.2 three times and 1.4 of the tokens.
    expect(await creditsOf(database.queries, id)).to.deep.equal([
      { wallet: 'a', balance: 1n, sol: 2n, token: 0n },
      { wallet: 'b', balance: 1n, sol: 2n, token: 0n },
      { wallet: 'c', balance: 1n, sol: 2n, token: 0n },
      { wallet: 'whale', balance: 7n, sol: 16n, token: 2n },
    ]);
    await database.transaction((tx) => divideAmongHolders(tx, other.id, { sol: 0n, token: 3n }));
    expect(await credits(other)).to.deep.equal([{ wallet: 'another', balance: 90n, sol: 0n, token: 3n }]);
    const tied = await insert();
    await database.queries
      .insert(settlementHolders)
      .values(['b', 'a'].map((wallet) => ({ settlementId: tied.id, wallet, balance: 1n })));
    await database.transaction((tx) => divideAmongHolders(tx, tied.id, { sol: 3n, token: 1n }));
    expect(await credits(tied)).to.deep.equal([
      { wallet: 'a', balance: 1n, sol: 2n, token: 1n },
      { wallet: 'b', balance: 1n, sol: 1n, token: 0n },
    ]);
  });
});
