import { recheckClaims, type Recheck } from '../claim-recheck.js';
import { findClaim, listClaims, type Claim, type ClaimFilter } from '../claim-queries.js';
import type { Invocation, Result } from '../command.js';
import { withDatabase } from '../database.js';
import { CommandError } from '../errors.js';
import { facts, grouped, moment, sol, tableOr, tokens } from '../format.js';

export async function runClaimsList({ options, terminal }: Invocation<ClaimFilter>): Promise<Result> {
  const claims = await withDatabase(terminal, ({ queries }) => listClaims(queries, options));
  return { document: { claims: claims.map((claim) => summaryOf(claim)) }, text: claimTable(claims) };
}

export async function runClaimsShow({
  args: [signature = ''],
  terminal,
}: Invocation<object>): Promise<Result> {
  const claim = await withDatabase(terminal, ({ queries }) => findClaim(queries, signature));
  if (claim === undefined) {
    throw new CommandError(`there is no claim ${signature}; \`curvekit claims list\` shows them`);
  }
  return { document: claim, text: claimFacts(claim) };
}

export async function runClaimsRecheck({
  args: [signature],
  options: { rpcUrl },
  terminal,
}: Invocation<{ readonly rpcUrl: string }>): Promise<Result> {
  const claims = await recheckClaims(terminal, rpcUrl, signature);
  return {
    document: { claims },
    text: recheckTable(claims),
    failed: claims.some(({ undecided }) => undecided !== null),
  };
}

function recheckTable(claims: readonly Recheck[]): string {
  return tableOr(
    'No claim is in progress.',
    [{ title: 'signature' }, { title: 'state' }, { title: 'undecided because' }],
    claims.map(({ signature, state, undecided }) => ({ cells: [signature, state, undecided ?? '—'] })),
  );
}

function claimTable(claims: readonly Claim[]): string {
  return tableOr(
    'There are no such claims.',
    [
      { title: 'signature' },
      { title: 'wallet' },
      { title: 'mint' },
      { title: 'amount', align: 'right' },
      { title: 'state' },
      { title: 'created', unit: 'UTC' },
    ],
    claims.map((claim) => ({
      cells: [
        claim.signature,
        claim.wallet,
        claim.mint,
        amountOf(claim),
        claim.state,
        moment(claim.createdAt),
      ],
    })),
  );
}

function claimFacts(claim: Claim): string {
  return facts([
    ['signature', claim.signature],
    ['wallet', claim.wallet],
    ['mint', claim.mint],
    ['amount', amountOf(claim)],
    ['of it, network fee', `${sol(claim.networkFee)} SOL`],
    ['burned', claim.burn ? 'yes' : 'no'],
    ['state', claim.state],
    ['problem', claim.problem ?? '—'],
    ['last valid block', `height ${grouped(claim.lastValidBlockHeight)}`],
    ['created', `${moment(claim.createdAt)} UTC`],
    ['updated', `${moment(claim.updatedAt)} UTC`],
  ]);
}

function amountOf({ asset, amount }: Claim): string {
  return asset === 'SOL' ? `${sol(amount)} SOL` : `${tokens(amount)} tokens`;
}

/** Without the transaction, which only `claims show` needs. */
function summaryOf(claim: Claim): object {
  return { ...claim, transaction: undefined };
}
