// Balances of wallets. Only files in this folder use the ledger's tables.
import { sql, type SQL } from 'drizzle-orm';
import { statement, type Executor, type Transaction } from '../db/database.js';
import type { Asset, ByOrigin, SourceKind, WalletAsset } from './accounts.js';

/** A wallet's rewards of one token. Lamports and token units. */
export interface WalletBalances {
  readonly mint: string;
  readonly unclaimedSol: bigint;
  readonly unclaimedToken: bigint;
  /** The sum of claimable, reserved and claimed. */
  readonly allTimeSol: bigint;
  readonly allTimeToken: bigint;
}

/**
 * A wallet's rewards, one row for each token that ever gave one, ordered by token address. Includes rewards of trades that
 * are confirmed but not finalized: they are shown, but cannot be claimed yet.
 *
 * @param mint returns only this token
 */
export async function walletBalances(db: Executor, wallet: string, mint?: string): Promise<WalletBalances[]> {
  const ofMint = mint === undefined ? sql`` : sql`and mint = ${mint}`;
  const rows = await statement<
    Record<'mint' | 'unclaimed_sol' | 'unclaimed_token' | 'all_sol' | 'all_token', string>
  >(db)`
    select mint,
      coalesce(sum(amount) filter (where asset = 'SOL' and kind = 'claimable'), 0)::text as unclaimed_sol,
      coalesce(sum(amount) filter (where asset = 'TOKEN' and kind = 'claimable'), 0)::text as unclaimed_token,
      coalesce(sum(amount) filter (where asset = 'SOL'), 0)::text as all_sol,
      coalesce(sum(amount) filter (where asset = 'TOKEN'), 0)::text as all_token
    from (
      select mint, asset, kind, balance as amount from ledger_accounts where owner = ${wallet} ${ofMint}
      union all
      select mint, asset, 'claimable', amount from pending_rewards where wallet = ${wallet} ${ofMint}
    ) rewards
    group by mint having sum(amount) > 0 order by mint`;
  return rows.map((row) => ({
    mint: row.mint,
    unclaimedSol: BigInt(row.unclaimed_sol),
    unclaimedToken: BigInt(row.unclaimed_token),
    allTimeSol: BigInt(row.all_sol),
    allTimeToken: BigInt(row.all_token),
  }));
}

/** SQL query of the amounts that a wallet can claim: one row with a column for each origin. */
export function claimableAmounts({ wallet, mint, asset }: WalletAsset): SQL {
  return sql`
    select coalesce(sum(balance) filter (where origin = 'settlement'), 0) as settlement,
      coalesce(sum(balance) filter (where origin = 'referral'), 0) as referral,
      coalesce(sum(balance) filter (where origin = 'volume'), 0) as volume
    from ledger_accounts
    where owner = ${wallet} and mint = ${mint} and asset = ${asset} and kind = 'claimable'`;
}

/** The amounts that a wallet can claim. Locks them until the end of the transaction. */
export async function holdClaimable(
  tx: Transaction,
  { wallet, mint, asset }: WalletAsset,
): Promise<ByOrigin> {
  const rows = await statement<{ origin: SourceKind; balance: string }>(tx)`
    select origin, balance::text as balance from ledger_accounts
    where owner = ${wallet} and mint = ${mint} and asset = ${asset} and kind = 'claimable'
    order by id for no key update`;
  const of = (origin: SourceKind) => BigInt(rows.find((row) => row.origin === origin)?.balance ?? 0);
  return { settlement: of('settlement'), referral: of('referral'), volume: of('volume') };
}

/** Units of each token that were credited and not paid yet, ordered by address. */
export async function owedTokens(db: Executor): Promise<{ readonly mint: string; readonly owed: bigint }[]> {
  const rows = await statement<{ mint: string; owed: string }>(db)`
    select mint, sum(balance)::text as owed from ledger_accounts
    where asset = 'TOKEN' and kind in ('claimable', 'reserved')
    group by mint having sum(balance) > 0 order by mint`;
  return rows.map(({ mint, owed }) => ({ mint, owed: BigInt(owed) }));
}

/** Sums over all accounts of an asset and origin: lamports, or units of all tokens together. */
export interface AssetSums {
  readonly asset: Asset;
  readonly origin: SourceKind;
  readonly credited: bigint;
  readonly claimable: bigint;
  readonly reserved: bigint;
  readonly claimed: bigint;
  /** What fees in the treasury back of it; null where fees back nothing. */
  readonly covered: bigint | null;
}

/** Sums every account, without the stored totals (`totals.ts`). */
export async function sumAccounts(db: Executor): Promise<AssetSums[]> {
  const rows = await statement<
    Record<Exclude<keyof AssetSums, 'covered'>, string> & { covered: string | null }
  >(db)`
    select asset, origin,
      (select case origin when 'referral' then referral_cover when 'volume' then volume_cover end from treasury
        where treasury.asset = 'SOL')::text as covered,
      coalesce(sum(balance) filter (where kind = 'claimable'), 0)::text as claimable,
      coalesce(sum(balance) filter (where kind = 'reserved'), 0)::text as reserved,
      coalesce(sum(balance) filter (where kind = 'claimed'), 0)::text as claimed,
      coalesce(-sum(balance) filter (where owner is null), 0)::text as credited
    from ledger_accounts group by asset, origin order by asset, origin`;
  return rows.map(({ asset, origin, claimable, reserved, claimed, credited, covered }) => ({
    asset: asset as Asset,
    origin: origin as SourceKind,
    claimable: BigInt(claimable),
    reserved: BigInt(reserved),
    claimed: BigInt(claimed),
    credited: BigInt(credited),
    covered: covered === null ? null : BigInt(covered),
  }));
}

/** What the final trades of a token have earned by the creator's share. Lamports. */
export interface VolumeSums {
  readonly kind: string;
  readonly wallets: number;
  readonly credited: bigint;
  readonly paid: bigint;
  /** What fees in the treasury back of the volume rewards of all tokens. */
  readonly coveredOfAll: bigint;
}

export async function sumVolume(db: Executor, mint: string): Promise<VolumeSums> {
  const [row] = await statement<
    Record<'kind' | 'credited' | 'paid' | 'covered', string> & { wallets: number }
  >(db)`
    select coalesce((select f.kind from fee_shares f join tokens k using (mint, creator) where f.mint = ${mint}), 'creator') as kind,
      count(*)::integer as wallets, coalesce(sum(v.credited), 0)::text as credited, coalesce(sum(a.balance), 0)::text as paid,
      (select volume_cover from treasury where asset = 'SOL')::text as covered
    from volume_rewards v left join ledger_accounts a
      on a.owner = v.wallet and a.mint = v.mint and a.asset = 'SOL' and a.kind = 'claimed' and a.origin = 'volume'
    where v.mint = ${mint} and v.credited > 0`;
  const { kind, wallets, credited, paid, covered } = row!;
  return { kind, wallets, credited: BigInt(credited), paid: BigInt(paid), coveredOfAll: BigInt(covered) };
}

export async function hasPostings(db: Executor): Promise<boolean> {
  const [row] = await statement<{ booked: boolean }>(db)`
    select exists (select 1 from ledger_postings) as booked`;
  return row?.booked === true;
}
