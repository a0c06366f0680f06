// How a settlement begins and is planned: for how long, with which seed, and whom it opens an account for. threat: closed-for-rent
import { PublicKey } from '@solana/web3.js';
import { expect } from 'chai';
import { communityTokenStorageAddress, communityWsolStorageAddress } from '@curvekit/sdk';
import type { Context } from '#app/context.js';
import { SettlementError } from '#app/graduation/settlement/errors.js';
import { noteOpening } from '#app/graduation/settlement/payment/opened-accounts.js';
import type { Storages } from '#app/graduation/settlement/periods/storages.js';
import type { SettledToken } from '#app/graduation/settlement/periods/tokens-repository.js';
import { openSettlement, settlementOf } from '#app/graduation/settlement/repository.js';
import { begin, finish, type SettlementStep } from '#app/graduation/settlement/settle.js';
import { NEVER_ABORTED, SOL } from '#tests/constants.js';
import { DATABASE_KIND } from '#tests/database/database.js';
import { insertOpenSettlement } from '#tests/database/open-settlement.js';
import { rejection } from '#tests/mocha/failures.js';
import { newAddress } from '#tests/new-address.js';
import { usePasses } from '#tests/service/passes.js';

const PERIOD_MS = 32_000;

describe(`the beginning of a settlement (${DATABASE_KIND})`, function () {
  this.timeout(60_000);
  const passes = usePasses();
  const steps: SettlementStep[] = [];
  let context: Context;
  beforeEach(async () => {
    steps.length = 0;
    context = await contextWith({});
  });

  const contextWith = async (keys: Readonly<Record<string, string>>): Promise<Context> => ({
    ...(await passes.contextWith(keys)),
    now: () => 1_800_000_000_000,
  });
  const tokenOf = (shares: Partial<SettledToken> = {}): SettledToken => ({
    ...{ mint: newAddress(), creator: newAddress(), curve: newAddress() },
    ...{ virtualSol: 1n, virtualToken: 1n, burnBps: 0, holdersBps: 0, lpBps: 0, ...shares },
  });
  const storagesOf = (mint: string, sol: bigint, token = 0n): Storages => ({
    ...{ mint, sol, token, slot: 5 },
    wsolStorage: communityWsolStorageAddress(new PublicKey(mint), context.deployment).address,
    tokenStorage: communityTokenStorageAddress(new PublicKey(mint), context.deployment).address,
  });
  const start = (token: SettledToken, sol = SOL) =>
    begin(context, token, storagesOf(token.mint, sol), 77n, {
      signal: NEVER_ABORTED,
      periodMs: PERIOD_MS,
      afterStep: (step) => void steps.push(step),
    });
  const begun = (token: SettledToken) => openSettlement(context.database.queries, token.mint);

  it('is a period with a secret seed when holders get a part', async () => {
    const token = tokenOf({ holdersBps: 5_000 });
    expect(await start(token)).to.equal(undefined);
    const settlement = (await begun(token))!;
    expect(settlement).to.deep.include({
      ...{ mint: token.mint, creator: token.creator, state: 'sampling', value: 77n, startedSlot: 5 },
      ...{ startedAt: new Date(1_800_000_000_000), periodMs: PERIOD_MS, samples: 16 },
    });
    expect(settlement.seedHash).to.match(/^[0-9a-f]{64}$/);
    expect(steps).to.deep.equal(['begun']);
    expect(await start(token)).to.equal(undefined);
    expect(steps, 'once').to.deep.equal(['begun']);
  });

  it('has no period and no seed when they get nothing', async () => {
    const token = tokenOf();
    expect(await start(token)).to.equal(undefined);
    expect(await begun(token)).to.deep.include({ periodMs: 0, samples: 0, seedHash: null });
  });

  it('does not come when nothing can be paid, and a report says why', async () => {
    const empty = tokenOf({ holdersBps: 5_000 });
    expect(await start(empty, 0n)).to.deep.include({ mint: empty.mint, outcome: 'nothing' });
    expect(await begun(empty)).to.equal(undefined);
    context = await contextWith({ TREASURY_KEYPAIR: '' });
    const token = tokenOf({ holdersBps: 10_000 });
    const report = (await start(token))!;
    expect(report.outcome).to.equal('waiting');
    expect(report.problems.join()).to.contain('set TREASURY_KEYPAIR');
    expect(await begun(token)).to.equal(undefined);
    expect(steps).to.deep.equal([]);
  });

  it('needs the key of the DEX owner', async () => {
    context = await contextWith({ DEX_OWNER_KEYPAIR: '' });
    await rejection(start(tokenOf()), SettlementError);
  });

  const stored = async (id: number) => (await settlementOf(context.database.queries, id))!;
  /** A settlement without holders, which only has to be planned. */
  async function sampled({ mint, creator }: SettledToken) {
    const columns = { state: 'sampling', creator, samples: 0, periodMs: 0 } as const;
    return stored(await insertOpenSettlement(context.database, mint, 0, { columns, seed: null }));
  }

  /** Plans a settlement without holders, and is stopped then. */
  async function plan(token: SettledToken) {
    const settlement = await sampled(token);
    const report = await finish(context, settlement, token, {
      signal: NEVER_ABORTED,
      afterStep: (step) => {
        steps.push(step);
        throw new Error('stopped');
      },
    }).catch((error: Error) => error.message);
    return { report, settlement: await stored(settlement.id) };
  }

  it("opens the creator's account once, and credits the creator afterwards", async () => {
    for (const wasOpened of [false, true]) {
      const token = tokenOf();
      passes.node().give(token.mint, context.deployment, { sol: 0n, token: 1_000_000_000_000n });
      if (wasOpened)
        await context.database.transaction((tx) => noteOpening(tx, token.creator, token.mint, 'a claim'));
      const { report, settlement } = await plan(token);
      expect(report).to.equal('stopped');
      const credited = wasOpened ? settlement.tokenCreator : 0n;
      expect(settlement).to.deep.include({
        ...{ state: 'planned', opensCreatorAccount: !wasOpened, tokenCreatorCredited: credited },
        ...{ token: 1_000_000_000_000n, tokenCreator: 1_000_000_000_000n, snapshotSlot: null, holders: 0 },
      });
    }
    expect(steps).to.deep.equal(['planned', 'planned']);
  });

  it('waits while a storage is missing, and says which', async () => {
    const { report, settlement } = await plan(tokenOf());
    expect(report).to.have.property('outcome', 'waiting');
    expect(report)
      .to.have.property('problems')
      .that.matches(/does not exist/);
    expect(settlement.state).to.equal('sampling');
  });

  it('is not paid by a process that stops while it plans', async () => {
    const token = tokenOf();
    passes.node().give(token.mint, context.deployment, { sol: SOL, token: 0n });
    const settlement = await sampled(token);
    const signal = AbortSignal.abort(new Error('the process ends'));
    const afterStep = (step: SettlementStep) => void steps.push(step);
    const stopped = rejection(finish(context, settlement, token, { signal, afterStep }), Error);
    expect((await stopped).message).to.equal('the process ends');
    expect(steps).to.deep.equal([]);
  });
});
