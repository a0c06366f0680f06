// The ledger's operations. What may never happen (a posting that does not sum to zero, a balance below nothing, a changed
// entry) is refused by the database itself; here is how rewards move.
import { sql, type SQL } from 'drizzle-orm';
import { column } from '../db/arrays.js';
import { rowsOf, type Executor, type Transaction } from '../db/database.js';
import { type ASSETS, type SOURCE_KINDS, type WALLET_KINDS } from '../db/schema/index.js';

/** Lamports, or the token's smallest units. */
export type Asset = (typeof ASSETS)[number];
export type WalletKind = (typeof WALLET_KINDS)[number];
export type SourceKind = (typeof SOURCE_KINDS)[number];

/** What an amount belongs to. */
export interface Purse {
  readonly mint: string;
  readonly asset: Asset;
}

/** A wallet's rewards of one token and asset. */
export interface WalletPurse extends Purse {
  readonly wallet: string;
}

/** One movement: positive into the account, negative out of it. */
export interface Entry extends Purse {
  readonly kind: WalletKind | SourceKind;
  /** What the reward came from; a source's own kind. */
  readonly origin: SourceKind;
  /** The wallet; null for a source. */
  readonly owner: string | null;
  readonly amount: bigint;
}

/** What a wallet receives. */
export interface Credit {
  readonly wallet: string;
  /** Above zero. */
  readonly amount: bigint;
}

/**
 * Books entries under a key that names their cause. Entries of nothing are left out.
 *
 * @returns false when the key is booked already; nothing is changed then
 * @throws when the entries do not sum to zero for each token, asset and origin, or would take a balance below nothing
 */
export async function post(
  tx: Transaction,
  { key, entries }: { readonly key: string; readonly entries: readonly Entry[] },
): Promise<boolean> {
  const postingId = await openPosting(tx, key);
  if (postingId === undefined) return false;
  const moved = entries.filter(({ amount }) => amount !== 0n);
  if (moved.length === 0) return true;
  const texts = (pick: (entry: Entry) => string | null) => column(moved.map(pick), 'text');
  const rows = sql`unnest(
    ${texts(({ kind }) => kind)}, ${texts(({ owner }) => owner)}, ${texts(({ mint }) => mint)},
    ${texts(({ asset }) => asset)}, ${texts(({ origin }) => origin)},
    ${column(
      moved.map(({ amount }) => amount),
      'numeric',
    )}
  ) as moved(kind, owner, mint, asset, origin, amount)`;
  await openAccounts(
    tx,
    sql`select kind, owner, mint, asset, origin from ${rows} order by owner, mint, asset, kind, origin`,
  );
  const isOf = sql`a.mint = moved.mint and a.asset = moved.asset and a.kind = moved.kind and a.origin = moved.origin`;
  await tx.execute(sql`
    insert into ledger_entries (posting_id, account_id, amount)
    select ${postingId}::bigint, a.id, moved.amount from ${rows} join ledger_accounts a
      on a.owner = moved.owner and ${isOf}
    union all
    select ${postingId}::bigint, a.id, moved.amount from ${rows} join ledger_accounts a
      on a.owner is null and moved.owner is null and ${isOf}
  `);
  return true;
}

/**
 * Credits many wallets from one source under one key, in one statement for each table. For a hundred thousand wallets call
 * it in batches of some thousand, each under its own key.
 *
 * @returns false when the key is booked already
 */
export async function credit(
  tx: Transaction,
  from: SourceKind,
  { key, mint, asset, credits }: Purse & { readonly key: string; readonly credits: readonly Credit[] },
): Promise<boolean> {
  const postingId = await openPosting(tx, key);
  if (postingId === undefined) return false;
  const received = credits.filter(({ amount }) => amount !== 0n);
  if (received.length === 0) return true;
  const rows = sql`unnest(
    ${column(
      received.map(({ wallet }) => wallet),
      'text',
    )}, ${column(
      received.map(({ amount }) => amount),
      'numeric',
    )}
  ) as received(owner, amount)`;
  await openAccounts(
    tx,
    sql`select 'claimable', owner, ${mint}::text, ${asset}::text, ${from}::text from ${rows}
        union all select ${from}::text, null, ${mint}::text, ${asset}::text, ${from}::text order by owner`,
  );
  await tx.execute(sql`
    insert into ledger_entries (posting_id, account_id, amount)
    select ${postingId}::bigint, a.id, received.amount from ${rows} join ledger_accounts a
      on a.owner = received.owner and a.mint = ${mint} and a.asset = ${asset} and a.kind = 'claimable'
        and a.origin = ${from}
    union all
    select ${postingId}::bigint, a.id, -(select sum(amount) from ${rows}) from ledger_accounts a
      where a.owner is null and a.mint = ${mint} and a.asset = ${asset} and a.kind = ${from}
  `);
  return true;
}

/** An amount by what it came from. */
export type ByOrigin = Readonly<Record<SourceKind, bigint>>;

/**
 * Reserves what is claimable of some origins, for a claim. Of many at once exactly one gets it: the others wait for its
 * transaction and then find nothing.
 *
 * @param key names the claim's attempt, such as a random id
 * @returns the amounts reserved; nothing when there is nothing to claim
 */
export async function reserveAll(
  tx: Executor,
  { key, wallet, mint, asset }: WalletPurse & { readonly key: string },
  origins: readonly SourceKind[] = ['settlement', 'referral'],
): Promise<ByOrigin> {
  const rows = await rowsOf<{ origin: SourceKind; amount: string }>(
    tx,
    sql`select origin, amount::text as amount
        from ledger_reserve(${key}, ${wallet}, ${mint}, ${asset}, ${column(origins, 'text')})`,
  );
  const of = (origin: SourceKind) => BigInt(rows.find((row) => row.origin === origin)?.amount ?? 0);
  return { settlement: of('settlement'), referral: of('referral') };
}

/** What a claim reserved has been paid. @returns false when the key is booked already */
export function settleReserve(tx: Transaction, move: ReserveMove): Promise<boolean> {
  return endReserve(tx, move, 'claimed');
}

/** What a claim reserved is claimable again. @returns false when the key is booked already */
export function releaseReserve(tx: Transaction, move: ReserveMove): Promise<boolean> {
  return endReserve(tx, move, 'claimable');
}

/** The end of a reserve. */
export interface ReserveMove extends WalletPurse {
  /** Names the claim and its end, such as `claim:SIGNATURE:end`: settled and released exclude each other by one key. */
  readonly key: string;
  readonly amounts: ByOrigin;
}

async function endReserve(
  tx: Transaction,
  { key, wallet, mint, asset, amounts }: ReserveMove,
  to: WalletKind,
): Promise<boolean> {
  const [row] = await rowsOf<{ moved: boolean }>(
    tx,
    sql`select ledger_end_reserve(${key}, ${wallet}, ${mint}, ${asset}, ${String(amounts.settlement)}::numeric,
          ${String(amounts.referral)}::numeric, ${to}) as moved`,
  );
  return row?.moved === true;
}

/** A wallet's rewards of one token. Lamports and token units. */
export interface WalletBalances {
  readonly mint: string;
  readonly unclaimedSol: bigint;
  readonly unclaimedToken: bigint;
  /** Claimable, reserved and claimed. */
  readonly allTimeSol: bigint;
  readonly allTimeToken: bigint;
}

/**
 * A wallet's rewards, one row for each token that ever gave one, ordered by token address. Rewards of confirmed trades
 * that are not finalized yet are included: they show, though they cannot be claimed.
 *
 * @param mint for this token only
 */
export async function walletBalances(db: Executor, wallet: string, mint?: string): Promise<WalletBalances[]> {
  return (await rowsOf<BalancesRow>(db, balancesOf([wallet], mint))).map(toBalances);
}

/** A row of `balancesOf`; amounts as text. */
export type BalancesRow = Readonly<
  Record<'owner' | 'mint' | 'unclaimed_sol' | 'unclaimed_token' | 'all_sol' | 'all_token', string>
>;

/** As `walletBalances`, of several wallets, to be read by this query or as a part of one. */
export function balancesOf(wallets: readonly string[], mint?: string): SQL {
  const owners = column(wallets, 'text');
  const ofMint = mint === undefined ? sql`` : sql`and mint = ${mint}`;
  return sql`
    select owner, mint,
      coalesce(sum(amount) filter (where asset = 'SOL' and kind = 'claimable'), 0)::text as unclaimed_sol,
      coalesce(sum(amount) filter (where asset = 'TOKEN' and kind = 'claimable'), 0)::text as unclaimed_token,
      coalesce(sum(amount) filter (where asset = 'SOL'), 0)::text as all_sol,
      coalesce(sum(amount) filter (where asset = 'TOKEN'), 0)::text as all_token
    from (
      select owner, mint, asset, kind, balance as amount from ledger_accounts where owner = any(${owners}) ${ofMint}
      union all
      select wallet, mint, asset, 'claimable', amount from pending_rewards where wallet = any(${owners}) ${ofMint}
    ) rewards
    group by owner, mint having sum(amount) > 0 order by mint
  `;
}

export function toBalances(row: BalancesRow): WalletBalances {
  return {
    mint: row.mint,
    unclaimedSol: BigInt(row.unclaimed_sol),
    unclaimedToken: BigInt(row.unclaimed_token),
    allTimeSol: BigInt(row.all_sol),
    allTimeToken: BigInt(row.all_token),
  };
}

/** A concurrent posting under the same key is waited for. */
async function openPosting(tx: Transaction, key: string): Promise<string | undefined> {
  const [row] = await rowsOf<{ id: string }>(
    tx,
    sql`insert into ledger_postings (key) values (${key}) on conflict do nothing returning id::text as id`,
  );
  return row?.id;
}

async function openAccounts(tx: Transaction, names: SQL): Promise<void> {
  await tx.execute(
    sql`insert into ledger_accounts (kind, owner, mint, asset, origin) ${names} on conflict do nothing`,
  );
}
