import { expect } from 'chai'; // threat: unreliable-node, reorg-reward
import fc from 'fast-check';
import { SOL } from '#tests/constants.js';
import { step, useFollowingIndexer, type Step } from '#tests/node/following-indexer.js';

const RUNS = Number(process.env['FORK_RUNS'] ?? 15);

const TRADES = [1n, 2n, 3n].map((sol) => [{ kind: 'buy', token: 0, lamports: sol * SOL } as const]);
/** Three tokens whose creators chose differently, with final trades. */
const TRADED: readonly Step[] = [
  { do: 'block', groups: [[{ kind: 'create' }], [{ kind: 'create' }], [{ kind: 'create' }]] },
  ...[0, 1, 2].map((token) => ({
    do: 'block' as const,
    groups: TRADES.map((group) => group.map((buy) => ({ ...buy, token }))),
  })),
  { do: 'finalize', blocks: 9 },
  { do: 'book' },
];

describe('the indexer on a chain with reorgs', () => {
  const { follow } = useFollowingIndexer();

  it('shows exactly the confirmed chain, and ends with exactly the finalized one, after any sequence of events', async function () {
    this.timeout(RUNS * 5_000);
    let previews = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 5, maxLength: 40, size: 'max' }),
        fc.boolean(),
        fc.boolean(),
        async (steps, isStrict, isTraded) => {
          previews += await follow([...(isTraded ? TRADED : []), ...steps], isStrict);
        },
      ),
      { numRuns: RUNS },
    );
    expect(previews).to.be.above(0);
  });

  it('drops a confirmed trade that a reorg removes', async () => {
    const previews = await follow([
      { do: 'book' },
      { do: 'block', groups: [[{ kind: 'create' }], [{ kind: 'buy', token: 0, lamports: SOL }]] },
      { do: 'finalize', blocks: 9 },
      { do: 'block', groups: [[{ kind: 'buy', token: 0, lamports: 2n * SOL }]] },
      { do: 'preview' },
      { do: 'fork', depth: 1, pattern: 0 },
      { do: 'block', groups: [[{ kind: 'buy', token: 0, lamports: 3n * SOL }]] },
      { do: 'preview' },
    ]);
    expect(previews).to.equal(3);
  });

  it('drops a token whose creation a reorg removes, with its trades and its migration', async () => {
    const previews = await follow([
      { do: 'book' },
      { do: 'block', groups: [[{ kind: 'create' }]] },
      { do: 'block', groups: [[{ kind: 'buy', token: 0, lamports: 400n * SOL }]] },
      { do: 'block', groups: [[{ kind: 'migrate', token: 0 }]] },
      { do: 'preview' },
      { do: 'fork', depth: 3, pattern: 0 },
      { do: 'block', groups: [[{ kind: 'create' }]] },
      { do: 'preview' },
    ]);
    expect(previews).to.equal(3);
  });

  it('credits no share of a fee twice when the chain is read again or a backup is restored, and none of a trade that a reorg removes', async () => {
    const previews = await follow([
      ...TRADED,
      { do: 'restart' },
      { do: 'backup' },
      { do: 'fees', lamports: SOL },
      { do: 'claim', which: 0, end: 'COMPLETED' },
      { do: 'claim', which: 0, end: 'COMPLETED' },
      { do: 'block', groups: TRADES },
      { do: 'preview' },
      { do: 'reindex' },
      { do: 'book' },
      { do: 'preview' },
      { do: 'fork', depth: 1, pattern: 0 },
      { do: 'block', groups: TRADES },
      { do: 'preview' },
      { do: 'restore' },
      { do: 'preview' },
    ]);
    expect(previews).to.equal(5);
  });
});
