// Lighthouse scores of the board and a token's page on a slow phone.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LocalCluster } from '@curvekit/testing';
import { CHROMIUM_ARGS } from '#tests/browser/chromium.js';
import { chromiumPath } from '#tests/browser/chromium-path.js';
import { buyTokens, launch } from '#tests/program/tokens.js';
import { eventually } from '#tests/service/service.js';
import { withPageService } from './service.js';
import { whole } from '../driver/options.js';
import { numberColumns, say, scenario, type Figures } from '../driver/scenario.js';
import type { Stage } from '../driver/stage.js';
import { percentile } from '../driver/statistics.js';

/** Fetched when the bench runs, because it has 185 MB. Version 13 needs a newer Node than Curvekit. */
const LIGHTHOUSE = 'lighthouse@12';
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
/** The minimum performance score of each page. The other categories must be 100. */
const LEAST_PERFORMANCE: Readonly<Record<string, number>> = { board: 95, token: 90 };
const TOKENS = 6;
const TRADES = 4;
const TRADE_LAMPORTS = 50_000_000n;
const WALLET_LAMPORTS = 100_000_000_000n;
const RUNS = 3;
const RUN_TIMEOUT_MS = 180_000;

type Scores = Readonly<Record<(typeof CATEGORIES)[number], number>>;

interface Report {
  readonly scores: Scores;
  readonly lcpMs: number;
  readonly blockingMs: number;
  readonly cls: number;
  /** Audits below the full score, in the categories that must be 100. */
  readonly faults: readonly string[];
}

interface Result {
  /** Reports of each page, by run. */
  readonly pages: Readonly<Record<string, readonly Report[]>>;
}

interface Context {
  readonly cluster: LocalCluster;
  readonly url: string;
  readonly folder: string;
}

scenario('lighthouse', {
  about: `Runs ${LIGHTHOUSE} (fetched by npm for this run) in Debian's Chromium, with its default profile of a slow phone, on the board with
${TOKENS} tokens and on a token's page. A real service with PostgreSQL and a local cluster on this machine serves both.`,
  options: { runs: whole(RUNS, `runs for each page; the median counts (${RUNS})`) },
  fails: `the board's performance is below ${LEAST_PERFORMANCE['board']}, the token's below ${LEAST_PERFORMANCE['token']}, or another category\nbelow 100`,
  setup,
  load: measure,
  figures,
  problems: problemsOf,
});

async function setup(stage: Stage): Promise<Context> {
  say('starting a cluster and PostgreSQL');
  const cluster = await stage.cluster();
  const postgres = await stage.postgres();
  const folder = await mkdtemp(join(tmpdir(), 'curvekit-lighthouse-'));
  stage.later(() => rm(folder, { recursive: true, force: true }));
  return { cluster, folder, url: await postgres.createDatabase() };
}

function measure({ cluster, url, folder }: Context, { runs }: { readonly runs: number }): Promise<Result> {
  return withPageService({ cluster, url }, 'on', async (service) => {
    const wallet = await cluster.fundedWallet(WALLET_LAMPORTS);
    let path = '';
    let last = '';
    for (let index = 1; index <= TOKENS; index += 1) {
      const token = await launch(cluster, { name: `Busy Bee ${index}`, symbol: `BEE${index}` });
      for (let trade = 0; trade < TRADES; trade += 1)
        last = (await buyTokens(cluster, token, wallet, TRADE_LAMPORTS)).signature;
      path = token.mint.toBase58();
    }
    const trades = `${service.url}/v1/market/tokens/${path}/trades`;
    const isIndexed = async () => (await (await fetch(trades)).text()).includes(last);
    await eventually(isIndexed, 'the last trade in the index');
    const pages: Record<string, Report[]> = { board: [], token: [] };
    for (let run = 1; run <= runs; run += 1) {
      for (const [name, page] of Object.entries({ board: service.url, token: `${service.url}/t/${path}` })) {
        say(`${name}, run ${run} of ${runs}`);
        pages[name]!.push(await audit(page, join(folder, `${name}-${run}.json`)));
      }
    }
    return { pages };
  });
}

interface Audit {
  readonly score: number | null;
  readonly numericValue?: number;
  readonly title: string;
}

interface LighthouseJson {
  readonly audits: Readonly<Record<string, Audit>>;
  readonly categories: Readonly<
    Record<
      string,
      {
        readonly score: number;
        readonly auditRefs: readonly { readonly id: string; readonly weight: number }[];
      }
    >
  >;
}

async function audit(url: string, file: string): Promise<Report> {
  const flags = [
    ...[url, '--quiet', '--output=json', `--output-path=${file}`],
    `--only-categories=${CATEGORIES.join()}`,
    `--chrome-flags=--headless=new ${CHROMIUM_ARGS.join(' ')}`,
  ];
  const command = ['exec', '--yes', `--package=${LIGHTHOUSE}`, '--', 'lighthouse', ...flags];
  await promisify(execFile)('npm', command, {
    env: { ...process.env, CHROME_PATH: chromiumPath() },
    timeout: RUN_TIMEOUT_MS,
  });
  const { audits, categories } = JSON.parse(await readFile(file, 'utf8')) as LighthouseJson;
  const scores = Object.fromEntries(
    CATEGORIES.map((name) => [name, Math.round((categories[name]?.score ?? 0) * 100)]),
  ) as unknown as Scores;
  const numberOf = (name: string) => audits[name]?.numericValue ?? NaN;
  const faults = CATEGORIES.slice(1).flatMap((name) =>
    (categories[name]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => `${name}: ${audits[id]?.title ?? id}`),
  );
  return {
    scores,
    lcpMs: numberOf('largest-contentful-paint'),
    blockingMs: numberOf('total-blocking-time'),
    cls: numberOf('cumulative-layout-shift'),
    faults,
  };
}

function medianOf(reports: readonly Report[], read: (report: Report) => number): number {
  return percentile(reports.map(read), 0.5) ?? NaN;
}

function figures({ pages }: Result): Figures {
  const faults = new Set(
    Object.values(pages).flatMap((reports) => reports.flatMap((report) => report.faults)),
  );
  return {
    columns: numberColumns(
      '',
      ...CATEGORIES.map((title) => [title] as const),
      ...[['LCP', 'ms'] as const, ['blocked', 'ms'] as const, ['CLS'] as const],
    ),
    rows: Object.entries(pages).map(([name, reports]) => ({
      cells: [
        name,
        ...CATEGORIES.map((category) => medianOf(reports, ({ scores }) => scores[category]).toFixed(0)),
        medianOf(reports, ({ lcpMs }) => lcpMs).toFixed(0),
        medianOf(reports, ({ blockingMs }) => blockingMs).toFixed(0),
        medianOf(reports, ({ cls }) => cls).toFixed(3),
      ],
    })),
    notes: [...faults, `${LIGHTHOUSE}, medians`],
  };
}

function problemsOf({ pages }: Result): string[] {
  return Object.entries(pages).flatMap(([name, reports]) =>
    CATEGORIES.flatMap((category) => {
      const score = medianOf(reports, ({ scores }) => scores[category]);
      const least = category === 'performance' ? LEAST_PERFORMANCE[name]! : 100;
      return score < least ? [`${name}: ${category} is ${score}, below ${least}`] : [];
    }),
  );
}
