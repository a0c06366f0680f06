// The indexer on a Yellowstone gRPC feed that works, and on feeds that do everything wrong: the index is always that of the
// RPC node alone. threat: false-feed, altered-feed, broken-feed
import { expect } from 'chai';
import { DEFAULT_DEPLOYMENT } from '@curvekit/sdk';
import { feedSlot } from '#app/index/feed/connection.js';
import { expectIndexOf } from '#tests/cluster/chain-records.js';
import { NEVER_ABORTED, SOL } from '#tests/constants.js';
import { BUYS, TOKEN, useFedIndexer, type Updates } from '#tests/node/fed-indexer.js';

describe('the indexer on a gRPC feed', () => {
  const at = useFedIndexer();

  it('subscribes to the program and to confirmed slots, and shows trades without asking the RPC node', async () => {
    const { transactions, slots, commitment } = at.feed.requests[0]!;
    expect(transactions['curvekit']).to.deep.include({
      accountInclude: [DEFAULT_DEPLOYMENT.programId.toBase58()],
      vote: false,
      failed: false,
    });
    expect(slots['curvekit']!.filterByCommitment).to.equal(true);
    expect(commitment).to.equal(1);
    at.listed = 0;
    for (let block = 0; block < 5; block += 1) await at.trade();
    expect(at.listed, 'lists').to.equal(0);
    await at.expectSame();
    expect(at.asked).to.deep.equal([]);
    expect(await at.count('used')).to.equal(15);
    expect(await at.isDown()).to.equal(false);
  });

  it('reads creations, migrations, failed transactions, and those without a record', async () => {
    at.chain.execute([
      [{ kind: 'create' }],
      [{ kind: 'nothing' }],
      [{ kind: 'buy', token: 1, lamports: 1_000n * SOL }],
      [{ kind: 'sell', token: 1, units: 10n ** 18n }],
    ]);
    for (const update of at.newest()) at.feed.send(update);
    await at.told(at.chain.slot('confirmed'));
    await at.engine.preview(NEVER_ABORTED);
    at.chain.execute([[{ kind: 'migrate', token: 1 }]]);
    for (const update of at.newest()) at.feed.send(update);
    await at.told(at.chain.slot('confirmed'));
    await at.expectSame();
    expect(at.asked).to.deep.equal([]);
    expect(at.chain.records().map(({ kind }) => kind)).to.include('migrate');
  });

  it('books what the feed skips, and then lets the list of the RPC node decide', async () => {
    await at.trade();
    await at.trade(([first, , third]) => [first!, third!]);
    await at.trade();
    await at.expectBooked();
    expect(at.asked).to.not.deep.equal([]);
    await at.trade(([first, , third]) => [first!, third!]);
    await at.expectSame();
    expect(await at.count('missed')).to.be.greaterThan(0);
  });

  it('shows nothing twice that the feed repeats', async () => {
    await at.trade((all) => [...all, ...all]);
    await at.trade((all) => [...all, ...all]);
    await at.expectSame();
    expect(await at.count('repeated')).to.equal(6);
    expect(at.asked).to.deep.equal([]);
  });

  it('shows nothing twice that the RPC node listed before the feed sent it', async () => {
    await at.open();
    await at.engine.book(NEVER_ABORTED);
    await at.reached();
    at.tip = at.chain.slot('confirmed');
    const blocks = [1, 2].map(() => {
      at.chain.execute(BUYS);
      return { updates: at.newest(), slot: at.chain.slot('confirmed') };
    });
    await at.engine.preview(NEVER_ABORTED);
    await expectIndexOf(at.database.queries, at.chain.records(), { finalized: false });
    at.tip = undefined;
    for (const { updates, slot } of blocks) {
      for (const update of updates) at.feed.send(update);
      await at.told(slot);
      await at.engine.preview(NEVER_ABORTED);
    }
    expect(await at.count('missed')).to.equal(0);
    await at.expectSame();
  });

  it('books transactions that come after their slot', async () => {
    await at.trade(() => []);
    const late = at.newest();
    await at.trade();
    for (const update of late) at.feed.send(update);
    await at.trade();
    await at.expectBooked();
  });

  it('asks the RPC node for a transaction that is not as the node lists it', async () => {
    const wrong = [
      // Another transaction's body.
      (all: Updates) => {
        all[1]!.transaction!.transaction!.transaction = all[0]!.transaction!.transaction!.transaction;
        return all;
      },
      // A failed one.
      (all: Updates) => {
        all[1]!.transaction!.transaction!.meta!.err = { err: Uint8Array.of(1) };
        return all;
      },
      // Without inner instructions.
      (all: Updates) => {
        all[1]!.transaction!.transaction!.meta!.innerInstructionsNone = true;
        return all;
      },
      // Without the keys of its lookup tables.
      (all: Updates) => {
        all[1]!.transaction!.transaction!.transaction!.message!.accountKeys.pop();
        return all;
      },
    ];
    for (const change of wrong) await at.trade(change);
    expect(await at.count('mismatched')).to.equal(wrong.length);
    expect(at.asked).to.have.lengthOf(wrong.length);
    await at.expectSame();
    expect(at.log).to.contain('is not as listed');
  });

  it('drops a transaction that only the feed has', async () => {
    await at.trade((all) => {
      const invented = structuredClone(all[2]!);
      const signature = new Uint8Array(64).fill(7);
      invented.transaction!.transaction!.signature = signature;
      invented.transaction!.transaction!.transaction!.signatures = [signature];
      return [...all, invented];
    });
    await at.expectBooked();
    await at.trade();
    await at.expectSame();
  });

  it('drops a block that only the feed has, although it continues the curve', async () => {
    await at.trade();
    at.chain.execute(BUYS);
    const invented = at.newest();
    at.chain.fork(1, () => false);
    at.chain.execute([]);
    for (const update of invented) at.feed.send(update);
    await at.told(at.chain.slot('confirmed'));
    await at.engine.preview(NEVER_ABORTED);
    expect(await at.count('used')).to.equal(6);
    await at.expectBooked();
    await at.trade();
    await at.expectSame();
  });

  it('does not believe a feed about the slot of a transaction', async () => {
    await at.trade((all) => {
      all[2]!.transaction!.slot = String(at.chain.slot('confirmed') - 1);
      return all;
    });
    await at.expectBooked();
    // In their order, so that only the list shows that it is another slot.
    at.chain.execute([]);
    await at.trade((all) => {
      for (const { transaction } of all) transaction!.slot = String(at.chain.slot('confirmed') - 1);
      return all;
    });
    await at.expectBooked();
  });

  it('goes on with the RPC node while the feed is silent, and with the feed afterwards', async () => {
    await at.trade();
    await at.untilEnd('silent');
    expect(await at.isDown()).to.equal(true);
    at.chain.execute(BUYS);
    await at.engine.preview(NEVER_ABORTED);
    await expectIndexOf(at.database.queries, at.chain.records(), { finalized: false });
    expect(at.asked).to.have.lengthOf(3);
    await at.joined();
    await at.trade();
    await at.expectSame();
    expect(at.asked).to.have.lengthOf(3);
  });

  it('goes on after the feed has broken off', async () => {
    await at.trade();
    at.feed.hangUp();
    await at.untilEnd('disconnected');
    at.chain.execute(BUYS);
    await at.joined();
    await at.trade();
    await at.expectSame();
    expect(at.asked).to.have.lengthOf(3);
  });

  it('connects again after garbage', async () => {
    await at.trade();
    await at.untilEnd('garbage', () => at.feed.sendBytes(Buffer.from([0x22, 0xff, 0xff, 0x03, 1, 2, 3])));
    await at.joined();
    await at.trade();
    await at.expectSame();
  });

  it('names a feed that refuses its token, and goes on with the RPC node', async () => {
    await at.open({ token: 'another' });
    await at.untilEnd('refused');
    at.chain.execute(BUYS);
    await at.expectSame();
    expect(at.log).to.contain('No valid auth token');
    expect(at.log).to.not.contain('another');
  });

  it('asks the RPC node for what does not fit into memory', async () => {
    await at.open({ most: 4 });
    await at.joined();
    for (let block = 0; block < 4; block += 1) {
      at.chain.execute(BUYS);
      for (const update of at.newest()) at.feed.send(update);
      await at.told(at.chain.slot('confirmed'));
    }
    await at.engine.preview(NEVER_ABORTED);
    await at.expectSame();
    expect(at.asked.length).to.be.greaterThan(0);
  });

  it('follows a reorg', async () => {
    await at.trade();
    await at.trade();
    at.chain.fork(1, (index) => index !== 1);
    for (const update of at.newest()) at.feed.send(update);
    await at.told(at.chain.slot('confirmed'));
    await at.engine.preview(NEVER_ABORTED);
    await at.expectBooked();
    await at.trade();
    await at.expectSame();
  });

  it('tells its slot', async () => {
    at.feed.slot = 1_234;
    expect(await feedSlot({ url: at.feed.url, token: TOKEN })).to.equal(1_234);
    const refused = await feedSlot({ url: at.feed.url, token: undefined }).catch(
      (error: Error) => error.message,
    );
    expect(refused).to.contain('No valid auth token');
  });
});
