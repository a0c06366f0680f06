// What trades come to for creators, splits and traders, without the service's code.
import { sql, type SQL } from 'drizzle-orm';
import { expect } from 'chai';
import type { CurveRecord } from '@curvekit/sdk';
import { readClaimable } from '#app/claims/claimable.js';
import { treasuryCover } from '#app/claims/functions.js';
import { ClaimsRepository, type ClaimEnd } from '#app/claims/repository.js';
import { statement, type Database } from '#app/db/database.js';
import { book, type Payment } from '#app/reconciliation/booking.js';
import type { ChainTransaction } from '#app/reconciliation/chain-transaction.js';
import { newClaim } from '../database/ledger.js';
import { ledgerProblems } from '../service/rewards.js';

const PARTS = [
  ['split wallet 1', 3_333],
  ['split wallet 2', 3_333],
  ['split wallet 3', 3_334],
] as const;
const KINDS = ['creator', 'split', 'traders', undefined] as const;

const ofMint = (mint: string) => mint.charCodeAt(0) + mint.charCodeAt(5);
const kindOf = (mint: string) => KINDS[ofMint(mint) % KINDS.length];

/** Forgets the shares of an earlier chain, with the ledger. */
export async function forgetShares(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    // The ledger refuses to lose anything.
    await tx.execute(sql`set local session_replication_role = replica`);
    await statement(tx)`
      truncate ledger_entries, ledger_postings, ledger_accounts, ledger_totals, volume_rewards, volume_rates, fee_shares,
      treasury, treasury_fundings, payment_findings cascade`;
    // Truncated, it would be another database, which pays nothing.
    await tx.execute(sql`delete from claims`);
    await tx.execute(sql`insert into treasury (asset) values ('SOL')`);
  });
}

/** Chooses for each new token among the records. A choice counts for trades after the slot of the creation, or after the next one. */
export async function chooseShares(database: Database, records: readonly CurveRecord[]): Promise<void> {
  for (const record of records) {
    if (record.kind !== 'create') continue;
    const { mint, creator } = keysOf(record);
    const kind = kindOf(mint);
    if (kind === undefined) continue;
    const [wallets, parts] =
      kind === 'split' ? [PARTS.map(([wallet]) => wallet), PARTS.map(([, bps]) => bps)] : [[], []];
    await database.queries
      .execute(sql`insert into fee_shares (mint, creator, kind, wallets, parts, slot, message, signed, signature)
      values (${mint}, ${creator}, ${kind}, ${`{${wallets.map((one) => `"${one}"`).join()}}`}::text[], ${`{${parts.join()}}`}::integer[],
        ${record.slot + (ofMint(mint) % 2)}, '', '', '') on conflict do nothing`);
  }
}

const keysOf = ({ data }: Extract<CurveRecord, { kind: 'create' }>) => ({
  mint: data.mint.toBase58(),
  creator: data.creator.toBase58(),
});

/** Compares what is pending and credited with what these records come to. */
export async function expectShares(
  database: Database,
  records: readonly CurveRecord[],
  { finalized }: { readonly finalized: boolean },
): Promise<void> {
  const rates = await statement<{ slot: string; bps: number }>(database.queries)`
    select from_slot::text as slot, share_bps as bps from volume_rates order by from_slot desc`;
  const slots = new Map(
    (
      await statement<{ mint: string; slot: string }>(database.queries)`
        select mint, slot::text as slot from fee_shares`
    ).map(({ mint, slot }) => [mint, Number(slot)]),
  );
  const creators = new Map<string, string>();
  const expected = new Map<string, bigint>();
  const add = (mint: string, wallet: string, amount: bigint) => {
    if (amount > 0n) expected.set(`${mint} ${wallet}`, (expected.get(`${mint} ${wallet}`) ?? 0n) + amount);
  };
  for (const record of records) {
    if (record.kind === 'create') creators.set(keysOf(record).mint, keysOf(record).creator);
    if (record.kind !== 'trade') continue;
    const mint = record.data.mint.toBase58();
    const rate = rates.find(({ slot }) => Number(slot) <= record.slot)?.bps ?? 0;
    const share = (record.data.fee * BigInt(rate)) / 10_000n;
    const chosenAt = slots.get(mint);
    const kind = chosenAt !== undefined && record.slot > chosenAt ? kindOf(mint) : 'creator';
    if (kind === 'split')
      for (const [wallet, bps] of PARTS) add(mint, wallet, (share * BigInt(bps)) / 10_000n);
    else add(mint, kind === 'traders' ? record.data.trader.toBase58() : creators.get(mint)!, share);
  }
  const rows = await statement<{ key: string; amount: string }>(database.queries)`
    select mint || ' ' || wallet as key, sum(amount)::text as amount from (
      select mint, owner as wallet, balance as amount from ledger_accounts where origin = 'volume' and owner is not null
      ${finalized ? sql`` : sql`union all select mint, wallet, amount from pending_rewards where origin = 'volume'`}
    ) earned group by mint, wallet`;
  expect(Object.fromEntries(rows.map(({ key, amount }) => [key, BigInt(amount)]))).to.deep.equal(
    Object.fromEntries(expected),
  );
  expect(await ledgerProblems(database)).to.deep.equal([]);
}

const ENOUGH = 10n ** 15n;

/** What the chain keeps when a backup is restored: fees that came to the treasury, and claims that it paid. */
export class Payments {
  readonly #repository: ClaimsRepository;
  readonly #made: { readonly payment: Payment; readonly signature: string; readonly slot: number }[] = [];
  /** How many of these the tables have. */
  #booked = 0;
  /** Fees that came and were not paid out. */
  #unspent = 0n;

  constructor(private readonly database: Database) {
    this.#repository = new ClaimsRepository(database);
  }

  /** Those that the tables lack, until the index is too far behind to judge one: then nothing is paid. */
  async book(): Promise<boolean> {
    for (const { payment, signature, slot } of this.#made.slice(this.#booked)) {
      const landed = { transaction: { signature, slot } as ChainTransaction, bytes: '' };
      const options = { database: this.database, treasuries: new Set<string>(), repair: false };
      const { state, detail } = await book(payment, landed, options);
      if (state === 'open') expect(detail).to.contain('the index has read');
      if (state === 'open') return false;
      this.#booked += 1;
    }
    return true;
  }

  async takeFees(amount: bigint, slot: number): Promise<void> {
    this.#made.push({ payment: { kind: 'funding', amount }, signature: `fees ${this.#made.length}`, slot });
    this.#unspent += amount;
    if (await this.book())
      await this.database.queries.execute(sql`select ${treasuryCover({ lamports: ENOUGH, slot })}`);
  }

  /** A wallet claims. It is paid when fees back all of it, and only then. */
  async claim(which: number, end: ClaimEnd, slot: number): Promise<void> {
    if (!(await this.book())) return;
    const { queries } = this.database;
    const wallets = await statement<{ mint: string; wallet: string }>(queries)`
      select mint, owner as wallet from ledger_accounts where origin = 'volume' and kind = 'claimable' and balance > 0 order by 1, 2`;
    if (wallets.length === 0) return;
    const { mint, wallet } = wallets[which % wallets.length]!;
    const { amounts, cover } = await readClaimable(queries, wallet, mint, 'SOL', new Date());
    const { volume } = amounts;
    const claim = newClaim({ mint, wallet, asset: 'SOL', amount: volume, volume });
    const refused = await this.#repository.store(claim, undefined);
    expect(refused).to.equal(volume > cover.volume ? 'referral not funded' : undefined);
    if (refused !== undefined) return;
    await this.#repository.end(claim.signature, end, null, { now: new Date(), landed: slot });
    if (end !== 'COMPLETED') return;
    this.#made.push({ payment: { kind: 'claim', claim }, signature: claim.signature, slot });
    this.#booked += 1;
    this.#unspent -= volume;
    expect(this.#unspent >= 0n, 'paid from fees').to.equal(true);
  }

  backUp(): Promise<unknown> {
    return this.database.queries.execute(
      eachTable(
        sql`drop schema if exists saved cascade; create schema saved; create table saved.sequences as select * from pg_sequences where schemaname = 'public';`,
        sql`execute format('create table saved.%1$I as table public.%1$I', name);`,
        sql``,
      ),
    );
  }

  /** As `pg_restore` does, but for what docs/recover.md calls lost for good: what creators and the operator chose since. */
  async restore(): Promise<void> {
    await this.database.transaction(async (tx) => {
      await tx.execute(sql`set local session_replication_role = replica`);
      await tx.execute(
        eachTable(
          sql``,
          sql`if name not in ('fee_shares', 'volume_rates') then
            execute format('delete from public.%1$I', name); execute format('insert into public.%1$I (%2$s) select %2$s from saved.%1$I', name,
              (select string_agg(quote_ident(attname), ',') from pg_attribute where attrelid = name::regclass and attnum > 0 and attgenerated = '' and not attisdropped)); end if;`,
          sql`perform setval(sequencename::text, last_value) from saved.sequences where last_value is not null;`,
        ),
      );
    });
    this.#booked = 0;
  }
}

function eachTable(before: SQL, each: SQL, after: SQL): SQL {
  return sql`do $$ declare name text; begin ${before}
    for name in select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    loop ${each} end loop; ${after} end $$`;
}
