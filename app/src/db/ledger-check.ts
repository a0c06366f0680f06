// Proves that the ledger adds up: from the balances alone (quick), or from every entry and claim.
import { sql, type SQL } from 'drizzle-orm';
import { rowsOf, type Executor } from './database.js';

/** What does not add up. */
export interface LedgerProblem {
  readonly rule: string;
  readonly detail: string;
}

type Row = { readonly detail: string };

/** Σ credits = Σ unclaimed + Σ reserved + Σ claimed, for every token and asset: sources carry what they credited negated. */
const CONSERVED = sql`
  select format('%s %s: the balances sum to %s', mint, asset, sum(balance)) as detail
  from ledger_accounts group by mint, asset having sum(balance) <> 0`;

/** What claims in progress have reserved is what the ledger holds reserved. */
const RESERVED = sql`
  select format('%s %s of %s: %s reserved, %s in claims', mint, asset, wallet, sum(reserved), sum(claimed)) as detail
  from (
    select owner as wallet, mint, asset, balance as reserved, 0 as claimed from ledger_accounts where kind = 'reserved' and balance <> 0
    union all select wallet, mint, asset, 0, amount from claims where state = 'IN_PROGRESS'
  ) both_sides group by wallet, mint, asset having sum(reserved) <> sum(claimed)`;

const BALANCES_FOLLOW = sql`
  select format('account %s: balance %s, entries %s', a.id, a.balance, coalesce(e.amount, 0)) as detail
  from ledger_accounts a
  left join (select account_id, sum(amount) as amount from ledger_entries group by account_id) e on e.account_id = a.id
  where a.balance <> coalesce(e.amount, 0)`;

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

/** Rules over the balances: a scan of the accounts. */
const QUICK: Readonly<Record<string, SQL>> = { conserved: CONSERVED, reserved: RESERVED };
/** Rules over every entry and claim. */
const WHOLE: Readonly<Record<string, SQL>> = {
  ...QUICK,
  'balances follow from entries': BALANCES_FOLLOW,
  'postings balance': POSTINGS_BALANCE,
  'claimed as paid': CLAIMED,
};

/** Examples given of each broken rule. */
const EXAMPLES = 20;

/**
 * What in the ledger does not add up: nothing, or there is a fault to find.
 *
 * @param options.whole also compare balances with entries and claims, which reads every row
 */
export async function checkLedger(
  db: Executor,
  { whole }: { readonly whole: boolean },
): Promise<LedgerProblem[]> {
  const problems: LedgerProblem[] = [];
  for (const [rule, query] of Object.entries(whole ? WHOLE : QUICK)) {
    const rows = await rowsOf<Row>(db, sql`${query} limit ${EXAMPLES}`);
    problems.push(...rows.map(({ detail }) => ({ rule, detail })));
  }
  return problems;
}
