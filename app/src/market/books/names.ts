// Folds names and symbols, so that those that look the same have the same key.
import { isVisible } from '@curvekit/sdk';
import { sql } from 'drizzle-orm';
import { preparedRows, column, insertRows } from '../../db/statements.js';
import { statement, type Executor, type Transaction } from '../../db/database.js';
import TABLE from './generated/confusables.json' with { type: 'json' };
import type { tokens } from '../../db/schema/index.js';
import type { Context } from '../../context.js';
import { repeatedJob, type Job } from '../../db/jobs/leader-job.js';

/** Changes with the rule below, and with Unicode's table of confusable characters (UTS 39). */
const VERSION = `${TABLE.version}, rule 1`;
const PROTOTYPES = new Map(
  Object.entries(TABLE.alike).flatMap(([prototype, alike]) => [...alike].map((one) => [one, prototype])),
);
/** A token has one key or two for its name, and as many for its symbol. */
const AT_ONCE = 1_000;
/** Others are counted up to this number. */
export const MOST_SAME = 100;

type Named = Pick<typeof tokens.$inferSelect, 'mint' | 'name' | 'symbol'>;

/**
 * The keys of a text. Unicode's table keeps case and has look-alikes for one case only (Cyrillic "Т" is a "T", its "т" is not a
 * "t"), so the text is folded in both cases. Two texts look the same when they share a key.
 */
function foldsOf(text: string): string[] {
  if (!isVisible(text)) return [];
  const plain = withoutMarks(text.normalize('NFKC'));
  return [...new Set([folded(plain.toLowerCase()), folded(plain.toUpperCase())])];
}

function folded(text: string): string {
  return withoutMarks(
    [...withoutMarks(text)].map((one) => PROTOTYPES.get(one) ?? one).join(''),
  ).toLowerCase();
}

/** Without accents, strokes, invisible characters and spaces. */
function withoutMarks(text: string): string {
  return text.normalize('NFKD').replace(/[\p{M}\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu, '');
}

function keysOf({ name, symbol }: Pick<Named, 'name' | 'symbol'>): string[] {
  const keys = [...foldsOf(name).map((fold) => `n:${fold}`), ...foldsOf(symbol).map((fold) => `s:${fold}`)];
  // A token without a visible letter has a key too: it is not folded again and again.
  return keys.length === 0 ? ['-'] : keys;
}

export async function bookNames(tx: Transaction, tokens: readonly Named[]): Promise<void> {
  const rows = tokens.flatMap((token) => keysOf(token).map((key) => ({ key, mint: token.mint })));
  await insertRows(
    tx,
    'token_names',
    rows,
    {
      key: ['text', ({ key }) => key],
      mint: ['text', ({ mint }) => mint],
      version: ['text', () => VERSION],
    },
    sql`on conflict (key, mint) do update set version = excluded.version`,
  );
}

/**
 * Folds the next tokens that have no key of the current version. Keys of earlier versions stay, and do not count.
 *
 * @param after the record of the last token that was looked at; `0` at first
 * @returns the record to go on from; undefined when these were the last tokens
 */
async function foldNames(tx: Transaction, after: string): Promise<string | undefined> {
  // A scalar subquery, which the planner does not turn into a scan of the table.
  const tokens = await statement<
    Record<'mint' | 'name' | 'symbol' | 'id', string> & { version: string | null }
  >(tx)`
    select mint, name, symbol, record_id::text as id,
      (select n.version from token_names n where n.mint = t.mint and n.version = ${VERSION} limit 1) as version
    from tokens t where record_id > ${after}::bigint order by record_id limit ${AT_ONCE}`;
  await bookNames(
    tx,
    tokens.filter(({ version }) => version === null),
  );
  return tokens.length < AT_ONCE ? undefined : tokens.at(-1)?.id;
}

/** How many tokens have the same name, and the same symbol, or one that looks the same. At most {@link MOST_SAME} of each. */
export async function sameNames(
  db: Executor,
  { name, symbol, mint = '' }: { readonly name: string; readonly symbol: string; readonly mint?: string },
): Promise<{ readonly names: number; readonly symbols: number }> {
  const keys = (prefix: string, text: string) =>
    column(
      foldsOf(text).map((fold) => `${prefix}:${fold}`),
      'text',
    );
  const counted = (of: ReturnType<typeof keys>) => sql`(select count(*)::integer from (
      select distinct n.mint from token_names n where n.key = any(${of}) and n.version = ${VERSION} and n.mint <> ${mint}
        and not exists (select 1 from hidden_tokens h where h.mint = n.mint) limit ${MOST_SAME}
    ) same)`;
  const [row] = await preparedRows<{ names: number; symbols: number }>(
    db,
    sql`select ${counted(keys('n', name))} as names, ${counted(keys('s', symbol))} as symbols`,
  );
  return row!;
}

const INTERVAL_MS = 60 * 60_000;

/** Folds the names that an earlier version has not, or has folded by another table. */
export function createNamesJob(context: Context): Job {
  return repeatedJob('token-names', context, INTERVAL_MS, async (leading, step, signal) => {
    let after: string | undefined = '0';
    while (after !== undefined && !signal.aborted) {
      const from: string = after;
      after = await step(() => leading.transaction((tx) => foldNames(tx, from)));
    }
  });
}

// Search terms of a token: its symbol, and its name from the start of each word, and both from each letter inside.

/** Normalizes text for searching: compatible characters, lower case, and one space for each run of other signs. */
export function searchable(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Extended_Pictographic}]+/gu, ' ')
    .trim();
}

/** Begins a term that starts inside a word. No searchable text contains it. */
export const INSIDE = '~';
/** Fewer letters are inside nearly every name. */
export const LEAST_INSIDE = 3;

/** The name from the start of each word, the symbol, and both from each letter that {@link LEAST_INSIDE} follow with itself. */
export function termsOf(name: string, symbol: string): string[] {
  const words = searchable(name).split(' ');
  const starts = words.map((_, index) => words.slice(index).join(' '));
  const inside = [searchable(name), searchable(symbol)].flatMap((text) => {
    const letters = [...text];
    return letters.flatMap((letter, index) =>
      index > 0 && index <= letters.length - LEAST_INSIDE && letter !== ' ' && letters[index - 1] !== ' '
        ? [INSIDE + letters.slice(index).join('')]
        : [],
    );
  });
  return [...new Set([...starts, searchable(symbol), ...inside])].filter((term) => term !== '');
}
