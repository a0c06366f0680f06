import type { Context } from '../../context.js';
import { allFindings, openFindings } from '../../reconciliation/findings.js';
import { paymentsHeld, watchOwnKeys } from '../../ledger/gate/payments-gate.js';
import { Reconciliation } from '../../reconciliation/reconcile.js';
import { recoveredWithRest, type Recovered } from '../../reconciliation/recovered.js';
import type { Unknown } from '../../reconciliation/unknown-transactions.js';
import { withContext } from '../chain-work.js';
import type { Invocation, Result } from '../command.js';
import { CommandError } from '../errors.js';

interface Options {
  readonly repair?: boolean;
  readonly takeOver?: boolean;
}

const MOST_SHOWN = 1_000;

export function runLedgerReconcile({ options, terminal }: Invocation<Options>): Promise<Result> {
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
