// The status of a claim, as the Rewards Claiming API tells it: by finalized blocks, through a network that fails.
import { textResponse } from './faulty-node.js';
import { VALID_BLOCKS } from './model-chain.js';
import type { World } from './schedules.js';

const MESSAGES = { IN_PROGRESS: 'in progress', COMPLETED: 'paid', FAILED: 'failed', EXPIRED: 'expired' };

/** A fetch for the client of the API. Call it when the claim's transaction is signed. */
export function claimStatusFetch({ chain, random, time }: World): typeof fetch {
  const lastValid = chain.slot + VALID_BLOCKS;
  const status = (signature: string): keyof typeof MESSAGES => {
    const landed = chain.look(signature, chain.slot);
    if (landed?.commitment === 'finalized') return landed.err === null ? 'COMPLETED' : 'FAILED';
    return landed === undefined && chain.finalized(chain.slot) > lastValid ? 'EXPIRED' : 'IN_PROGRESS';
  };
  return (async (url: string) => {
    await time.sleep(random.between(1, 100));
    if (random.chance(0.1)) throw new TypeError('fetch failed');
    if (random.chance(0.1)) return textResponse(502, 'Bad gateway');
    if (random.chance(0.05)) await time.sleep(random.between(100, 20_000));
    const [, signature = ''] = /rewards\/([^/]+)\/status$/.exec(url) ?? [];
    const now = status(signature);
    return textResponse(200, { status: 'success', data: { status: now, message: MESSAGES[now] } });
  }) as unknown as typeof fetch;
}
