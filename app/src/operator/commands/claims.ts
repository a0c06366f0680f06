import { Option, type Command } from 'commander';
import { and, desc, eq, type SQL } from 'drizzle-orm';
import { CLAIM_STATES } from '../../db/schema/values.js';
import {
  CommandError,
  work,
  type Registration,
  type Invocation,
  type Result,
  type Terminal,
} from '../command.js';
import { address, nodeUrl, wholeNumber } from '../values.js';
import { withDatabase, withContext } from '../session.js';
import { facts, grouped, moment, right, sol, tableOr, tokens } from '../format.js';
import type { Executor } from '../../db/database.js';
import { claims } from '../../db/schema/index.js';
import { Reconciler } from '../../claims/reconciler.js';
import { ClaimsRepository, type Claim, type ClaimState } from '../../claims/repository.js';

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 10_000;

export function register(group: Command, registration: Registration): void {
  const list = group
    .command('list')
    .description('claims, the newest first')
    .addOption(new Option('--state <state>', 'only those in this state').choices(CLAIM_STATES))
    .option('--wallet <address>', 'only claims of this wallet', address)
    .option('--mint <address>', 'only those of this token', address)
    .option('--limit <count>', 'how many at most', wholeNumber(1, MAX_LIMIT), DEFAULT_LIMIT);
  work(list, registration, runClaimsList);

  const show = group
    .command('show')
    .description('one claim')
    .argument('<signature>', 'signature of its transaction, as in `claims list`');
  work(show, registration, runClaimsShow);

  const recheck = group
    .command('recheck')
    .description(
      "check claims in progress on another node, and end those that it finds or proves expired: for claims that the service's own node cannot decide. Exit code 1 when one stays undecided",
    )
    .argument('[signature]', 'one claim; all claims in progress without it')
    .requiredOption('--rpc-url <url>', 'a node of the same cluster, with the whole history', nodeUrl);
  work(recheck, registration, runClaimsRecheck);
}

async function runClaimsList({ options, terminal }: Invocation<ClaimFilter>): Promise<Result> {
  const found = await withDatabase(terminal, ({ queries }) => listClaims(queries, options));
  // The transaction, which only `claims show` needs, is left out.
  const document = { claims: found.map((claim) => ({ ...claim, transaction: undefined })) };
  return { document, text: claimTable(found) };
}

async function runClaimsShow({ args: [signature = ''], terminal }: Invocation<object>): Promise<Result> {
  const claim = await withDatabase(terminal, (database) =>
    claimOf(new ClaimsRepository(database), signature),
  );
  return { document: claim, text: claimFacts(claim) };
}

async function claimOf(repository: ClaimsRepository, signature: string): Promise<Claim> {
  const claim = await repository.find(signature);
  if (claim !== undefined) return claim;
  throw new CommandError(`there is no claim ${signature}; \`curvekit claims list\` shows them`);
}

async function runClaimsRecheck({
  args: [signature],
  options: { rpcUrl },
  terminal,
}: Invocation<{ readonly rpcUrl: string }>): Promise<Result> {
  const rechecked = await recheckClaims(terminal, rpcUrl, signature);
  return {
    document: { claims: rechecked },
    text: tableOr(
      'No claim is in progress.',
      ['signature', 'state', 'undecided because'],
      rechecked.map((claim) => [claim.signature, claim.state, claim.undecided ?? '—']),
    ),
    failed: rechecked.some(({ undecided }) => undecided !== null),
  };
}

function claimTable(found: readonly Claim[]): string {
  return tableOr(
    'There are no such claims.',
    ['signature', 'wallet', 'mint', right('amount'), 'state', { title: 'created', unit: 'UTC' }],
    found.map((claim) => [
      claim.signature,
      claim.wallet,
      claim.mint,
      amountOf(claim),
      claim.state,
      moment(claim.createdAt),
    ]),
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

interface ClaimFilter {
  readonly state?: Claim['state'] | undefined;
  readonly wallet?: string | undefined;
  readonly mint?: string | undefined;
  readonly limit: number;
}

function listClaims(db: Executor, { state, wallet, mint, limit }: ClaimFilter): Promise<Claim[]> {
  const wanted: (SQL | undefined)[] = [
    state === undefined ? undefined : eq(claims.state, state),
    wallet === undefined ? undefined : eq(claims.wallet, wallet),
    mint === undefined ? undefined : eq(claims.mint, mint),
  ];
  return db
    .select()
    .from(claims)
    .where(and(...wanted))
    .orderBy(desc(claims.createdAt), desc(claims.signature))
    .limit(limit);
}

interface Recheck {
  readonly signature: string;
  readonly state: ClaimState;
  /** Why this RPC node cannot decide either; null when it can, or when the claim can still land. */
  readonly undecided: string | null;
}

const PAGE = 256;

/** Rechecks one claim, or all claims in progress. @throws CommandError when the claim does not exist */
function recheckClaims(
  terminal: Terminal,
  rpcUrl: string,
  signature: string | undefined,
): Promise<Recheck[]> {
  return withContext(
    terminal,
    async (context) => {
      const repository = new ClaimsRepository(context.database);
      const reconciler = new Reconciler(context, { repository });
      const { signal } = new AbortController();
      const recheck = async (claim: Claim): Promise<Recheck> => {
        const of = { signature: claim.signature };
        if (claim.state !== 'IN_PROGRESS') return { ...of, state: claim.state, undecided: null };
        try {
          const { state, undecided = null } = await reconciler.lookForEnd(claim, signal);
          return { ...of, state, undecided };
        } catch (error) {
          // Continue with the next claim.
          return { ...of, state: claim.state, undecided: (error as Error).message };
        }
      };
      const rechecked: Recheck[] = [];
      for await (const claim of wanted(repository, signature)) rechecked.push(await recheck(claim));
      return rechecked;
    },
    rpcUrl,
  );
}

async function* wanted(repository: ClaimsRepository, signature: string | undefined): AsyncGenerator<Claim> {
  if (signature !== undefined) {
    yield claimOf(repository, signature);
    return;
  }
  let page: Claim[];
  let after: Claim | undefined;
  do {
    page = await repository.open(PAGE, after);
    yield* page;
    after = page.at(-1);
  } while (page.length === PAGE);
}
