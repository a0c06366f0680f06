// Checks that the ledger adds up: quickly from its totals and some accounts, or from every entry and claim.
import { sql, type SQL } from 'drizzle-orm';
import { statement, type Executor } from '../db/database.js';
import { creditsOwed } from './functions.js';

/** A broken rule and its examples. */
export interface LedgerProblem {
  readonly rule: string;
  readonly detail: string;
}

type Row = { readonly detail: string };

/** Accounts that the quick check reads, different ones each time. */
const ACCOUNTS_AT_ONCE = 1_000;

/** A source's balance is minus the amount that it has credited, so all accounts of an asset and origin sum to zero. */
const TOTALS_CONSERVED = sql`
  select format('%s from %s: the totals sum to %s', asset, origin, sum(amount)) as detail
  from ledger_totals group by asset, origin having sum(amount) <> 0`;

/** The ledger's reserves equal the reserves of claims in progress. */
const TOTALS_RESERVED = sql`
  select format('%s: %s reserved, %s in claims', asset, sum(reserved), sum(claimed)) as detail
  from (
    select asset, amount as reserved, 0 as claimed from ledger_totals where kind = 'reserved'
    union all select asset, 0, amount from claims where state = 'IN_PROGRESS'
  ) both_sides group by asset having sum(reserved) <> sum(claimed)`;

/**
 * Checks some accounts from a random start, so that over time every account is checked. Without the cast the start would be a
 * floating-point number, which PostgreSQL does not look up in the index of ids.
 */
export const SOME_BALANCES_FOLLOW = sql`
  select format('account %s: balance %s, entries %s', a.id, a.balance, e.amount) as detail
  from (
    select * from ledger_accounts
    where id >= (select floor(random() * (max(id) - ${ACCOUNTS_AT_ONCE} + 1))::bigint from ledger_accounts)
    order by id limit ${ACCOUNTS_AT_ONCE}
  ) a cross join lateral (
    select coalesce(sum(amount), 0) as amount from ledger_entries where account_id = a.id
  ) e
  where a.balance <> e.amount`;

/** Σ credits = Σ unclaimed + Σ reserved + Σ claimed, for every token, asset and origin. */
const CONSERVED = sql`
  select format('%s %s from %s: the balances sum to %s', mint, asset, origin, sum(balance)) as detail
  from ledger_accounts group by mint, asset, origin having sum(balance) <> 0`;

const RESERVED = sql`
  select format('%s %s of %s: %s reserved, %s in claims', mint, asset, wallet, sum(reserved), sum(claimed)) as detail
  from (
    select owner as wallet, mint, asset, balance as reserved, 0 as claimed from ledger_accounts where kind = 'reserved' and balance <> 0
    union all select wallet, mint, asset, 0, amount from claims where state = 'IN_PROGRESS'
  ) both_sides group by wallet, mint, asset having sum(reserved) <> sum(claimed)`;

const TOTALS_FOLLOW = sql`
  select format('%s from %s, %s: total %s, accounts %s', asset, origin, kind, sum(total), sum(held)) as detail
  from (
    select asset, origin, kind, amount as total, 0 as held from ledger_totals
    union all select asset, origin, kind, 0, balance from ledger_accounts
  ) both_sides group by asset, origin, kind having sum(total) <> sum(held)`;

const BALANCES_FOLLOW = sql`
  select format('account %s: balance %s, entries %s', a.id, a.balance, coalesce(e.amount, 0)) as detail
  from ledger_accounts a
  left join (select account_id, sum(amount) as amount from ledger_entries group by account_id) e on e.account_id = a.id
  where a.balance <> coalesce(e.amount, 0)`;

/** Origins also sum to zero, except in the postings that first divided accounts by origin. */
const POSTINGS_BALANCE = sql`
  select format('posting %s: %s %s sums to %s', e.posting_id, a.mint, a.asset, sum(e.amount)) as detail
  from ledger_entries e join ledger_accounts a on a.id = e.account_id
  group by e.posting_id, a.mint, a.asset having sum(e.amount) <> 0`;

const CLAIMED = sql`
  select format('%s %s of %s: %s claimed, %s in claims', mint, asset, wallet, sum(booked), sum(claimed)) as detail
  from (
    select owner as wallet, mint, asset, balance as booked, 0 as claimed from ledger_accounts where kind = 'claimed'
    union all select wallet, mint, asset, 0, amount from claims where state = 'COMPLETED'
  ) both_sides group by wallet, mint, asset having sum(booked) <> sum(claimed)`;

/** The treasury's reserves equal the amounts that the claims in progress take. */
const COVERED = sql`
  select format('treasury, %s: %s reserved, %s in claims; costs %s, %s in claims', asset, sum(reserved), sum(claimed),
    sum(costs), sum(claimed_costs)) as detail
  from (
    select asset, reserved + referral_reserved + volume_reserved as reserved, 0 as claimed, costs, 0 as claimed_costs from treasury
    union all select case asset when 'SOL' then 'SOL' else mint end, 0, amount, 0, 0 from claims where state = 'IN_PROGRESS'
    union all select 'SOL', 0, 0, 0, network_fee + rent from claims where state = 'IN_PROGRESS' and asset = 'TOKEN'
  ) both_sides group by asset having sum(reserved) <> sum(claimed) or sum(costs) <> sum(claimed_costs)`;

/** Fees back no more of an origin than is owed: the rest is the operator's, and no claim has to leave it alone. */
const COVER_OWED = sql`
  select format('treasury: %s lamports of fees back %s rewards, of which %s are owed', cover, origin, owed) as detail
  from (
    select 'referral' as origin, referral_cover as cover, ${creditsOwed({ origin: 'referral' })} as owed from treasury where asset = 'SOL'
    union all select 'volume', volume_cover, ${creditsOwed({ origin: 'volume' })} from treasury where asset = 'SOL'
  ) covers where cover > owed`;

/** The fees left in the treasury follow from the transfers and the paid rewards. */
const FEES_FOLLOW = sql`
  select format('treasury: %s lamports of fees came, %s in transfers; %s were paid as referral and %s as volume rewards, %s and %s in the ledger',
    referral_funded, moved, referral_settled, volume_settled, by_referral, by_volume) as detail
  from treasury, (
    select (select coalesce(sum(amount), 0) from treasury_fundings) as moved,
      coalesce(sum(amount) filter (where origin = 'referral'), 0) as by_referral,
      coalesce(sum(amount) filter (where origin = 'volume'), 0) as by_volume
    from ledger_totals where asset = 'SOL' and kind = 'claimed'
  ) booked where asset = 'SOL' and (referral_funded <> moved or referral_settled <> by_referral or volume_settled <> by_volume)`;

/** What the index says that trades come to is what the ledger has credited. */
const VOLUME_CREDITED = sql`
  select format('%s of %s: %s credited for its volume, %s in the ledger', mint, wallet, sum(credited), sum(booked)) as detail
  from (
    select mint, wallet, credited, 0 as booked from volume_rewards
    union all select mint, owner, 0, balance from ledger_accounts where origin = 'volume' and owner is not null
  ) both_sides group by mint, wallet having sum(credited) <> sum(booked)`;

/** Rules whose cost does not grow with the number of accounts. */
const QUICK: Readonly<Record<string, SQL>> = {
  conserved: TOTALS_CONSERVED,
  reserved: TOTALS_RESERVED,
  'balances follow from entries': SOME_BALANCES_FOLLOW,
  'fees cover what is owed': COVER_OWED,
};
/** Rules that read every entry and claim. */
const WHOLE: Readonly<Record<string, SQL>> = {
  conserved: CONSERVED,
  reserved: RESERVED,
  'totals follow from balances': TOTALS_FOLLOW,
  'balances follow from entries': BALANCES_FOLLOW,
  'postings balance': POSTINGS_BALANCE,
  'claimed as paid': CLAIMED,
  'covered by the treasury': COVERED,
  'fees cover what is owed': COVER_OWED,
  'fees follow from transfers': FEES_FOLLOW,
  'volume rewards as credited': VOLUME_CREDITED,
};

/** Maximum examples listed per broken rule. */
const EXAMPLES = 20;

/**
 * The rules that the ledger breaks; an empty list if it adds up.
 *
 * @param options.whole checks every rule over every row, instead of the totals and some accounts
 */
export async function checkLedger(
  db: Executor,
  { whole }: { readonly whole: boolean },
): Promise<LedgerProblem[]> {
  const problems: LedgerProblem[] = [];
  for (const [rule, query] of Object.entries(whole ? WHOLE : QUICK)) {
    const rows = await statement<Row>(db)`${query} limit ${EXAMPLES}`;
    problems.push(...rows.map(({ detail }) => ({ rule, detail })));
  }
  return problems;
}
