// The time from the node's notification until the feed delivers the record to a bot.
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@solana/web3.js';
import { openFeed } from '@curvekit/sdk/feed';
import { startLocalCluster, type LocalCluster } from '@curvekit/testing';
import { renderTable } from '#app/cli/table.js';
import { buyTokens, launch } from '#tests/program/tokens.js';
import { describeMachine, observeMachine, type Machine } from './machine.js';
import { runBench } from './run-bench.js';
import { spreadOf, type Spread } from './statistics.js';

const TRADES = 200;
/** The first trades do not count, because V8 still compiles. */
const WARM_UP = 20;
const TRADE_LAMPORTS = 10_000_000n;
const WALLET_LAMPORTS = 100_000_000_000n;
const PAUSE_MS = 10;
const GIVE_UP_MS = 30_000;
const MOST_MEDIAN_MS = 20;

const HELP = `npm run bench -- feed [--json] [--check]

Makes ${TRADES} trades on Surfpool, one after the other, and measures the time from the notification on the feed's websocket until
the feed has delivered the record. Sender, reader and cluster share the machine.

  --json   one JSON document
  --check  exit code 1 when the median is above ${MOST_MEDIAN_MS} ms`;

interface Result {
  readonly machine: Machine;
  readonly trades: number;
  /** Milliseconds from the notification to the record. */
  readonly lagMs: Spread;
  readonly limitMs: number;
}

runBench({
  help: HELP,
  measure,
  table: tableOf,
  problems: ({ lagMs, limitMs }) =>
    lagMs.median <= limitMs
      ? []
      : [
          `a record comes ${lagMs.median} ms after its notification (median), above the limit of ${limitMs} ms`,
        ],
});

async function measure(): Promise<Result> {
  const conditions = observeMachine();
  const cluster = await startLocalCluster({ backend: 'surfpool' });
  try {
    const lags = await lagsOn(cluster);
    return { machine: conditions(), trades: TRADES, lagMs: spreadOf(lags), limitMs: MOST_MEDIAN_MS };
  } finally {
    await cluster.stop();
  }
}

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

function tableOf({ machine, trades, lagMs, limitMs }: Result): string {
  const { median, min, max } = lagMs;
  const table = renderTable(
    [
      { title: 'from the notification to the record' },
      { title: 'measured', align: 'right' },
      { title: 'limit', align: 'right' },
    ],
    [
      { cells: ['median', `${median} ms`, `${limitMs} ms`] },
      { cells: ['fastest', `${min} ms`, ''] },
      { cells: ['slowest', `${max} ms`, ''] },
    ],
  );
  return `${trades} trades\n\n${table}\n\n${describeMachine(machine)}`;
}
