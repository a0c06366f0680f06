// A creator's choice of who earns its share of a token's fees: checked, and never changed.
import { PublicKey } from '@solana/web3.js';
import { feeShareMessage, type FeeShare } from '@curvekit/sdk/market';
import { sql } from 'drizzle-orm';
import type { Context } from '../../context.js';
import { column } from '../../db/statements.js';
import { statement, type Database, type Executor, type Transaction } from '../../db/database.js';
import { decodeBase58, SIGNATURE_BYTES } from '../../base/base58.js';
import { askNode } from '../../chain/connection.js';
import { HttpProblem, invalid, unavailable } from '../../http/problem.js';
import { indexProgress } from '../../index/lag.js';
import { lockIds } from '../../index/trades/store.js';
import { verifySignature } from '../../keys/ed25519.js';
import { signedForms } from '../../keys/offchain-message.js';
import { CHOSEN, OTHER_SIGNATURE, TOO_LATE, type Choice } from './schemas.js';

/** Slots of about two minutes: a hardware wallet takes its time. */
const OLDEST_SLOTS = 300;
/** Nodes do not see a slot in the same moment. */
const MOST_AHEAD_SLOTS = 16;
/** An index that is this far behind may not have a trade that makes the choice too late. Finality takes about 13 s of it. */
const MOST_BEHIND_MS = 60_000;
/** Of slots: a day. A choice whose token was not created by then is forgotten. */
const KEPT_SLOTS = 216_000;
const FORGOTTEN_AT_ONCE = 1_000;

export type ChoiceParts = Context & {
  /** The chain as the configuration names it. */
  readonly chain: () => Promise<string>;
};

/** @throws HttpProblem that says what to change, or that it is too late */
export async function keepChoice(parts: ChoiceParts, mint: string, choice: Choice): Promise<void> {
  const { creator, slot, signature } = choice;
  const share: FeeShare =
    choice.kind === 'split' ? { kind: 'split', wallets: choice.wallets! } : { kind: choice.kind };
  const { programId } = parts.deployment;
  const chain = await askNode(parts.chain()).catch(nodeIsSilent);
  const message = feeShareMessage({ mint, slot, share }, { programId: programId.toBase58(), chain });
  const signed = signedBy(message, choice);
  if (await isKept(parts.database.queries, mint, choice, message)) return;
  await requireNow(parts, slot);
  await requireWallets(parts, share);
  const kept = await parts.database.transaction(async (tx) => {
    // Until the commit, the index books no trade.
    await lockIds(tx);
    await requireUntraded(tx, mint, choice);
    const [wallets, bps] =
      share.kind === 'split'
        ? [share.wallets.map((one) => one.wallet), share.wallets.map((one) => one.bps)]
        : [[], []];
    const rows = await statement(tx)`
      insert into fee_shares (mint, creator, kind, wallets, parts, slot, message, signed, signature)
      values (${mint}, ${creator}, ${share.kind}, ${column(wallets, 'text')}, ${column(bps, 'integer')}, ${slot}, ${message},
        ${Buffer.from(signed).toString('base64')}, ${signature})
      on conflict do nothing returning mint`;
    return rows.length > 0;
  });
  if (!kept && !(await isKept(parts.database.queries, mint, choice, message))) throw problemOf(CHOSEN);
}

const problemOf = ({ status, code, description }: typeof CHOSEN) =>
  new HttpProblem(status, code, description);

function nodeIsSilent(cause: unknown): never {
  throw unavailable('The node does not answer; try again later', cause);
}

/** The bytes that the creator signed. */
function signedBy(message: string, { creator, signature, signedMessage }: Choice): Uint8Array {
  const key = new PublicKey(creator).toBytes();
  const told = signedMessage === undefined ? undefined : Buffer.from(signedMessage, 'base64');
  for (const form of signedForms(Buffer.from(message), key, told))
    if (verifySignature(key, form, decodeBase58(signature, SIGNATURE_BYTES)!)) return form;
  throw problemOf(OTHER_SIGNATURE);
}

async function isKept(db: Executor, mint: string, { creator }: Choice, message: string): Promise<boolean> {
  const [row] = await statement<{ message: string }>(db)`
    select message from fee_shares where mint = ${mint} and creator = ${creator}`;
  if (row !== undefined && row.message !== message) throw problemOf(CHOSEN);
  return row !== undefined;
}

async function requireNow(parts: ChoiceParts, slot: number): Promise<void> {
  const [newest, { ageMs }] = await Promise.all([
    askNode(parts.connection.getSlot('confirmed')).catch(nodeIsSilent),
    indexProgress(parts),
  ]);
  if (slot > newest + MOST_AHEAD_SLOTS || slot < newest - OLDEST_SLOTS)
    throw invalid([
      {
        field: 'slot',
        message: `must be of the last ${OLDEST_SLOTS} slots, and the newest is ${newest}; sign again`,
      },
    ]);
  if (ageMs === null || ageMs > MOST_BEHIND_MS)
    throw unavailable(
      'The index is behind the chain, so nobody knows yet who has traded; try again in a minute',
    );
}

/** A program cannot claim. The schema has refused addresses that no key signs for, such as that of the curve. */
async function requireWallets({ connection }: Context, share: FeeShare): Promise<void> {
  if (share.kind !== 'split') return;
  const keys = share.wallets.map(({ wallet }) => new PublicKey(wallet));
  const accounts = await askNode(connection.getMultipleAccountsInfo(keys)).catch(nodeIsSilent);
  const programs = accounts.flatMap((account, index) => (account?.executable === true ? [index] : []));
  if (programs.length > 0)
    throw invalid(
      programs.map((index) => ({
        field: `wallets.${index}.wallet`,
        message: 'must be a wallet: this is a program',
      })),
    );
}

async function requireUntraded(tx: Transaction, mint: string, { creator, slot }: Choice): Promise<void> {
  const [token] = await statement<{ creator: string; traded: boolean }>(tx)`
    select k.creator, exists (
      select 1 from trades t where t.mint_id = (select a.id from addresses a where a.address = k.mint)
        and (t.trader <> ${creator} or t.slot > ${slot})
    ) as traded from tokens k where k.mint = ${mint}`;
  if (token === undefined) return;
  if (token.creator !== creator)
    throw invalid([
      { field: 'creator', message: `must be the wallet that created the token: ${token.creator}` },
    ]);
  if (token.traded) throw problemOf(TOO_LATE);
}

/** Deletes choices of the last days whose tokens were not created. The leader calls this again and again. */
export async function forgetUnused(database: Database): Promise<void> {
  const [row] = await statement<{ slot: string | null }>(database.queries)`
    select scanned_slot::text as slot from indexer_state`;
  const until = Number(row?.slot ?? 0) - KEPT_SLOTS;
  const old = await statement<{ mint: string; creator: string }>(database.queries)`
    select f.mint, f.creator from fee_shares f where f.slot between ${until - KEPT_SLOTS} and ${until}
      and (select true from tokens k where k.mint = f.mint) is null order by f.slot limit ${FORGOTTEN_AT_ONCE}`;
  if (old.length === 0) return;
  await database.transaction((tx) =>
    tx.execute(
      sql`delete from fee_shares f using unnest(${column(
        old.map(({ mint }) => mint),
        'text',
      )}, ${column(
        old.map(({ creator }) => creator),
        'text',
      )}) as unused(mint, creator) where f.mint = unused.mint and f.creator = unused.creator`,
    ),
  );
}
