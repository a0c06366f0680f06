// Speed of the SDK: quotes and decoded log records per second of CPU time. With --check it fails below the limits.
import {
  Keypair,
  MessageV0,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  type TransactionInstruction,
} from '@solana/web3.js';
import bs58 from 'bs58';
import {
  buy,
  buyExactIn,
  DEFAULT_DEPLOYMENT,
  decodeRecord,
  decodeRecords,
  encodeTradeRecord,
  leastSolForTokens,
  leastTokensForSol,
  quoteBuy,
  quoteSell,
  sellExactIn,
  type ConfirmedTransaction,
  type JsonMessage,
  VALIDATE_LOG_RECORD_DISCRIMINATOR,
} from '@curvekit/sdk';

import { grouped } from '#app/cli/table.js';
import { spreadOf, type Spread } from '../driver/statistics.js';
import { numberColumns, scenario, type Figures } from '../driver/scenario.js';

const ROUNDS = 7;
const ROUND_MICROSECONDS = 400_000;
const SAMPLES = 1_024;

const QUOTES_PER_SECOND = 1_000_000;
const RECORDS_PER_SECOND = 50_000;

interface Case {
  readonly name: string;
  readonly about: string;
  /** Minimum per second. */
  readonly limit: number;
  /** Runs the case once, with one of many samples. */
  readonly run: (sample: number) => unknown;
}

interface Result {
  readonly name: string;
  readonly about: string;
  readonly perSecond: Spread;
  readonly limit: number;
}

scenario('sdk', {
  about: `Measures quotes and decoded log records per second of CPU time. Limits apply to the median of ${ROUNDS} rounds.`,
  fails: 'a median is below its limit',
  isOfMachine: false,
  setup: cases,
  load: (all) => all.map(measure),
  figures,
  problems: (results) =>
    results
      .filter(isBelow)
      .map(
        ({ name, perSecond, limit }) =>
          `${name}: ${grouped(perSecond.median)} per second, below its limit of ${grouped(limit)}`,
      ),
});

function cases(): Case[] {
  const sols = Array.from({ length: SAMPLES }, (_, index) => 1_000_000n + BigInt(index) * 77_777_777n);
  const tokens = sols.map((sol) => sol * 1_000n);
  const curve = { virtualSol: 45_000_000_000n, virtualToken: 715_333_333_333_333n, platformFeeBps: 100 };
  const { virtualSol, virtualToken } = curve;
  const feeBps = 100n;
  const of = <T>(samples: readonly T[], index: number): T => samples[index]!;
  const recordBytes = sols.map(tradeRecord);
  // Parsed from JSON, as from an RPC node.
  const transactions = JSON.parse(JSON.stringify(recordBytes.map(transactionOf))) as ConfirmedTransaction[];
  const responses = transactions.map(asResponse);
  const quotes = (name: string, about: string, run: Case['run']): Case => ({
    name,
    about,
    run,
    limit: QUOTES_PER_SECOND,
  });
  const records = (name: string, about: string, run: Case['run']): Case => ({
    name,
    about,
    run,
    limit: RECORDS_PER_SECOND,
  });
  return [
    quotes('buyExactIn', 'the bare trade', (i) => buyExactIn(virtualSol, virtualToken, feeBps, of(sols, i))),
    quotes('sellExactIn', 'the bare trade', (i) =>
      sellExactIn(virtualSol, virtualToken, feeBps, of(tokens, i)),
    ),
    quotes('leastSolForTokens', 'exact out', (i) =>
      leastSolForTokens(virtualSol, virtualToken, feeBps, of(tokens, i)),
    ),
    quotes('leastTokensForSol', 'exact out', (i) =>
      leastTokensForSol(virtualSol, virtualToken, feeBps, of(sols, i) / 10n),
    ),
    quotes('quoteBuy', 'with minimum, prices and impact', (i) => quoteBuy(curve, of(sols, i), 100)),
    quotes('quoteSell', 'with minimum, prices and impact', (i) => quoteSell(curve, of(tokens, i), 100)),
    records('decodeRecords, JSON', 'a trade, from the RPC node', (i) => decodeRecords(of(transactions, i))),
    records('decodeRecords, web3.js', "a trade, from getTransaction's result", (i) =>
      decodeRecords(of(responses, i)),
    ),
    records('decodeRecord', 'a trade, from its bytes', (i) => decodeRecord(of(recordBytes, i))),
  ];
}

/** Rounds of fixed CPU time, which other load on the machine affects less. The first is a warm-up. */
function measure({ name, about, limit, run }: Case): Result {
  const rates = Array.from({ length: ROUNDS + 1 }, () => rateOf(run));
  return { name, about, limit, perSecond: spreadOf(rates.slice(1)) };
}

function rateOf(run: Case['run']): number {
  let count = 0;
  let kept: unknown;
  const started = process.cpuUsage();
  let microseconds = 0;
  while (microseconds < ROUND_MICROSECONDS) {
    for (let sample = 0; sample < SAMPLES; sample++) kept = run(sample);
    count += SAMPLES;
    const { user, system } = process.cpuUsage(started);
    microseconds = user + system;
  }
  if (kept === undefined) throw new Error('nothing was computed');
  return Math.round((count / microseconds) * 1_000_000);
}

function tradeRecord(solAmount: bigint): Uint8Array {
  return encodeTradeRecord({
    mint: Keypair.generate().publicKey,
    trader: Keypair.generate().publicKey,
    isBuy: true,
    solAmount,
    tokenAmount: solAmount * 1_000n,
    fee: solAmount / 100n,
    virtualSol: 45_000_000_000n + solAmount,
    virtualToken: 715_333_333_333_333n - solAmount * 1_000n,
    finalized: false,
    timestamp: 1_700_000_000n,
  });
}

/** A buy as an RPC node returns it: token account creation, trade, and their inner instructions. */
function transactionOf(record: Uint8Array): ConfirmedTransaction {
  const mint = new PublicKey(record.subarray(8, 40));
  const payer = new PublicKey(record.subarray(40, 72));
  const instructions = buy({ mint, payer, solToSpend: 1_000_000n, minTokenToReceive: 1n });
  const message = compile(payer, instructions);
  const keys = message.staticAccountKeys.map((key) => key.toBase58());
  const { programId, logAuthority } = DEFAULT_DEPLOYMENT;
  const call = (program: string, accounts: number[], data: Uint8Array) => ({
    programIdIndex: keys.indexOf(program),
    accounts,
    data: bs58.encode(data),
  });
  const system = SystemProgram.programId.toBase58();
  const logged = Uint8Array.from([...VALIDATE_LOG_RECORD_DISCRIMINATOR, logAuthority.bump, ...record]);
  const inner = [
    call(system, [0, 1], new Uint8Array(12)),
    call(system, [0, 2], new Uint8Array(12)),
    call(system, [3, 4, 5], new Uint8Array(9)),
    call(programId.toBase58(), [keys.indexOf(logAuthority.address.toBase58())], logged),
  ];
  const line = (program: string) => [`Program ${program} invoke [1]`, `Program ${program} success`];
  return {
    slot: 1,
    transaction: {
      signatures: [bs58.encode(record.subarray(8, 72))],
      message: {
        accountKeys: keys,
        instructions: message.compiledInstructions.map(({ programIdIndex, accountKeyIndexes, data }) => ({
          programIdIndex,
          accounts: accountKeyIndexes,
          data: bs58.encode(data),
        })),
      },
    },
    meta: {
      err: null,
      innerInstructions: [{ index: 1, instructions: inner }],
      logMessages: [...keys.slice(0, 5), programId.toBase58()].flatMap(line),
    },
  };
}

/** The same transaction as web3.js returns it. */
function asResponse({ transaction, ...rest }: ConfirmedTransaction): ConfirmedTransaction {
  const { accountKeys, instructions } = transaction.message as JsonMessage;
  const message = new MessageV0({
    header: { numRequiredSignatures: 1, numReadonlySignedAccounts: 0, numReadonlyUnsignedAccounts: 0 },
    staticAccountKeys: accountKeys.map((key) => new PublicKey(key)),
    recentBlockhash: PublicKey.default.toBase58(),
    compiledInstructions: instructions.map(({ programIdIndex, accounts, data }) => ({
      programIdIndex,
      accountKeyIndexes: [...accounts],
      data: bs58.decode(data),
    })),
    addressTableLookups: [],
  });
  return { ...rest, transaction: { ...transaction, message } };
}

function compile(payerKey: PublicKey, instructions: TransactionInstruction[]) {
  const recentBlockhash = PublicKey.default.toBase58();
  return new TransactionMessage({ payerKey, recentBlockhash, instructions }).compileToV0Message();
}

function isBelow({ perSecond, limit }: Result): boolean {
  return perSecond.median < limit;
}

function figures(results: readonly Result[]): Figures {
  const rates = ['median', 'min', 'max', 'limit'].map((title) => [title, '1/s'] as const);
  return {
    columns: [...numberColumns('', ...rates), { title: '' }],
    rows: results.map((result) => {
      const { name, about, perSecond, limit } = result;
      const cells = [name, ...[perSecond.median, perSecond.min, perSecond.max, limit].map(grouped), about];
      return { cells, style: isBelow(result) ? ('red' as const) : undefined };
    }),
  };
}
