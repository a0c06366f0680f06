// What callers of trackLanding() set. tests/schedules plays the tracker on nodes that fail.
import { expect } from 'chai';
import { Backoff, trackLanding, type Landing, type TrackOptions } from '@curvekit/sdk';

const PAUSES = { firstMs: 1, longestMs: 1 };

/** Tracks a transaction. Each look returns the next of these landings, later looks the last one. */
function track(landings: readonly Landing[], options: Partial<TrackOptions> = {}) {
  const seen = { looks: 0, sendings: 0 };
  const tracked = trackLanding({
    pauses: PAUSES,
    stallTimeoutMs: 50,
    send: async () => {
      await Promise.resolve();
      seen.sendings += 1;
    },
    look: async () => {
      await Promise.resolve();
      const landing = landings[Math.min(seen.looks, landings.length - 1)]!;
      seen.looks += 1;
      return { landing, progress: 0 };
    },
    ...options,
  });
  return { tracked, seen };
}

const PENDING: Landing = { kind: 'pending' };
const EXPIRED: Landing = { kind: 'expired' };
const landed = (commitment: 'processed' | 'confirmed' | 'finalized', err: unknown = null): Landing => ({
  kind: 'landed',
  slot: 7,
  err,
  commitment,
});

describe('the landing tracker', () => {
  it('waits for the commitment', async () => {
    for (const wanted of ['processed', 'confirmed', 'finalized'] as const) {
      const path = [PENDING, landed('processed'), landed('confirmed'), landed('finalized')];
      const { tracked } = track(path, { commitment: wanted });
      expect(await tracked).to.deep.equal(landed(wanted));
    }
  });

  it('ignores an error until its block is confirmed', async () => {
    const path = [landed('processed', 'Lost'), PENDING, landed('processed')];
    expect(await track(path, { commitment: 'processed' }).tracked).to.deep.equal(landed('processed'));
    const failed = [landed('processed', 'Failed'), landed('confirmed', 'Failed')];
    const { tracked, seen } = track(failed, { commitment: 'processed' });
    expect(await tracked).to.deep.equal(landed('confirmed', 'Failed'));
    expect(seen.looks).to.equal(2);
  });

  it('sends again while there is no status, and stops once the transaction is in a block', async () => {
    const again = track([PENDING, PENDING, PENDING, EXPIRED], { resendAfterMs: 0 });
    await again.tracked;
    expect(again.seen.sendings).to.equal(4);
    const seldom = track([PENDING, PENDING, PENDING, EXPIRED], { resendAfterMs: 10_000 });
    await seldom.tracked;
    expect(seldom.seen.sendings).to.equal(1);
    const found = track([landed('processed'), landed('processed'), landed('confirmed')], {
      resendAfterMs: 0,
    });
    await found.tracked;
    expect(found.seen.sendings).to.equal(1);
  });

  it('sends nothing when it looks first and finds the transaction', async () => {
    const found = track([landed('confirmed')], { looksFirst: true });
    await found.tracked;
    expect(found.seen.sendings).to.equal(0);
    const absent = track([PENDING, landed('confirmed')], { looksFirst: true });
    await absent.tracked;
    expect(absent.seen.sendings).to.equal(1);
  });

  it('ends with an unknown outcome when the node reports nothing new until the timeout', async () => {
    const outcome = await track([PENDING]).tracked;
    expect(outcome).to.include({
      kind: 'unknown',
      reason: 'the RPC node has reported nothing new for 50 ms',
    });
  });

  it('stops earlier when a node does not answer, if the caller sets failureTimeoutMs', async () => {
    const away = new Error('away');
    const outcome = await track([], {
      stallTimeoutMs: 60_000,
      failureTimeoutMs: 100,
      look: (retry) => retry(() => Promise.reject(away)),
    }).tracked;
    expect(outcome).to.deep.equal({
      kind: 'unknown',
      reason: 'the RPC node has not answered for 100 ms',
      cause: away,
    });
  });

  it('ends with the reason of the signal', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped');
    const { tracked } = track([PENDING], { signal: stop.signal, stallTimeoutMs: 10_000 });
    setTimeout(() => stop.abort(reason), 10);
    expect(await tracked.catch((error: unknown) => error)).to.equal(reason);
  });

  it('retries a failed request, and rethrows any other error', async () => {
    let failures = 3;
    const { tracked } = track([], {
      stallTimeoutMs: 5_000,
      look: async (retry) => {
        const landing = await retry(() => {
          failures -= 1;
          return failures > 0 ? Promise.reject(new Error('away')) : Promise.resolve(landed('confirmed'));
        });
        return { landing, progress: 0 };
      },
    });
    expect(await tracked).to.deep.equal(landed('confirmed'));
    const refusal = new Error('refused');
    const refused = track([], { look: () => Promise.reject(refusal) });
    expect(await refused.tracked.catch((error: unknown) => error)).to.equal(refusal);
  });
});

describe('pauses between attempts', () => {
  const pausesOf = (backoff: Backoff) => Array.from({ length: 5 }, () => backoff.next());

  it('double up to the maximum, or grow by a given factor', () => {
    expect(pausesOf(new Backoff({ firstMs: 10, longestMs: 70 }))).to.deep.equal([10, 20, 40, 70, 70]);
    expect(pausesOf(new Backoff({ firstMs: 8, longestMs: 30, factor: 1.5 }))).to.deep.equal([
      8, 12, 18, 27, 30,
    ]);
    expect(new Backoff({ firstMs: 10, longestMs: 5 }).next()).to.equal(5);
  });
});
