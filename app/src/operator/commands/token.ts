import type { Command } from 'commander';
import { CurveStatus, formatPrice, graduationProgress, marketCap, priceOf } from '@curvekit/sdk';
import { and, desc, eq } from 'drizzle-orm';
import { CommandError, work, type Registration, type Invocation, type Result } from '../command.js';
import { address, wholeNumber } from '../values.js';
import { withDatabase } from '../session.js';
import {
  clusterTime,
  facts,
  grouped,
  percent,
  plain,
  right,
  shares,
  sol,
  tableOr,
  tokens,
} from '../format.js';
import type { Database, Executor } from '../../db/database.js';
import { sumVolume, type VolumeSums } from '../../ledger/balances.js';
import {
  curveStates,
  hiddenTokens,
  tasks,
  tokenMetadata,
  tokens as tokenRows,
} from '../../db/schema/index.js';
import { fetching } from '../../tokens/metadata/metadata-job.js';
import { always } from '../../db/retries/tasks.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 10_000;

export function register(group: Command, registration: Registration): void {
  const list = group
    .command('list')
    .description('tokens, the newest first')
    .option('--limit <count>', 'how many at most', wholeNumber(1, MAX_LIMIT), DEFAULT_LIMIT);
  work(list, registration, runTokenList);

  const ofToken = (name: string, description: string) =>
    group.command(name).description(description).argument('<mint>', 'address of the token', address);
  work(
    ofToken('show', 'one token: its terms, its curve, the totals of its trades'),
    registration,
    runTokenShow,
  );
  work(ofToken('refetch', "fetch a token's metadata and picture again now"), registration, runTokenRefetch);
  const hide = ofToken(
    'hide',
    'hide what the creator of a token chose: it leaves the board and has no name and no picture; trading goes on',
  ).option('--reason <text>', 'why, for the operators', 'not given');
  work(hide, registration, runTokenHide);
  work(ofToken('unhide', 'show a token again'), registration, runTokenUnhide);
}

const BPS = 10_000;

async function runTokenList({ options, terminal }: Invocation<{ readonly limit: number }>): Promise<Result> {
  const found = await withDatabase(terminal, ({ queries }) => listTokens(queries, options.limit));
  return { document: { tokens: found }, text: tokenTable(found) };
}

async function runTokenShow({ args: [mint = ''], terminal }: Invocation<object>): Promise<Result> {
  const [found, volume] = await withDatabase(terminal, ({ queries }) =>
    Promise.all([findToken(queries, mint), sumVolume(queries, mint)]),
  );
  if (found === undefined) throw notIndexed(mint);
  return { document: { ...found, volume }, text: tokenFacts(found, volume) };
}

async function runTokenHide({
  args: [mint = ''],
  options: { reason },
  terminal,
}: Invocation<{ readonly reason: string }>): Promise<Result> {
  const isNew = await withDatabase(terminal, (database) => hideToken(database, mint, reason));
  const text = isNew ? `${mint} is hidden from now on.` : `${mint} was hidden before; the reason is noted.`;
  return { document: { mint, hidden: true, reason }, text };
}

async function runTokenUnhide({ args: [mint = ''], terminal }: Invocation<object>): Promise<Result> {
  if (!(await withDatabase(terminal, (database) => unhideToken(database, mint))))
    throw new CommandError(`the token ${mint} is not hidden; \`curvekit token show ${mint}\` shows it`);
  return { document: { mint, hidden: false }, text: `${mint} is shown again.` };
}

async function runTokenRefetch({ args: [mint = ''], terminal }: Invocation<object>): Promise<Result> {
  const state = await withDatabase(terminal, (database) => refetchToken(database, mint));
  if (state === 'unknown') throw notIndexed(mint);
  const text = `The running service fetches the metadata of ${mint} within seconds; \`curvekit token show ${mint}\` shows the result.`;
  return { document: { mint, state }, text };
}

function notIndexed(mint: string): CommandError {
  return new CommandError(
    `the token ${mint} is not indexed; \`curvekit token list\` shows those that are, \`curvekit doctor\` whether the indexer is behind`,
  );
}

function tokenTable(found: readonly ListedToken[]): string {
  return tableOr(
    'No token is indexed yet.',
    [
      'mint',
      'symbol',
      'state',
      right('price', 'SOL'),
      right('progress', '%'),
      right('trades'),
      right('fees', 'SOL'),
      { title: 'created', unit: 'UTC' },
    ],
    found.map(({ token, curve }) => [
      token.mint,
      plain(token.symbol),
      stateOf(curve.status),
      formatPrice(priceOf(curve)),
      progress({ token, curve }),
      grouped(curve.buys + curve.sells),
      sol(curve.fees),
      clusterTime(token.createdAt),
    ]),
  );
}

function tokenFacts({ token, curve, metadata, hidden }: FoundToken, volume: VolumeSums): string {
  const creatorBps = BPS - token.burnBps - token.holdersBps - token.lpBps;
  return facts([
    ['mint', token.mint],
    ['name', plain(`${token.name} (${token.symbol})`)],
    ['creator', token.creator],
    ['metadata', plain(token.uri)],
    [
      'image',
      metadata === null
        ? 'not fetched yet'
        : plain(
            metadata.image ||
              (metadata.picture === null
                ? `none (${metadata.problem ?? 'the JSON names none'})`
                : 'in the JSON itself'),
          ),
    ],
    ['picture', pictureOf(metadata)],
    ['hidden', hidden === null ? 'no' : `since ${hidden.hiddenAt.toISOString()}: ${plain(hidden.reason)}`],
    ['created', `${clusterTime(token.createdAt)} UTC`],
    ['curve', token.curve],
    ['state', stateOf(curve.status)],
    ['price', `${formatPrice(priceOf(curve))} SOL`],
    ['market cap', `${sol(marketCap(curve))} SOL`],
    ['progress', `${progress({ token, curve })} % of the way to graduation`],
    ['reserves', `${sol(curve.virtualSol)} SOL, ${tokens(curve.virtualToken)} tokens (virtual)`],
    ['buys', `${grouped(curve.buys)} for ${sol(curve.solPaid)} SOL, ${tokens(curve.tokensBought)} tokens`],
    [
      'sells',
      `${grouped(curve.sells)} for ${sol(curve.solReceived)} SOL, ${tokens(curve.tokensSold)} tokens`,
    ],
    ['platform fees', `${sol(curve.fees)} SOL (${percent(token.platformFeeBps)} % at creation)`],
    ['of these', shares(volume)],
    ['after migration', `${percent(token.afterMigrationFeeBps)} % to the community`],
    [
      'of that',
      `${percent(token.burnBps)} % burned, ${percent(token.holdersBps)} % to holders, ${percent(token.lpBps)} % to liquidity, ${percent(creatorBps)} % to the creator`,
    ],
    ['last record', `${clusterTime(curve.updatedAt)} UTC`],
  ]);
}

function pictureOf(metadata: FoundToken['metadata']): string {
  if (metadata === null) return 'not fetched yet';
  const { picture, pictureProblem, retryAt } = metadata;
  const again = retryAt === null ? '' : `; fetched again at ${retryAt.toISOString()}`;
  const missing = pictureProblem === null ? 'none' : `none (${plain(pictureProblem)})`;
  return (picture ?? missing) + again;
}

function progress({ token, curve }: Pick<FoundToken, 'token' | 'curve'>): string {
  return percent(graduationProgress(curve.virtualToken, token.initialVirtualToken).progressBps);
}

function stateOf(status: number): string {
  const names: Readonly<Record<number, string>> = {
    [CurveStatus.Trading]: 'trading',
    [CurveStatus.Finalized]: 'graduated',
    [CurveStatus.Migrated]: 'migrated',
  };
  return names[status] ?? `status ${status}`;
}

/** Tokens with the state of their curves, newest first. */
function listTokens(db: Executor, limit: number) {
  return db
    .select({ token: tokenRows, curve: curveStates })
    .from(tokenRows)
    .innerJoin(curveStates, eq(curveStates.mint, tokenRows.mint))
    .orderBy(desc(tokenRows.recordId))
    .limit(limit);
}

/** A token with the state of its curve and its metadata, if fetched. */
async function findToken(db: Executor, mint: string) {
  const [found] = await db
    .select({
      ...{ token: tokenRows, curve: curveStates, metadata: tokenMetadata, hidden: hiddenTokens },
      ...{ failures: tasks.attempts, retryAt: tasks.dueAt },
    })
    .from(tokenRows)
    .innerJoin(curveStates, eq(curveStates.mint, tokenRows.mint))
    .leftJoin(tokenMetadata, eq(tokenMetadata.mint, tokenRows.mint))
    .leftJoin(hiddenTokens, eq(hiddenTokens.mint, tokenRows.mint))
    .leftJoin(tasks, and(eq(tasks.kind, 'metadata'), eq(tasks.subject, tokenRows.mint)))
    .where(eq(tokenRows.mint, mint));
  if (found === undefined) return undefined;
  const { failures, retryAt, metadata, ...rest } = found;
  return { ...rest, metadata: metadata && { ...metadata, failures: failures ?? 0, retryAt } };
}

/** Has the running service fetch a token's metadata again, as if for the first time. @returns what became of the wish */
export function refetchToken(
  database: Database,
  mint: string,
): Promise<'unknown' | 'not fetched yet' | 'due'> {
  return database.transaction(async (tx) => {
    const fetched = await tx
      .select({ mint: tokenMetadata.mint })
      .from(tokenMetadata)
      .where(eq(tokenMetadata.mint, mint));
    if (fetched.length > 0) {
      const wish = { subject: mint, problem: 'an operator wants it fetched again', now: Date.now() };
      await fetching.postpone(tx, { ...wish, pauses: always(0), isResting: true });
      return 'due';
    }
    const known = await tx.select({ mint: tokenRows.mint }).from(tokenRows).where(eq(tokenRows.mint, mint));
    return known.length > 0 ? 'not fetched yet' : 'unknown';
  });
}

/** Hides a token, also one that is not indexed yet. @returns whether it was shown before */
function hideToken(database: Database, mint: string, reason: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const added = await tx
      .insert(hiddenTokens)
      .values({ mint, reason })
      .onConflictDoNothing()
      .returning({ mint: hiddenTokens.mint });
    if (added.length === 0) await tx.update(hiddenTokens).set({ reason }).where(eq(hiddenTokens.mint, mint));
    return added.length > 0;
  });
}

/** @returns whether the token was hidden */
function unhideToken(database: Database, mint: string): Promise<boolean> {
  return database.transaction(async (tx) => {
    const removed = await tx
      .delete(hiddenTokens)
      .where(eq(hiddenTokens.mint, mint))
      .returning({ mint: hiddenTokens.mint });
    return removed.length > 0;
  });
}

type ListedToken = Awaited<ReturnType<typeof listTokens>>[number];
type FoundToken = NonNullable<Awaited<ReturnType<typeof findToken>>>;
