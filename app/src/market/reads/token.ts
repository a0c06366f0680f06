// One token with all data of its page.
import { sql } from 'drizzle-orm';
import type { Database, Executor } from '../../db/database.js';
import { preparedRows } from '../../db/statements.js';
import { idOf } from '../../index/trades/trade.js';
import { sameNames } from '../books/names.js';
import { type Links, ofEachLink } from '../../tokens/pictures/document.js';
import { feeShareOf, SHARE_COLUMNS, type ShareRow } from '../shares/read.js';
import { summaryOf, TOKEN_COLUMNS, type TokenRow } from './token-rows.js';

type DetailRow = TokenRow &
  Readonly<Record<'uri' | 'fees' | 'creator_bought' | 'creator_sold' | 'launch_slot_bought', string>> &
  Readonly<
    Record<'after_migration_fee_bps' | 'burn_bps' | 'holders_bps' | 'lp_bps', number> &
      Record<
        'migration' | 'migrated_at' | 'pool' | 'description' | 'problem' | 'picture_problem' | 'retry_at',
        string | null
      >
  > &
  ShareRow & { readonly links: Links | null; readonly fetched: boolean };

export type Token = NonNullable<Awaited<ReturnType<typeof newestToken>>>;

/** Undefined when the token does not exist. */
export async function tokenDetail(db: Executor, mint: string) {
  const [row] = await preparedRows<DetailRow>(
    db,
    sql`select ${TOKEN_COLUMNS}, t.uri, t.after_migration_fee_bps, t.burn_bps, t.holders_bps, t.lp_bps, s.fees::text as fees,
          c.timestamp::text as migrated_at, r.signature as migration, g.pool, d.description, d.links,
          d.mint is not null as fetched, d.problem, d.picture_problem,
          floor(extract(epoch from w.due_at))::bigint::text as retry_at,
          coalesce(p.amount + p.sold, 0)::text as creator_bought, coalesce(p.sold, 0)::text as creator_sold,
          m.launch_slot_bought::text as launch_slot_bought, ${SHARE_COLUMNS}
        from market_tokens m join tokens t on t.mint = m.mint join curve_states s on s.mint = m.mint
          left join curve_migrations c on c.mint = m.mint left join other_records r on r.id = c.record_id
          left join graduations g on g.mint = m.mint left join token_metadata d on d.mint = m.mint
          left join tasks w on w.kind = 'metadata' and w.subject = m.mint
          left join position_rows p on p.wallet_id = ${idOf(sql`t.creator`)} and p.mint_id = ${idOf(sql`m.mint`)}
          left join fee_shares f on f.mint = m.mint and f.creator = t.creator
        where m.mint = ${mint}`,
  );
  if (row === undefined) return undefined;
  return {
    ...summaryOf(row),
    uri: row.uri,
    description: row.hidden ? null : row.description,
    links: { ...ofEachLink(null), ...(row.hidden ? {} : row.links) },
    metadata: metadataOf(row),
    afterMigrationFeeBps: row.after_migration_fee_bps,
    burnBps: row.burn_bps,
    holdersBps: row.holders_bps,
    lpBps: row.lp_bps,
    fees: row.fees,
    creatorBought: row.creator_bought,
    creatorSold: row.creator_sold,
    launchSlotBought: row.launch_slot_bought,
    feeShare: feeShareOf(row),
    migration:
      row.migration === null
        ? null
        : { signature: row.migration, timestamp: Number(row.migrated_at), pool: row.pool, url: null },
  };
}

/** A token, also one that was created a moment ago and is not in every standby yet. */
export async function newestToken(database: Database, mint: string) {
  const detailed = async (db: Executor) => {
    const token = await tokenDetail(db, mint);
    return token && { ...token, same: await sameNames(db, token) };
  };
  return (await database.read(detailed)) ?? detailed(database.queries);
}

/** What is missing of a token's metadata. The texts can quote the document, so a hidden token has none. */
function metadataOf({
  hidden,
  fetched,
  problem,
  picture_problem: pictureProblem,
  retry_at: retryAt,
}: DetailRow) {
  const reason = problem ?? (pictureProblem === null ? null : `the picture: ${pictureProblem}`);
  return {
    fetched,
    problem: hidden ? null : reason,
    retryAt: retryAt === null ? null : Number(retryAt),
  };
}

export async function tokenExists(db: Executor, mint: string): Promise<boolean> {
  return (await preparedRows(db, sql`select 1 from market_tokens where mint = ${mint}`)).length > 0;
}

/**
 * A version that changes with the token's candles: every transaction that writes them also updates the token's row, and
 * PostgreSQL stores the writing transaction in `xmin`.
 */
export async function versionOfToken(db: Executor, mint: string): Promise<string | undefined> {
  const [row] = await preparedRows<{ version: string }>(
    db,
    sql`select xmin::text as version from market_tokens where mint = ${mint}`,
  );
  return row?.version;
}
