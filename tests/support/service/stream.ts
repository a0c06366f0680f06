// A server of the market's stream, its readers, and events for them.
import { setTimeout as sleep } from 'node:timers/promises';
import { appendEvents, type MarketEvent } from '#app/market/stream/outbox.js';
import type { MarketTopic } from '#sdk/http/market/stream.js';
import { newAddress } from '#tests/new-address.js';
import { useDatabase } from '#tests/database/database.js';
import { startStreamServer, type StreamServer } from '#tests/service/stream-server.js';
import { Follower } from '#tests/service/stream-follower.js';

export const tradeOf = (mint: string, number: number, wallet = newAddress()): MarketEvent => ({
  type: 'trade',
  mint,
  wallet,
  data: { mint, id: String(number), trader: wallet },
});
export const updateOf = (mint: string, trades: number): MarketEvent => ({
  type: 'update',
  mint,
  data: { mint, trades },
});

/** One database and server for all tests of the surrounding `describe`. */
export function useStream() {
  const database = useDatabase();
  let server: StreamServer;
  const followers: Follower[] = [];
  const follow = async (topics: readonly MarketTopic[], url = server.url) => {
    const follower = new Follower(url, topics);
    followers.push(follower);
    await follower.untilOpen();
    return follower;
  };
  const append = (...events: readonly MarketEvent[]) =>
    database.transaction((tx) => appendEvents(tx, events));

  before(async () => (server = await startStreamServer(database)));
  afterEach(() => {
    for (const follower of followers.splice(0)) follower.close();
  });
  after(() => server.stop());

  /** Starts the server again after a moment, on the same port. */
  const restart = async () => {
    const port = Number(new URL(server.url).port);
    await server.stop();
    await sleep(200);
    server = await startStreamServer(database, {}, port);
  };

  return { database: () => database, server: () => server, followers, follow, append, restart };
}
