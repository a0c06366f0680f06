// A creation on a token program that keeps the authority of a mint: what `require_issued` of the program is for. threat: called-program-mints
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { TOKEN_PROGRAM_ADDRESS } from '@curvekit/sdk';
import { CHEATING_TOKEN } from '../../scripts/program/paths.js';
import { keyOf } from '../differential/call.js';
import type { Program } from '../differential/svm.js';
import { Worlds } from './batch.js';
import { builtPrograms, testedFiles } from './files.js';
import { creationOf, playSettings } from './launches.js';
import { USUAL_SPEC } from './steps.js';

const LOGICAL_ERROR = '6005';

describe('createToken on a token program that cheats', function () {
  this.timeout(600_000);
  const files = testedFiles();
  let called: readonly Program[];

  before(async () => (called = await builtPrograms()));

  function created(programs: readonly Program[]): string | undefined {
    const world = new Worlds(files, programs).at(0);
    world.reset(USUAL_SPEC);
    playSettings(world, { is: 'settings', ...USUAL_SPEC });
    const token = world.tokens[0]!;
    return world.send(creationOf(token, { is: 'create', token: 0, trader: 0, afterMigrationFee: 0 }));
  }

  it('Given a token program that keeps the mint authority, when a token is created, then it is refused', () => {
    const binary = readFileSync(CHEATING_TOKEN);
    const ofTokens = keyOf(TOKEN_PROGRAM_ADDRESS).hex;
    const cheating = called.map((program) =>
      program.key.hex === ofTokens ? { ...program, binary } : program,
    );
    expect(created(called)).to.equal(undefined);
    expect(created(cheating)).to.equal(LOGICAL_ERROR);
  });
});
