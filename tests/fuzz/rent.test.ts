// Trades and graduations after a change of the cluster's rent. threat: below-rent
import { expect } from 'chai';
import { Worlds } from './batch.js';
import { FEE_RECEIVER } from './keys.js';
import { builtPrograms, testedFiles } from './files.js';
import { play } from './play.js';
import { USUAL_SPEC, type EpisodeSpec, type Step } from './steps.js';
import { USUAL_RENT_PER_BYTE, type World } from './world.js';

const LOGICAL_ERROR = '6005';

describe("after a change of the cluster's rent", function () {
  this.timeout(600_000);
  const files = testedFiles();
  let worlds: Worlds;

  before(async () => (worlds = new Worlds(files, await builtPrograms())));

  const minimum = { is: 'value', value: 0n } as const;
  const buy = (value: bigint): Step => ({
    is: 'buy',
    token: 0,
    trader: 1,
    amount: { is: 'value', value },
    minimum,
  });
  const sellAll: Step = { is: 'sell', token: 0, trader: 1, amount: { is: 'all', off: 0n }, minimum };
  const rise: Step = { is: 'rent', lamportsPerByte: 2n * USUAL_RENT_PER_BYTE };

  function launched(changed: Partial<EpisodeSpec> = {}, afterMigrationFee = 0): World {
    const world = worlds.at(0);
    const spec = { ...USUAL_SPEC, ...changed };
    world.reset(spec);
    for (const step of [
      { is: 'settings', ...spec },
      { is: 'create', token: 0, trader: 0, afterMigrationFee },
      buy(10n ** 9n),
    ] as const)
      expect(play(world, step)).to.equal(undefined);
    return world;
  }

  it('Given a sale that would leave the curve below its rent, then sellToken refuses it, and takes it at the old rent', () => {
    expect(play(launched(), sellAll)).to.equal(undefined);
    const world = launched();
    play(world, rise);
    expect(play(world, sellAll)).to.match(new RegExp(`^${LOGICAL_ERROR}`));
    world.setRent(USUAL_RENT_PER_BYTE);
    expect(play(world, sellAll)).to.equal(undefined);
  });

  it('Given a fee receiver that has only the old rent, when a small trade pays its fee, then the trade passes', () => {
    const world = launched();
    world.set(FEE_RECEIVER, world.rentOf(0));
    world.sync(FEE_RECEIVER);
    play(world, rise);
    expect(play(world, buy(10n ** 6n))).to.equal(undefined);
    expect(world.feeReceiver < world.rentOf(0)).to.equal(true);
  });

  /** By the lamports of a byte: what the storage gains beside its share, since its reserve moves. */
  for (const [lamportsPerByte, moved] of [
    [696n, 1_835_352n],
    [6_960n, 0n],
    [13_920n, -2_039_280n],
  ] as const)
    it(`Given ${lamportsPerByte} lamports a byte instead of 6960, when a curve graduates, then the community gains its share and what its reserve gives up`, () => {
      // A share below the rise of the reserve waits until somebody gives the storage the difference.
      for (const [afterMigrationFee, succeeds] of [
        [100, true],
        [0, true],
        [25, moved >= 0n],
      ] as const) {
        const world = launched(
          { virtualSol: afterMigrationFee === 25 ? 240_000_000n : USUAL_SPEC.virtualSol },
          afterMigrationFee,
        );
        play(world, { ...buy(0n), amount: { is: 'rest', off: 0n } } as Step);
        const [token] = world.tokens;
        const { wsol } = token!.keys.storages;
        const before = token!.curveLamports;
        world.setRent(lamportsPerByte);
        const error = world.send(token!.keys.graduate[2]!);
        expect(error === undefined, `${afterMigrationFee}: ${error}`).to.equal(succeeds);
        if (!succeeds) continue;
        const share = ((before - world.lamports(token!.keys.curve)) * BigInt(afterMigrationFee)) / 10_000n;
        expect(world.amount(wsol)).to.equal(afterMigrationFee === 0 ? 0n : share + moved);
      }
    });
});
