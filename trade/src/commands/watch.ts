// `watch`
import type { PublicKey } from '@solana/web3.js';
import type { Command } from 'commander';
import { subscribeRecords, type ConfirmedTransaction } from '@curvekit/sdk';
import { nodeSource } from '@curvekit/sdk/feed';
import { textOf, work, type Registration, type Session } from '../command.js';
import { addressOf, entriesIn } from '../entries.js';
import { messageOf } from '../errors.js';
import { timeText } from '../output.js';
import { entryText, KINDS, recordEntry, type Entry } from '../records.js';
import { address, oneOf, wholeNumber } from '../values.js';

const MOST_RECORDS = 1_000_000_000;

export function registerWatch(program: Command, registration: Registration): void {
  const command = program
    .command('watch')
    .description(
      'what happens on the launchpad, a line each, until Ctrl-C. With --mint or --trader also the trades in pools',
    )
    .option('--mint <address>', 'of this token only, on its curve and in its pool')
    .option('--trader <address>', 'trades of this wallet only, on curves and in pools')
    .option('--kind <kind>', `one of ${KINDS.join(', ')}`)
    .option('--count <number>', 'end after so many lines')
    .option('--finalized', 'what can never be undone, about 15 s later');
  work(command, registration, runWatch);
}

interface Filter {
  readonly mint: PublicKey | undefined;
  readonly trader: PublicKey | undefined;
  readonly kind: Entry['kind'] | undefined;
}

async function runWatch(session: Session): Promise<void> {
  const { connection, options, terminal, print, progress } = session;
  const filter = filterOf(session);
  const most = textOf(options, 'count');
  let left = most === undefined ? Infinity : wholeNumber('--count', most, 1, MOST_RECORDS);
  const { host } = new URL(connection.rpcEndpoint);
  const closing = new AbortController();
  const watching: Watching = {
    commitment: options['finalized'] === true ? 'finalized' : 'confirmed',
    signal: AbortSignal.any([closing.signal, terminal.stopped, terminal.outputClosed]),
    onReady: () => progress('watching'),
    onError: (error) => progress(`the RPC node ${host} failed: ${messageOf(error, undefined)}; trying again`),
  };
  const where = addressOf(filter.mint, filter.trader);
  const entries = where === undefined ? recordsOf(session, watching) : entriesOf(session, where, watching);
  try {
    for await (const entry of entries) {
      if (!isWanted(entry, filter)) continue;
      print(entry, `${timeText(entry.timestamp)}  ${entry.mint.toBase58()}  ${entryText(entry)}`);
      left -= 1;
      if (left === 0) return;
    }
  } finally {
    closing.abort();
  }
}

interface Watching {
  readonly commitment: 'confirmed' | 'finalized';
  readonly signal: AbortSignal;
  readonly onReady: () => void;
  readonly onError: (error: unknown) => void;
}

/** All records of the program, without pool swaps: no address identifies the swaps of all pools of the launchpad. */
async function* recordsOf(
  { connection, deployment }: Session,
  { commitment, signal, onReady, onError }: Watching,
): AsyncGenerator<Entry> {
  const subscription = subscribeRecords(connection, { deployment, commitment, onError });
  const close = () => void subscription.close();
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  void subscription.ready.then(onReady);
  for await (const record of subscription) yield recordEntry(record);
}

/** Records and swaps in the transactions that mention an address. */
async function* entriesOf(
  { connection, deployment }: Session,
  mentioned: PublicKey,
  watching: Watching,
): AsyncGenerator<Entry> {
  const { programId } = deployment;
  const request = { ...watching, programId, mentions: [mentioned], from: 'now', live: true } as const;
  for await (const item of nodeSource(connection).transactions(request)) {
    if (item === 'caughtUp' || 'undone' in item) continue;
    yield* readable(item, watching, () => {
      const { slot, transaction } = item;
      return entriesIn(item, deployment, { signature: transaction.signatures[0] ?? '', slot });
    });
  }
}

/** Reports and skips a transaction that cannot be read, because anyone can send such a transaction. */
function readable(
  { transaction }: ConfirmedTransaction,
  { onError }: Watching,
  read: () => Entry[],
): readonly Entry[] {
  try {
    return read();
  } catch (error) {
    onError(new Error(`transaction ${transaction.signatures[0]}: ${(error as Error).message}`));
    return [];
  }
}

function isWanted({ kind, mint, trader }: Entry, filter: Filter): boolean {
  if (filter.kind !== undefined && kind !== filter.kind) return false;
  if (filter.mint !== undefined && !mint.equals(filter.mint)) return false;
  return filter.trader === undefined || (kind === 'trade' && String(trader) === filter.trader.toBase58());
}

function filterOf({ options }: Session): Filter {
  const [mint, trader, kind] = ['mint', 'trader', 'kind'].map((name) => textOf(options, name));
  return {
    mint: mint === undefined ? undefined : address('--mint', mint),
    trader: trader === undefined ? undefined : address('--trader', trader),
    kind: kind === undefined ? undefined : oneOf('--kind', kind, KINDS),
  };
}
