import { Option, type Command } from 'commander';
import { CLAIM_STATES } from '../../db/schema/index.js';
import { recheckClaims, type Recheck } from '../claim-recheck.js';
import { findClaim, listClaims, type Claim, type ClaimFilter } from '../claim-queries.js';
import { work, type Registration } from '../command.js';
import { withDatabase } from '../database.js';
import { CommandError } from '../errors.js';
import { facts, grouped, moment, sol, tableOr, tokens } from '../format.js';
import { address, nodeUrl, wholeNumber } from '../values.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 10_000;

export function registerClaims(program: Command, registration: Registration): void {
  const group = program.command('claims').description('claims of rewards');
  const list = group
    .command('list')
    .description('claims, the newest first')
    .addOption(new Option('--state <state>', 'only those in this state').choices(CLAIM_STATES))
    .option('--wallet <address>', 'only claims of this wallet', address)
    .option('--mint <address>', 'only those of this token', address)
    .option('--limit <count>', 'how many at most', wholeNumber(1, MAX_LIMIT), DEFAULT_LIMIT);
  work<ClaimFilter>(list, registration, async ({ options, terminal }) => {
    const claims = await withDatabase(terminal, ({ queries }) => listClaims(queries, options));
    return { document: { claims: claims.map((claim) => summaryOf(claim)) }, text: claimTable(claims) };
  });

  const show = group
    .command('show')
    .description('one claim')
    .argument('<signature>', 'signature of its transaction, as in `claims list`');
  work(show, registration, async ({ args: [signature = ''], terminal }) => {
    const claim = await withDatabase(terminal, ({ queries }) => findClaim(queries, signature));
    if (claim === undefined) {
      throw new CommandError(`there is no claim ${signature}; \`curvekit claims list\` shows them`);
    }
    return { document: claim, text: claimFacts(claim) };
  });

  const recheck = group
    .command('recheck')
    .description(
      "check claims in progress on another node, and end those that it finds or proves expired: for claims that the service's own node cannot decide. Exit code 1 when one stays undecided",
    )
    .argument('[signature]', 'one claim; all claims in progress without it')
    .requiredOption('--rpc-url <url>', 'a node of the same cluster, with the whole history', nodeUrl);
  work<{ rpcUrl: string }>(
    recheck,
    registration,
    async ({ args: [signature], options: { rpcUrl }, terminal }) => {
      const claims = await recheckClaims(terminal, rpcUrl, signature);
      return {
        document: { claims },
        text: recheckTable(claims),
        failed: claims.some(({ undecided }) => undecided !== null),
      };
    },
  );
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
