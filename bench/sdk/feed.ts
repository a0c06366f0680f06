// The time from the node's notification until the feed delivers the record to a bot.
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@solana/web3.js';
import { openFeed } from '@curvekit/sdk/feed';
import type { LocalCluster } from '@curvekit/testing';
import { buyTokens, launch } from '#tests/program/tokens.js';
import { numberColumns, scenario, type Figures } from '../driver/scenario.js';
import { spreadOf, type Spread } from '../driver/statistics.js';

const TRADES = 200;
/** The first trades do not count, because V8 still compiles. */
const WARM_UP = 20;
const TRADE_LAMPORTS = 10_000_000n;
const WALLET_LAMPORTS = 100_000_000_000n;
const PAUSE_MS = 10;
const GIVE_UP_MS = 30_000;
const MOST_MEDIAN_MS = 20;

interface Result {
  readonly trades: number;
  /** Milliseconds from the notification to the record. */
  readonly lagMs: Spread;
  readonly limitMs: number;
}

scenario('feed', {
  about: `Makes ${TRADES} trades on Surfpool, one after the other, and measures the time from the notification on the feed's websocket until
the feed has delivered the record. Sender, reader and cluster share the machine.`,
  fails: `the median is above ${MOST_MEDIAN_MS} ms`,
  setup: (stage) => stage.cluster(),
  load: async (cluster): Promise<Result> => ({
    trades: TRADES,
    lagMs: spreadOf(await lagsOn(cluster)),
    limitMs: MOST_MEDIAN_MS,
  }),
  figures,
  problems: ({ lagMs, limitMs }) =>
    lagMs.median <= limitMs
      ? []
      : [
          `a record comes ${lagMs.median} ms after its notification (median), above the limit of ${limitMs} ms`,
        ],
});

async function lagsOn(cluster: LocalCluster): Promise<number[]> {
  const wallet = await cluster.fundedWallet(WALLET_LAMPORTS);
  const token = await launch(cluster);
  const connection = new Connection(cluster.rpcUrl, { commitment: 'confirmed', wsEndpoint: cluster.wsUrl });
  const notifiedAt = new Map<string, number>();
  // web3.js combines this subscription and the feed's into one.
  const listener = connection.onLogs(cluster.programId, ({ signature }) =>
    notifiedAt.set(signature, performance.now()),
  );
  const feed = openFeed(connection, { kinds: ['trade'] });
  await feed.ready;
  // Wait until the websocket is open.
  await sleep(500);
  const deliveredAt = new Map<string, number>();
  const reading = (async () => {
    for await (const event of feed) {
      if (event.type !== 'records') continue;
      for (const { signature } of event.records) deliveredAt.set(signature, performance.now());
      if (deliveredAt.size === WARM_UP + TRADES) return;
    }
  })();
  for (let sent = 0; sent < WARM_UP + TRADES; sent += 1) {
    await buyTokens(cluster, token, wallet, TRADE_LAMPORTS);
    await sleep(PAUSE_MS);
  }
  const givingUp = setTimeout(() => feed.close(), GIVE_UP_MS);
  await reading;
  clearTimeout(givingUp);
  // The feed may have the last record before this listener has its notification.
  await sleep(500);
  await connection.removeOnLogsListener(listener);
  // web3.js closes an idle websocket after half a second. Without this pause it would try to reconnect forever.
  await sleep(1_000);
  const lags = [...deliveredAt].map(([signature, at]) => at - (notifiedAt.get(signature) ?? NaN));
  if (lags.length < WARM_UP + TRADES || lags.some(Number.isNaN))
    throw new Error(
      `${deliveredAt.size} records and ${notifiedAt.size} notifications came of ${WARM_UP + TRADES} trades`,
    );
  return lags.slice(WARM_UP).map((lag) => Math.round(lag * 10) / 10);
}

function figures({ trades, lagMs: { median, min, max }, limitMs }: Result): Figures {
  return {
    title: `${trades} trades`,
    columns: numberColumns('from the notification to the record', ['measured'], ['limit']),
    rows: [
      { cells: ['median', `${median} ms`, `${limitMs} ms`] },
      { cells: ['fastest', `${min} ms`, ''] },
      { cells: ['slowest', `${max} ms`, ''] },
    ],
  };
}
