import type { Command } from 'commander';
import { CommandError, work, type Registration, type Invocation, type Result } from '../command.js';
import type { Database } from '../../db/database.js';
import { sumAccounts } from '../../ledger/balances.js';
import { checkLedger } from '../../ledger/check.js';
import { withDatabase, withContext } from '../session.js';
import { grouped, right, sol, tableOr, tokens } from '../format.js';
import type { Context } from '../../context.js';
import { allFindings, openFindings } from '../../reconciliation/findings.js';
import { paymentsHeld, watchOwnKeys } from '../../ledger/gate/payments-gate.js';
import { Reconciliation } from '../../reconciliation/reconcile.js';
import { recoveredWithRest, type Recovered } from '../../reconciliation/recovered.js';
import type { Unknown } from '../../reconciliation/unknown-transactions.js';

export function register(group: Command, registration: Registration): void {
  const reconcile = group
    .command('reconcile')
    .description(
      'compare payments of the treasury and the DEX owner on chain with the tables, and say what holds payments; exit code 1 when a payment is not booked',
    )
    .option(
      '--repair',
      'book what the tables lack, including what the service refuses to book by itself. An amount that was credited to nobody is booked as a loss',
    )
    .option(
      '--take-over',
      'make this database the one that pays from the treasury; the database that pays now stops. Use it after a restore, or when the wrong database has taken over',
    );
  work(reconcile, registration, runLedgerReconcile);

  const check = group
    .command('check')
    .description('check from every entry and claim that the ledger adds up; exit code 1 when it does not');
  work(check, registration, ({ terminal }) => withDatabase(terminal, checkedLedger));
}

async function checkedLedger(database: Database): Promise<Result> {
  const problems = await checkLedger(database.queries, { whole: true });
  const totals = await sumAccounts(database.queries);
  const table = tableOr(
    'The ledger is empty.',
    [
      'asset',
      'from',
      right('credited', 'SOL, tokens'),
      right('claimable', 'SOL, tokens'),
      right('reserved', 'SOL, tokens'),
      right('claimed', 'SOL, tokens'),
      right('backed by fees', 'SOL'),
    ],
    totals.map(({ asset, origin, credited, claimable, reserved, claimed, covered }) => {
      const amounts = [credited, claimable, reserved, claimed].map(asset === 'SOL' ? sol : tokens);
      return [asset, origin, ...amounts, covered === null ? '' : sol(covered)];
    }),
  );
  const verdict =
    problems.length === 0
      ? 'The ledger adds up.'
      : `The ledger does NOT add up (${grouped(problems.length)} findings):\n${problems
          .map(({ rule, detail }) => `  ${rule}: ${detail}`)
          .join('\n')}\nStop claims (restart without TREASURY_KEYPAIR) and find out why before going on.`;
  return { document: { problems, totals }, text: `${table}\n\n${verdict}`, failed: problems.length > 0 };
}

interface Options {
  readonly repair?: boolean;
  readonly takeOver?: boolean;
}

const MOST_SHOWN = 1_000;

function runLedgerReconcile({ options, terminal }: Invocation<Options>): Promise<Result> {
  return withContext(terminal, (context) => {
    if (options.takeOver === true) return takeOver(context);
    return options.repair === true ? repair(context) : show(context);
  });
}

async function show(context: Context): Promise<Result> {
  const { queries } = context.database;
  const { signal } = new AbortController();
  const lacking: string[] = [];
  const unreadable: string[] = [];
  for await (const unknown of new Reconciliation(context).survey(signal)) {
    if (unknown.kind === 'payment') lacking.push(describe(unknown));
    if (unknown.kind === 'unreadable') unreadable.push(unknown.transaction.reason);
  }
  const refused = (await openFindings(queries)).map(({ detail }) => detail);
  const held = (await paymentsHeld(queries)) ?? null;
  const earlier = (await allFindings(queries, MOST_SHOWN)).filter(
    ({ state }) => state !== 'open' && state !== 'unreadable',
  );
  const queued = await recoveredWithRest(queries);
  const found = lacking.length > 0 || refused.length > 0;
  return {
    document: { held, lacking, refused, unreadable, earlier, queued: queued.map(documentOf) },
    text: [
      `Payments: ${held ?? 'open'}`,
      list('Paid on chain and not in the tables', lacking),
      list('Refused by the service', refused),
      ...(unreadable.length === 0 ? [] : [list('Unreadable, so not payments of the service', unreadable)]),
      list(
        'Found earlier',
        earlier.map(({ state, detail }) => `${state}: ${detail}`),
      ),
      ...queuedText(queued),
      found ? 'The service books what it can by itself; `--repair` books the rest.' : 'Nothing is missing.',
    ].join('\n'),
    failed: found,
  };
}

async function repair(context: Context): Promise<Result> {
  const { queries } = context.database;
  const { signal } = new AbortController();
  await watchOwnKeys(context);
  const reconciliation = new Reconciliation(context);
  let report = await reconciliation.pass(signal, { repair: true });
  while (!report.isComplete) report = await reconciliation.pass(signal, { repair: true });
  const { booked } = report;
  const refused = (await openFindings(queries)).map(({ detail }) => detail);
  const held = (await paymentsHeld(queries)) ?? null;
  const queued = await recoveredWithRest(queries);
  return {
    document: { held, booked, refused, queued: queued.map(documentOf) },
    text: [
      `Payments: ${held ?? 'open'}`,
      list(
        'Booked',
        booked.filter(({ state }) => state !== 'open').map(({ detail }) => detail),
      ),
      list('Not booked', refused),
      ...queuedText(queued),
    ].join('\n'),
    failed: refused.length > 0,
  };
}

async function takeOver(context: Context): Promise<Result> {
  if (context.config.treasury === undefined)
    throw new CommandError('--take-over needs the treasury: set TREASURY_KEYPAIR');
  await watchOwnKeys(context);
  const from = (await new Reconciliation(context).takeOver(new AbortController().signal)) ?? null;
  return {
    document: { from },
    text:
      from === null
        ? 'No database has written on chain that it pays from this treasury. The first that starts does.'
        : `This database takes over from the one with epoch ${from}. Payments open about two minutes after the service has written that on chain.`,
  };
}

function describe({
  transaction: { signature },
  payment,
}: Extract<Unknown, { readonly kind: 'payment' }>): string {
  if (payment.kind === 'claim') {
    const { wallet, mint, asset, amount } = payment.claim;
    const unit = asset === 'SOL' ? 'lamports' : 'token units';
    return `${signature} paid a claim of ${amount} ${unit} for token ${mint} to ${wallet}`;
  }
  if (payment.kind === 'funding')
    return `${signature} moved ${payment.amount} lamports of fees to the treasury`;
  return `${signature} settled the storages of ${payment.mint ?? 'an unknown token'}`;
}

function documentOf({ settlementId, mint, signature, solLeft, tokenLeft }: Recovered): object {
  return { settlement: settlementId, mint, signature, sol: solLeft, token: tokenLeft };
}

/** Sampling the holders takes a whole period. The command does not wait for it. */
function queuedText(queued: readonly Recovered[]): string[] {
  if (queued.length === 0) return [];
  const lines = queued.map(
    ({ settlementId, mint, solLeft, tokenLeft }) =>
      `settlement ${settlementId} of token ${mint}: ${solLeft} lamports and ${tokenLeft} token units`,
  );
  return [
    list("Found on chain, the holders' part not credited yet", lines),
    'The service credits the holders over the next period: it samples them first.',
  ];
}

function list(title: string, lines: readonly string[]): string {
  return lines.length === 0
    ? `${title}: nothing.`
    : `${title}:\n${lines.map((line) => `  ${line}`).join('\n')}`;
}
