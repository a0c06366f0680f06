// Reads the chain's records with only web3.js and the SDK, to compare an index with them.
import { expect } from 'chai';
import { asc, eq } from 'drizzle-orm';
import { decodeRecords, rebuildHistories, recordKey, type CurveRecord } from '@curvekit/sdk';
import type { LocalCluster } from '@curvekit/testing';
import type { Queries } from '#app/db/database.js';
import { curveMigrations, curveStates, graduations, records, tokens, trades } from '#app/db/schema/index.js';

const PAGE_SIZE = 1_000;

/** Every record of the program so far, in order. */
export async function recordsOnChain({
  connection,
  programId,
  deployment,
}: LocalCluster): Promise<CurveRecord[]> {
  const signatures: string[] = [];
  for (let before: string | undefined; ; before = signatures.at(-1)) {
    const options = { limit: PAGE_SIZE, ...(before === undefined ? {} : { before }) };
    const page = await connection.getSignaturesForAddress(programId, options, 'confirmed');
    signatures.push(...page.filter(({ err }) => err === null).map(({ signature }) => signature));
    if (page.length < PAGE_SIZE) break;
  }
  const found: CurveRecord[] = [];
  for (const signature of signatures.reverse()) {
    const transaction = await connection.getTransaction(signature, {
      commitment: 'confirmed',
      maxSupportedTransactionVersion: 0,
    });
    if (transaction === null) throw new Error(`the cluster lists ${signature} but does not have it`);
    found.push(...decodeRecords(transaction, { deployment }));
  }
  return found;
}

/** Expects every table of the index to contain exactly these records, each once, in order. */
export async function expectIndexOf(
  queries: Queries,
  expected: readonly CurveRecord[],
  { finalized }: { readonly finalized: boolean },
): Promise<void> {
  const stored = await queries.select().from(records).orderBy(asc(records.id));
  expect(stored.map((row) => recordKey({ ...row, position: row }))).to.deep.equal(expected.map(recordKey));
  expect(stored.map(({ slot, kind }) => [slot, kind])).to.deep.equal(
    expected.map(({ slot, kind }) => [slot, kind]),
  );
  if (finalized) expect(stored.filter((row) => !row.finalized)).to.deep.equal([]);
  await expectTrades(queries, expected);
  await expectTokensAndStates(queries, expected);
}

async function expectTrades(queries: Queries, expected: readonly CurveRecord[]): Promise<void> {
  const rows = await queries.select().from(trades).where(eq(trades.venue, 'curve')).orderBy(asc(trades.id));
  const made = expected.flatMap((record) => (record.kind === 'trade' ? [record.data] : []));
  expect(rows).to.have.lengthOf(made.length);
  for (const [index, { timestamp, finalized, ...data }] of made.entries())
    expect(rows[index]).to.include({
      ...{ ...data, mint: data.mint.toBase58(), trader: data.trader.toBase58() },
      ...{ graduated: finalized, timestamp: Number(timestamp) },
    });
}

/** Expects the tokens and curves of the index to be those of these records. */
export async function expectTokensAndStates(
  queries: Queries,
  expected: readonly CurveRecord[],
): Promise<void> {
  const histories = rebuildHistories(expected);
  const rows = await queries.select().from(tokens).innerJoin(curveStates, eq(curveStates.mint, tokens.mint));
  expect(rows).to.have.lengthOf(histories.size);
  for (const { tokens: token, curve_states: state } of rows) {
    const history = histories.get(token.mint)!;
    const { created } = history;
    expect(token).to.include({
      creator: created.creator.toBase58(),
      curve: created.tokenOwnerPda.toBase58(),
      name: created.name.replaceAll('\0', '\uFFFD'),
      symbol: created.symbol.replaceAll('\0', '\uFFFD'),
      uri: created.uri.replaceAll('\0', '\uFFFD'),
      afterMigrationFeeBps: created.afterMigrationFee,
      burnBps: created.burnBp,
      holdersBps: created.holdersBp,
      lpBps: created.lpBp,
      initialVirtualSol: created.virtualSol,
      initialVirtualToken: created.virtualToken,
      platformFeeBps: created.platformFeeBps,
      createdAt: Number(created.timestamp),
    });
    const { migrated, graduated } = history;
    const { status, virtualSol, virtualToken, buys, sells, solPaid, solReceived } = history;
    const { tokensBought, tokensSold, fees, updatedAt } = history;
    expect(state).to.include({
      ...{ status, virtualSol, virtualToken, buys, sells, solPaid, solReceived },
      ...{ tokensBought, tokensSold, fees, updatedAt: Number(updatedAt) },
    });
    const migrations = await queries
      .select()
      .from(curveMigrations)
      .where(eq(curveMigrations.mint, token.mint));
    expect(migrations.map(({ solAmount, tokenAmount }) => ({ solAmount, tokenAmount }))).to.deep.equal(
      migrated === undefined ? [] : [{ solAmount: migrated.solAmount, tokenAmount: migrated.tokenAmount }],
    );
    const pools = await queries.select().from(graduations).where(eq(graduations.mint, token.mint));
    expect(pools.map(({ pool, poolSol, communitySol }) => ({ pool, poolSol, communitySol }))).to.deep.equal(
      [graduated ?? []]
        .flat()
        .map(({ pool, poolSol, communitySol }) => ({ pool: pool.toBase58(), poolSol, communitySol })),
    );
  }
}
