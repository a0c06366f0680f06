import { and, eq, sql } from 'drizzle-orm';
import { statement, type Executor } from '../db/database.js';
import type { Asset, ByOrigin, WalletAsset } from '../ledger/accounts.js';
import { claimableAmounts, walletBalances } from '../ledger/balances.js';
import { ClaimRefusedError } from './refusal.js';
import { claims } from '../db/schema/index.js';

export interface Claimable {
  readonly tokenExists: boolean;
  /** Another claim of the wallet and token is in progress. */
  readonly inProgress: boolean;
  /** Lamports or token base units that can be claimed, by origin. */
  readonly amounts: ByOrigin;
  /** Lamports of fees that back rewards and that no claim has taken. */
  readonly cover: Pick<ByOrigin, 'referral' | 'volume'>;
  /** Claims of the wallet, of any token, that failed on chain since the given time. */
  readonly failures: number;
  /** Claims of the wallet, of any token, that expired since the given time. */
  readonly expiries: number;
}

export interface OpenedAccounts {
  /** Claims of this wallet and token since the given time. */
  readonly ofWallet: boolean;
  /** Claims of all wallets since the given time. */
  readonly count: number;
}

export async function readClaimable(
  db: Executor,
  wallet: string,
  mint: string,
  asset: Asset,
  since: Date,
): Promise<Claimable> {
  const [row] = await statement<{
    token_exists: boolean;
    in_progress: boolean;
    settlement: string;
    referral: string;
    volume: string;
    referral_cover: string;
    volume_cover: string;
    failures: number;
    expiries: number;
  }>(db)`
    select
      exists (select 1 from tokens where mint = ${mint}) as token_exists,
      exists (select 1 from claims where wallet = ${wallet} and mint = ${mint} and state = 'IN_PROGRESS') as in_progress,
      held.settlement::text as settlement, held.referral::text as referral, held.volume::text as volume,
      (t.referral_cover - t.referral_reserved)::text as referral_cover, (t.volume_cover - t.volume_reserved)::text as volume_cover,
      ended.failures, ended.expiries
      from (${claimableAmounts({ wallet, mint, asset })}) held left join treasury t on t.asset = 'SOL',
        (select (count(*) filter (where state = 'FAILED'))::integer as failures,
            (count(*) filter (where state = 'EXPIRED'))::integer as expiries
          from claims where wallet = ${wallet} and state in ('FAILED', 'EXPIRED')
            and created_at > ${since.toISOString()}::timestamptz) ended`;
  return {
    tokenExists: row?.token_exists === true,
    inProgress: row?.in_progress === true,
    amounts: {
      settlement: BigInt(row?.settlement ?? 0),
      referral: BigInt(row?.referral ?? 0),
      volume: BigInt(row?.volume ?? 0),
    },
    cover: { referral: BigInt(row?.referral_cover ?? 0), volume: BigInt(row?.volume_cover ?? 0) },
    failures: row?.failures ?? 0,
    expiries: row?.expiries ?? 0,
  };
}

/** The refusal of a wallet to which nothing is credited, or nothing that is finalized. */
export async function nothingToClaim(
  db: Executor,
  { wallet, mint, asset }: WalletAsset,
): Promise<ClaimRefusedError> {
  const zero = `The ${asset === 'SOL' ? 'SOL' : 'token'} amount to claim is zero`;
  const [balances] = await walletBalances(db, wallet, mint);
  const credited = (asset === 'SOL' ? balances?.unclaimedSol : balances?.unclaimedToken) ?? 0n;
  if (credited === 0n) return new ClaimRefusedError('claim', zero);
  const unit = asset === 'SOL' ? 'lamports' : 'token units';
  const pending = `${credited} ${unit} are credited, but their trades are not finalized yet`;
  return new ClaimRefusedError('later', `${zero}: ${pending}; try again in 15 seconds`);
}

/** What the treasury can pay: all of an origin whose fees it has, and nothing of another one. */
export function coveredOf({ amounts, cover }: Claimable): ByOrigin {
  return {
    settlement: amounts.settlement,
    referral: amounts.referral > cover.referral ? 0n : amounts.referral,
    volume: amounts.volume > cover.volume ? 0n : amounts.volume,
  };
}

export async function readOpenedAccounts(
  db: Executor,
  wallet: string,
  mint: string,
  since: Date,
): Promise<OpenedAccounts> {
  const opened = sql`from claims where opens_account and state in ('IN_PROGRESS', 'COMPLETED')`;
  const [row] = await statement<{ of_wallet: boolean; count: number }>(db)`
    select
      (exists (select 1 ${opened} and wallet = ${wallet} and mint = ${mint})
        or exists (select 1 from opened_accounts where owner = ${wallet} and mint = ${mint})) as of_wallet,
      (select count(*) ${opened} and created_at > ${since.toISOString()}::timestamptz)::integer as count`;
  return { ofWallet: row?.of_wallet === true, count: row?.count ?? 0 };
}

export async function isInProgress(db: Executor, wallet: string, mint: string): Promise<boolean> {
  const rows = await db
    .select({ signature: claims.signature })
    .from(claims)
    .where(and(eq(claims.wallet, wallet), eq(claims.mint, mint), eq(claims.state, 'IN_PROGRESS')));
  return rows.length > 0;
}
