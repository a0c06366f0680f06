import type { Connection } from '@solana/web3.js';
import type { Config } from '../../config/config.js';
import { hostOf } from '../../chain/node-request.js';
import { failure, ok, reasonOf, warning, type Finding } from './finding.js';

/** Slots between two requests, or between two healthy nodes. */
const MOST_BEHIND = 32;

/** The gRPC feed answers with its token, and is at the tip of the RPC node's chain. */
export async function checkFeed({
  config: { yellowstone },
  connection,
}: {
  readonly config: Pick<Config, 'yellowstone'>;
  readonly connection: Pick<Connection, 'getSlot'>;
}): Promise<Finding[]> {
  if (yellowstone === undefined) return [];
  const subject = 'gRPC feed';
  try {
    const { feedSlot } = await import('../../index/feed/connection.js');
    const [slot, tip] = await Promise.all([feedSlot(yellowstone), connection.getSlot('confirmed')]);
    const behind = tip - slot;
    if (Math.abs(behind) <= MOST_BEHIND)
      return [ok(subject, `${hostOf(yellowstone.url)} is at the tip of the chain`)];
    return [
      warning(
        subject,
        `${hostOf(yellowstone.url)} is ${Math.abs(behind)} slots ${behind > 0 ? 'behind' : 'ahead of'} the RPC node`,
        'use a feed and an RPC node of the same cluster that both keep up; until then the RPC node is asked for every transaction',
        'FeedDown',
      ),
    ];
  } catch (error) {
    return [
      failure(
        subject,
        `${hostOf(yellowstone.url)}: ${reasonOf(error)}`,
        'correct YELLOWSTONE_URL and YELLOWSTONE_TOKEN, or remove them; until then the RPC node is asked for every transaction',
        'FeedDown',
      ),
    ];
  }
}
