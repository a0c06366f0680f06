// `watch`
import type { Command } from 'commander';
import { subscribeRecords, type CurveRecord } from '@curvekit/sdk';
import { textOf, work, type Registration, type Session } from '../command.js';
import { messageOf } from '../errors.js';
import { timeText } from '../output.js';
import { entryText, KINDS, recordEntry } from '../records.js';
import { address, oneOf, wholeNumber } from '../values.js';

const MOST_RECORDS = 1_000_000_000;

export function registerWatch(program: Command, registration: Registration): void {
  const command = program
    .command('watch')
    .description(
      'records of the launchpad as they are made, a line each, until Ctrl-C. Swaps in pools are not records: `history` shows them',
    )
    .option('--mint <address>', 'of this token only')
    .option('--trader <address>', 'trades of this wallet only')
    .option('--kind <kind>', `one of ${KINDS.join(', ')}`)
    .option('--count <number>', 'end after so many records')
    .option('--finalized', 'records that can never be undone, about 15 s later');
  work(command, registration, runWatch);
}

async function runWatch(session: Session): Promise<void> {
  const { connection, deployment, options, terminal, print, progress } = session;
  const wanted = filterOf(session);
  const most = textOf(options, 'count');
  let left = most === undefined ? Infinity : wholeNumber('--count', most, 1, MOST_RECORDS);
  const { host } = new URL(connection.rpcEndpoint);
  const subscription = subscribeRecords(connection, {
    deployment,
    commitment: options['finalized'] === true ? 'finalized' : 'confirmed',
    onError: (error) => progress(`the RPC node ${host} failed: ${messageOf(error, undefined)}; trying again`),
  });
  const close = () => void subscription.close();
  for (const signal of [terminal.stopped, terminal.outputClosed]) {
    if (signal.aborted) close();
    signal.addEventListener('abort', close, { once: true });
  }
  void subscription.ready.then(() => progress('watching'));
  try {
    for await (const record of subscription) {
      if (!wanted(record)) continue;
      const entry = recordEntry(record);
      print(entry, `${timeText(entry.timestamp)}  ${entry.mint.toBase58()}  ${entryText(entry)}`);
      left -= 1;
      if (left === 0) return;
    }
  } finally {
    await subscription.close();
  }
}

function filterOf({ options }: Session): (record: CurveRecord) => boolean {
  const [mintText, traderText, kindText] = ['mint', 'trader', 'kind'].map((name) => textOf(options, name));
  const mint = mintText === undefined ? undefined : address('--mint', mintText);
  const trader = traderText === undefined ? undefined : address('--trader', traderText);
  const kind = kindText === undefined ? undefined : oneOf('--kind', kindText, KINDS);
  return (record) => {
    if (kind !== undefined && record.kind !== kind) return false;
    if (mint !== undefined && !record.data.mint.equals(mint)) return false;
    return trader === undefined || (record.kind === 'trade' && record.data.trader.equals(trader));
  };
}
