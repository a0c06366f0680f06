// `history [MINT]`
import type { ConfirmedSignatureInfo } from '@solana/web3.js';
import type { Command } from 'commander';
import { fetchTransaction, readNode } from '@curvekit/sdk';
import { textOf, walletOf, withWallet, work, type Registration, type Session } from '../command.js';
import { addressOf, entriesIn } from '../entries.js';
import { timeText } from '../output.js';
import { entryText, type Entry } from '../records.js';
import { address, wholeNumber } from '../values.js';

const AT_ONCE = 8;
const MOST_TRANSACTIONS = 1_000;

export function registerHistory(program: Command, registration: Registration): void {
  const command = program
    .command('history')
    .description("what happened to a token, or a wallet's trades: the newest first, on curves and in pools")
    .argument('[mint]', 'address of the token; all tokens of the wallet else')
    .option('--mine', "the wallet's trades of that token only")
    .option('--limit <number>', `newest transactions to look through, at most ${MOST_TRANSACTIONS}`, '100');
  work(withWallet(command), registration, runHistory);
}

async function runHistory(session: Session): Promise<void> {
  const { connection, args, options, print, progress, terminal } = session;
  const limit = wholeNumber('--limit', textOf(options, 'limit')!, 1, MOST_TRANSACTIONS);
  const mint = args[0] === undefined ? undefined : address('mint', args[0]);
  const isOwn = mint === undefined || options['mine'] === true || options['wallet'] !== undefined;
  const wallet = isOwn ? walletOf(session) : undefined;
  const of = addressOf(mint, wallet)!;
  const listed = await readNode(connection, 'getSignaturesForAddress', () =>
    connection.getSignaturesForAddress(of, { limit }, 'confirmed'),
  );
  const landed = listed.filter(({ err }) => err === null);
  const isWanted = ({ mint: of, trader, creator }: Entry) =>
    (mint === undefined || of.equals(mint)) &&
    (wallet === undefined || String(trader ?? creator) === wallet.toBase58());
  let count = 0;
  for (let start = 0; start < landed.length; start += AT_ONCE) {
    terminal.stopped.throwIfAborted();
    const entries = await Promise.all(
      landed.slice(start, start + AT_ONCE).map((info) => entriesOf(session, info)),
    );
    for (const entry of entries.flat().filter(isWanted)) {
      count += 1;
      print(
        entry,
        `${timeText(entry.timestamp)}  ${entry.mint.toBase58()}  ${entryText(entry)}  ${entry.signature}`,
      );
      if (terminal.outputClosed.aborted) return;
    }
  }
  const more = listed.length === limit ? '; --limit looks further back' : '';
  progress(`${count} entries in the newest ${listed.length} transactions${more}`);
}

/** @returns the newest first */
async function entriesOf(
  { connection, deployment }: Session,
  { signature, slot, blockTime }: ConfirmedSignatureInfo,
): Promise<Entry[]> {
  const transaction = await fetchTransaction(connection, signature, 'confirmed');
  if (transaction === null) return [];
  return entriesIn(transaction, deployment, { signature, slot, blockTime }).reverse();
}
