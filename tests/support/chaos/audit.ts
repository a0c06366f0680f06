// Compares the chain with the database while no service runs: nothing is paid twice, nothing is lost.
import { setTimeout as sleep } from 'node:timers/promises';
import type { PublicKey } from '@solana/web3.js';
import { statement, type Queries } from '#app/db/database.js';
import { associatedTokenAddress } from '@curvekit/sdk';
import { checkLedger } from '#app/ledger/check.js';
import { lamportsOf, lamportsOfAll } from '../cluster/accounts.js';
import { mintAccount, tokensOf } from '../program/tokens.js';
import { DIRECT_MINT, type World } from './world.js';

const LOOKS = 3;
const BETWEEN_LOOKS_MS = 1_000;
const ACCOUNTS_AT_ONCE = 100;
const SIGNATURES_AT_ONCE = 256;

interface ClaimRow {
  readonly signature: string;
  readonly wallet: string;
  readonly state: string;
  readonly paid: bigint;
}

type Received = 'lp' | 'creator' | 'lp_tokens' | 'creator_tokens' | 'burned';

/** The transaction of a settlement, and what it pays. */
type PaymentRow = Readonly<Record<Received | 'signature' | 'state' | 'id', string>>;

/** What the audit has seen, so that later ones need not ask again. */
export interface Seen {
  /** Whether a transaction has landed without an error; only for transactions that have ended. */
  readonly landed: Map<string, boolean>;
}

/**
 * Every difference between the chain and the database, in words. What the killed process sent may land while this reads: then it
 * reads again. A second payment or a lost claim stays.
 */
export async function auditAtRest(world: World, queries: Queries, seen: Seen): Promise<string[]> {
  for (let look = 1; ; look += 1) {
    const problems = await audit(world, queries, seen);
    if (problems.length === 0 || look === LOOKS) return problems;
    await sleep(BETWEEN_LOOKS_MS);
  }
}

async function audit(world: World, queries: Queries, seen: Seen): Promise<string[]> {
  const problems = (await checkLedger(queries, { whole: true })).map(
    ({ rule, detail }) => `${rule}: ${detail}`,
  );
  problems.push(...(await claimProblems(world, queries, seen)));
  problems.push(...(await settlementProblems(world, queries, seen)));
  problems.push(...(await creditProblems(world, queries)));
  return problems;
}

/** Each claim that was returned is stored, ended as the chain says, and paid to its wallet once. */
async function claimProblems(world: World, queries: Queries, seen: Seen): Promise<string[]> {
  const rows = await statement<{ signature: string; wallet: string; state: string; paid: string }>(queries)`
    select signature, wallet, state, (amount - network_fee)::text as paid from claims`;
  const claims: ClaimRow[] = rows.map((row) => ({ ...row, paid: BigInt(row.paid) }));
  const ended = new Set(
    claims.filter(({ state }) => state !== 'IN_PROGRESS').map(({ signature }) => signature),
  );
  const landed = await landedOf(world, claims, ended, seen);
  const problems: string[] = [];
  for (const { signature, state } of claims) {
    const isPaid = landed.get(signature) === true;
    if (state === 'COMPLETED' && !isPaid) problems.push(`claim ${signature} is COMPLETED and not on chain`);
    if (ended.has(signature) && state !== 'COMPLETED' && isPaid)
      problems.push(`claim ${signature} is ${state} and paid on chain: its amount can be claimed again`);
  }
  const stored = new Set(claims.map(({ signature }) => signature));
  for (const signature of world.handedOut)
    if (!stored.has(signature))
      problems.push(`claim ${signature} was returned to its wallet and is not stored`);

  const paid = new Map<string, bigint>();
  for (const claim of claims)
    if (landed.get(claim.signature) === true)
      paid.set(claim.wallet, (paid.get(claim.wallet) ?? 0n) + claim.paid);
  for (const [address, lamports] of await balancesOf(world)) {
    const expected = paid.get(address) ?? 0n;
    if (lamports !== expected)
      problems.push(`${address} has ${lamports} lamports on chain, and its stored claims paid ${expected}`);
  }
  return problems;
}

/** Each settlement is paid by one transaction at most, and the recipients have exactly what those transactions pay. */
async function settlementProblems(world: World, queries: Queries, seen: Seen): Promise<string[]> {
  // The share of other tokens goes to other creators.
  const rows = await statement<PaymentRow>(queries)`
    select t.signature, t.state, s.id::text as id, s.sol_lp::text as lp,
      case when own then s.sol_creator else 0 end::text as creator,
      case when own then s.token_lp else 0 end::text as lp_tokens,
      case when own then s.token_creator - s.token_creator_credited else 0 end::text as creator_tokens,
      case when own then s.token_burned else 0 end::text as burned
    from authority_transactions t join settlements s on t.subject = 'settlement:' || s.id,
      lateral (select s.mint = ${world.settled.mint.toBase58()} as own) settled`;
  const ended = new Set(rows.filter(({ state }) => state !== 'signed').map(({ signature }) => signature));
  const landed = await landedOf(world, rows, ended, seen);
  const problems: string[] = [];
  const paying = rows.filter(({ signature }) => landed.get(signature) === true);
  const settlements = new Set(paying.map(({ id }) => id));
  if (settlements.size !== paying.length) problems.push('a settlement is paid by two transactions');
  for (const { signature, state } of rows)
    if (ended.has(signature) && (state === 'finalized') !== (landed.get(signature) === true))
      problems.push(`transaction ${signature} of a settlement is ${state}, and the chain says otherwise`);
  for (const [what, got] of Object.entries(await received(world)) as [Received, bigint][]) {
    const expected = paying.reduce((sum, row) => sum + BigInt(row[what]), 0n);
    if (got !== expected)
      problems.push(`${what}: ${got} on chain, and the settlements that landed pay ${expected}`);
  }
  return problems;
}

/** What settlements have paid on chain: lamports, and base units of the settled token. */
async function received({ cluster, settled, before, lp, creator }: World): Promise<Record<Received, bigint>> {
  const { connection } = cluster;
  const tokens = (owner: PublicKey): Promise<bigint> =>
    tokensOf(connection, associatedTokenAddress(owner, settled.mint).address);
  return {
    lp: (await lamportsOf(connection, lp.publicKey)) - before.lp,
    creator: (await lamportsOf(connection, creator.publicKey)) - before.creator,
    lp_tokens: await tokens(lp.publicKey),
    creator_tokens: await tokens(creator.publicKey),
    burned: before.supply - (await mintAccount(connection, settled.mint)).supply,
  };
}

/** What wallets were credited is what the run and the settlements credited. */
async function creditProblems(world: World, queries: Queries): Promise<string[]> {
  const credits = await statement<{ owner: string; amount: string }>(queries)`
    select owner, sum(balance)::text as amount from ledger_accounts
    where mint = ${DIRECT_MINT} and kind in ('claimable', 'reserved', 'claimed') group by owner`;
  const inLedger = new Map(credits.map(({ owner, amount }) => [owner, BigInt(amount)]));
  return [...world.credited]
    .filter(([wallet, amount]) => inLedger.get(wallet) !== amount)
    .map(
      ([wallet, amount]) =>
        `${wallet} was credited ${amount} lamports; its accounts have ${inLedger.get(wallet)}`,
    );
}

/** Asks the node itself, not the proxy that misbehaves. */
async function landedOf(
  { cluster }: World,
  transactions: readonly { readonly signature: string }[],
  ended: ReadonlySet<string>,
  { landed }: Seen,
): Promise<ReadonlyMap<string, boolean>> {
  const found = new Map(landed);
  const asked = transactions.map(({ signature }) => signature).filter((signature) => !landed.has(signature));
  for (let first = 0; first < asked.length; first += SIGNATURES_AT_ONCE) {
    const chunk = asked.slice(first, first + SIGNATURES_AT_ONCE);
    const { value } = await cluster.connection.getSignatureStatuses(chunk, {
      searchTransactionHistory: true,
    });
    for (const [index, status] of value.entries()) {
      const isLanded = status !== null && status.err === null;
      found.set(chunk[index]!, isLanded);
      if (ended.has(chunk[index]!)) landed.set(chunk[index]!, isLanded);
    }
  }
  return found;
}

async function balancesOf({ cluster, wallets }: World): Promise<[string, bigint][]> {
  const balances: [string, bigint][] = [];
  for (let first = 0; first < wallets.length; first += ACCOUNTS_AT_ONCE) {
    const chunk = wallets.slice(first, first + ACCOUNTS_AT_ONCE).map(({ publicKey }) => publicKey);
    const lamports = await lamportsOfAll(cluster.connection, chunk);
    balances.push(...chunk.map((wallet, index) => [wallet.toBase58(), lamports[index]!] as [string, bigint]));
  }
  return balances;
}
