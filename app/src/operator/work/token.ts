import { CurveStatus, formatPrice, graduationProgress, marketCap, priceOf } from '@curvekit/sdk';
import type { Invocation, Result } from '../command.js';
import { withDatabase } from '../database.js';
import { CommandError } from '../errors.js';
import { clusterTime, facts, grouped, percent, plain, sol, tableOr, tokens } from '../format.js';
import {
  findToken,
  hideToken,
  listTokens,
  refetchToken,
  unhideToken,
  type FoundToken,
  type ListedToken,
} from '../token-queries.js';

const BPS = 10_000;

export async function runTokenList({
  options,
  terminal,
}: Invocation<{ readonly limit: number }>): Promise<Result> {
  const found = await withDatabase(terminal, ({ queries }) => listTokens(queries, options.limit));
  return { document: { tokens: found }, text: tokenTable(found) };
}

export async function runTokenShow({ args: [mint = ''], terminal }: Invocation<object>): Promise<Result> {
  const found = await withDatabase(terminal, ({ queries }) => findToken(queries, mint));
  if (found === undefined) throw notIndexed(mint);
  return { document: found, text: tokenFacts(found) };
}

export async function runTokenHide({
  args: [mint = ''],
  options: { reason },
  terminal,
}: Invocation<{ readonly reason: string }>): Promise<Result> {
  const isNew = await withDatabase(terminal, (database) => hideToken(database, mint, reason));
  const text = isNew ? `${mint} is hidden from now on.` : `${mint} was hidden before; the reason is noted.`;
  return { document: { mint, hidden: true, reason }, text };
}

export async function runTokenUnhide({ args: [mint = ''], terminal }: Invocation<object>): Promise<Result> {
  if (!(await withDatabase(terminal, (database) => unhideToken(database, mint))))
    throw new CommandError(`the token ${mint} is not hidden; \`curvekit token show ${mint}\` shows it`);
  return { document: { mint, hidden: false }, text: `${mint} is shown again.` };
}

export async function runTokenRefetch({ args: [mint = ''], terminal }: Invocation<object>): Promise<Result> {
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
      { title: 'mint' },
      { title: 'symbol' },
      { title: 'state' },
      { title: 'price', unit: 'SOL', align: 'right' },
      { title: 'progress', unit: '%', align: 'right' },
      { title: 'trades', align: 'right' },
      { title: 'fees', unit: 'SOL', align: 'right' },
      { title: 'created', unit: 'UTC' },
    ],
    found.map(({ token, curve }) => ({
      cells: [
        token.mint,
        plain(token.symbol),
        stateOf(curve.status),
        formatPrice(priceOf(curve)),
        progress({ token, curve }),
        grouped(curve.buys + curve.sells),
        sol(curve.fees),
        clusterTime(token.createdAt),
      ],
    })),
  );
}

function tokenFacts({ token, curve, metadata, hidden }: FoundToken): string {
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
