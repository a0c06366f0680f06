// What trades come to for creators, splits and traders, without the service's code.
import { sql } from 'drizzle-orm';
import { expect } from 'chai';
import type { CurveRecord } from '@curvekit/sdk';
import { rowsOf, type Database } from '#app/db/database.js';
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
    await tx.execute(
      sql`truncate ledger_entries, ledger_postings, ledger_accounts, ledger_totals, volume_rewards, volume_rates, fee_shares cascade`,
    );
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
  const rates = await rowsOf<{ slot: string; bps: number }>(
    database.queries,
    sql`select from_slot::text as slot, share_bps as bps from volume_rates order by from_slot desc`,
  );
  const slots = new Map(
    (
      await rowsOf<{ mint: string; slot: string }>(
        database.queries,
        sql`select mint, slot::text as slot from fee_shares`,
      )
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
  const rows = await rowsOf<{ key: string; amount: string }>(
    database.queries,
    sql`select mint || ' ' || wallet as key, sum(amount)::text as amount from (
        select mint, owner as wallet, balance as amount from ledger_accounts where origin = 'volume' and owner is not null
        ${finalized ? sql`` : sql`union all select mint, wallet, amount from pending_rewards where origin = 'volume'`}
      ) earned group by mint, wallet`,
  );
  expect(Object.fromEntries(rows.map(({ key, amount }) => [key, BigInt(amount)]))).to.deep.equal(
    Object.fromEntries(expected),
  );
  if (finalized) expect(await ledgerProblems(database)).to.deep.equal([]);
}
