// `history [MINT]`
import { PublicKey, type ConfirmedSignatureInfo } from '@solana/web3.js';
import type { Command } from 'commander';
import {
  AMM,
  associatedTokenAddress,
  decodeRecords,
  fetchTransaction,
  graduatesByItself,
  NATIVE_MINT_ADDRESS,
  poolAddress,
  type ConfirmedTransaction,
  type Deployment,
} from '@curvekit/sdk';
import { textOf, walletOf, withWallet, work, type Registration, type Session } from '../command.js';
import { timeText } from '../output.js';
import { entryText, recordEntry, swapEntry, type Entry } from '../records.js';
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
  const listed = await connection.getSignaturesForAddress(whereOf(mint, wallet), { limit }, 'confirmed');
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

/** The address whose transactions are looked through. */
function whereOf(mint: PublicKey | undefined, wallet: PublicKey | undefined): PublicKey {
  if (mint === undefined) return wallet!;
  return wallet === undefined ? mint : associatedTokenAddress(wallet, mint).address;
}

/** @returns the newest first */
async function entriesOf(
  { connection, deployment }: Session,
  { signature, slot, blockTime }: ConfirmedSignatureInfo,
): Promise<Entry[]> {
  const transaction = await fetchTransaction(connection, signature, 'confirmed');
  if (transaction === null) return [];
  const records = decodeRecords(transaction, deployment).map(recordEntry);
  const timestamp = typeof blockTime === 'number' ? BigInt(blockTime) : null;
  const swaps = mintsIn(transaction, deployment).flatMap((mint) => {
    const pool = AMM.addresses(poolAddress(mint, deployment).address, mint);
    return AMM.swaps(transaction, pool).map((swap) => swapEntry(mint, swap, { signature, slot, timestamp }));
  });
  return [...records, ...swaps].reverse();
}

/** Tokens that may have been swapped in a pool of this launchpad: those whose balances the node tells. */
function mintsIn({ meta }: ConfirmedTransaction, deployment: Deployment): PublicKey[] {
  if (!graduatesByItself(deployment)) return [];
  // Nodes name the mint of each balance, which records do not need.
  const balances = (meta?.preTokenBalances ?? []) as readonly { readonly mint?: string }[];
  const mints = new Set(balances.flatMap(({ mint }) => (mint === undefined ? [] : [mint])));
  mints.delete(NATIVE_MINT_ADDRESS.toBase58());
  return [...mints].map((mint) => new PublicKey(mint));
}
