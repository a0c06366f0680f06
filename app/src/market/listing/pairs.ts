// Tokens and their curves as aggregators know them: an asset, and its pair with SOL. Only those whose creation is finalized.
import { NATIVE_MINT_ADDRESS, SOL_DECIMALS, TOKEN_DECIMALS } from '@curvekit/sdk';
import { PublicKey } from '@solana/web3.js';
import { sql, type SQL } from 'drizzle-orm';
import type { Context } from '../../context.js';
import { askNode } from '../../chain/connection.js';
import type { Executor } from '../../db/database.js';
import { preparedRows } from '../../db/statements.js';
import { unavailable } from '../../http/problem.js';
import { isFinal } from '../../index/trades/trade.js';
import { IDENTITY_COLUMNS, identityOf } from '../reads/token-rows.js';
import { solOf, tokensOf } from './events.js';

export const SOL_MINT = NATIVE_MINT_ADDRESS.toBase58();

type Row = Readonly<
  Record<'mint' | 'name' | 'symbol' | 'creator' | 'created_at' | 'slot' | 'signature', string>
> & {
  readonly hidden: boolean;
  readonly picture: string | null;
  readonly fee_bps: number;
};

async function rowWhere(db: Executor, condition: SQL): Promise<Row | undefined> {
  const [row] = await preparedRows<Row>(
    db,
    sql`select m.mint, m.name, m.symbol, m.creator, m.platform_fee_bps as fee_bps, m.created_at::text as created_at,
          r.slot::text as slot, r.signature, ${IDENTITY_COLUMNS}
        from tokens m join other_records r on r.id = m.record_id
        where ${condition} and ${isFinal('m.record_id')}`,
  );
  return row;
}

/** What a name may not contain: control characters, which NUL became U+FFFD for the database, and marks that turn its direction. */
const UNWANTED = /[\p{Cc}\p{Bidi_Control}\uFFFD]+/gu;
const cleaned = (text: string) => text.replaceAll(UNWANTED, ' ').trim();

/** Undefined for an unknown mint. @throws HttpProblem 503 without the node, which tells the supply */
export async function assetOf({ database, connection }: Context, mint: string) {
  const isSol = mint === SOL_MINT;
  const row = isSol ? undefined : await rowWhere(database.queries, sql`m.mint = ${mint}`);
  if (!isSol && row === undefined) return undefined;
  const asked = askNode(connection.getTokenSupply(new PublicKey(mint), 'finalized'));
  const { value } = await asked.catch((error: unknown) => {
    throw unavailable('The node does not tell the supply; try again later', error);
  });
  const supply = (isSol ? solOf : tokensOf)(value.amount);
  const { name, symbol } =
    row === undefined
      ? { name: 'Wrapped SOL', symbol: 'SOL' }
      : identityOf({ ...row, name: cleaned(row.name), symbol: cleaned(row.symbol) });
  // The launchpad's market caps are of the whole supply too.
  const supplies = { totalSupply: supply, circulatingSupply: supply };
  return { id: mint, name, symbol, decimals: isSol ? SOL_DECIMALS : TOKEN_DECIMALS, ...supplies };
}

/** Undefined for an unknown curve, and for a pool that is unknown or not listed. */
export async function pairOf({ database, config }: Pick<Context, 'database' | 'config'>, id: string) {
  const row =
    (await rowWhere(database.queries, sql`m.curve = ${id}`)) ??
    (config.listsPools ? await poolRow(database.queries, id) : undefined);
  if (row === undefined) return undefined;
  return {
    id,
    asset0Id: row.mint,
    asset1Id: SOL_MINT,
    createdAtBlockNumber: Number(row.slot),
    createdAtBlockTimestamp: Number(row.created_at),
    createdAtTxnId: row.signature,
    creator: row.creator,
    ...(row.fee_bps !== undefined && { feeBps: row.fee_bps }),
  };
}

type PoolRow = Omit<Row, 'name' | 'symbol' | 'hidden' | 'picture' | 'fee_bps'> & {
  readonly fee_bps?: never;
};

async function poolRow(db: Executor, pool: string): Promise<PoolRow | undefined> {
  const [row] = await preparedRows<PoolRow>(
    db,
    sql`select m.mint, m.creator, g.timestamp::text as created_at, r.slot::text as slot, r.signature
        from graduations g join tokens m on m.mint = g.mint join other_records r on r.id = g.record_id
        where g.pool = ${pool} and ${isFinal('g.record_id')}`,
  );
  return row;
}
