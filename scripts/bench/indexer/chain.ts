// A long artificial history of trades for the indexer. Amounts come from the SDK's quotes. Everything else in the
// transactions, such as accounts, logs and balances, comes from samples of a real cluster.
import { createHash } from 'node:crypto';
import { PublicKey } from '@solana/web3.js';
import bs58 from 'bs58';
import {
  curveAddress,
  encodeCreateRecord,
  encodeTradeRecord,
  quoteBuy,
  quoteSell,
  CurveStatus,
} from '@curvekit/sdk';
import { decodeBase58, encodeBase58, SIGNATURE_BYTES } from '#app/base/base58.js';
import type { Commitment } from '#tests/node/forking-chain.js';
import type { ListOptions } from '#tests/node/partial-node.js';
import { FRAME_HEAD_BYTES, writeHead } from './feed-server.js';
import { feedTemplateOf, type FeedTemplate } from './feed-template.js';
import { fill, templateOf, type Sample, type Template } from './transaction-template.js';

export interface Samples {
  readonly create: Sample;
  readonly buy: Sample;
  readonly sell: Sample;
}

export interface ChainSize {
  /** Transactions with a record each. */
  readonly records: number;
  /** Wallets that trade. */
  readonly traders: readonly string[];
  /** The first traders, who are referred users. A partner earns `shareBps` of each of their fees. */
  readonly users: number;
  readonly shareBps: number;
  /** Transactions per slot. */
  readonly perSlot: number;
  /** Unix seconds of the first slot. */
  readonly firstTime: number;
}

/** Totals of the whole chain. Amounts are in lamports. */
export interface ChainTotals {
  readonly records: number;
  readonly trades: number;
  readonly tokens: number;
  readonly solPaid: bigint;
  readonly solReceived: bigint;
  readonly fees: bigint;
  /** Σ of the users' rewards, each rounded down. */
  readonly rewards: bigint;
}

const KINDS = ['create', 'buy', 'sell', 'failed'] as const;
type Kind = (typeof KINDS)[number];
const FAILED = KINDS.indexOf('failed');

interface Curve {
  /** Number of the mint. */
  readonly mint: number;
  virtualSol: bigint;
  virtualToken: bigint;
}

/** A token's reserve, as text. */
export interface Price {
  readonly mint: string;
  readonly virtualToken: string;
}

const TRADES_OF_TOKEN = 1_000;
/** Of all trades, so many are of one token, which is known when the index falls behind. */
const POPULAR_EVERY = 10;
export const FAILED_EVERY = 25;
/** Transactions among which the newest price of a token is looked for: ten seconds of the highest rate. */
const MOST_LOOKED_AT = 400_000;
/** With the first transactions. */
const FIRST_SLOT = 1_000;
export const SLOT_MS = 400;
const QUIET_SLOTS = 12;
/** Time before the first transactions, in which an indexer starts. */
export const QUIET_MS = QUIET_SLOTS * SLOT_MS;
/** Slots between a confirmed block and a finalized one. */
const FINALITY_SLOTS = 32;
const FEE_BPS = 100;
const INITIAL_SOL = 30_000_000_000n;
const INITIAL_TOKEN = 1_073_000_000_000_000n;
const BPS = 10_000n;
/** The discriminator and the bump before the record. */
const CALL_HEAD_BYTES = 9;

/** Of each transaction, in `#amounts`. */
const AMOUNTS = ['solAmount', 'tokenAmount', 'fee', 'virtualSol', 'virtualToken'] as const;
const VIRTUAL_TOKEN = AMOUNTS.indexOf('virtualToken');

/** Of a transaction only numbers are kept: millions of them as objects would take gigabytes. The rest is made when it is asked for. */
export class IndexerChain {
  readonly #samples: Readonly<Record<keyof Samples, Template>>;
  readonly #feedSamples: Readonly<Record<keyof Samples, FeedTemplate>>;
  readonly #callHead: Uint8Array;
  readonly #tradeCall: Buffer;
  readonly #perSlot: number;
  readonly #firstTime: number;
  readonly #traders: readonly Key[];
  readonly #mints: Key[] = [];
  // Of each transaction.
  readonly #kinds: Uint8Array;
  readonly #mintOf: Uint32Array;
  readonly #traderOf: Uint32Array;
  readonly #amounts: BigUint64Array;
  #length = 0;
  /** Indexes of the transactions that have a record. */
  readonly #recorded: Uint32Array;
  /** Time of the first slot, from `Date.now()`. */
  #startedAt = Infinity;
  #totals = { records: 0, trades: 0, tokens: 0, solPaid: 0n, solReceived: 0n, fees: 0n, rewards: 0n };

  constructor(samples: Samples, { records, traders, users, shareBps, perSlot, firstTime }: ChainSize) {
    this.#perSlot = perSlot;
    this.#firstTime = firstTime;
    this.#samples = eachOf(samples, templateOf);
    this.#feedSamples = eachOf(samples, feedTemplateOf);
    this.#callHead = bs58.decode(samples.buy.call).subarray(0, CALL_HEAD_BYTES);
    this.#tradeCall = Buffer.concat([this.#callHead, NO_TRADE_BYTES]);
    this.#traders = traders.map((text) => keyOf(new PublicKey(text)));
    const most = records + Math.ceil(records / FAILED_EVERY) + 1;
    this.#kinds = new Uint8Array(most);
    this.#mintOf = new Uint32Array(most);
    this.#traderOf = new Uint32Array(most);
    this.#amounts = new BigUint64Array(AMOUNTS.length * most);
    this.#recorded = new Uint32Array(records);
    const popular = this.#create();
    let curve = popular;
    while (this.#totals.records < records) {
      const turn = this.#totals.trades;
      if (turn % TRADES_OF_TOKEN === 0) curve = this.#create();
      if (this.#totals.records === records) break;
      const trader = turn % traders.length;
      this.#trade(turn % POPULAR_EVERY === 0 ? popular : curve, trader, turn, trader < users ? shareBps : 0);
      if (turn % FAILED_EVERY === 0) this.#add('failed', curve, trader);
    }
  }

  get totals(): ChainTotals {
    return this.#totals;
  }

  /** Makes the chain grow by one slot every `SLOT_MS` to the last. The first slots have no transactions. @param now from `Date.now()` */
  start(now: number): void {
    this.#startedAt = now + QUIET_MS;
  }

  /** The newest slot of a commitment. */
  slot(commitment: Commitment): number {
    const confirmed = FIRST_SLOT + Math.floor((Date.now() - this.#startedAt) / SLOT_MS);
    return Math.min(commitment === 'finalized' ? confirmed - FINALITY_SLOTS : confirmed, this.#lastSlot);
  }

  /** Milliseconds since the record with index `count` was confirmed; 0 when it is not confirmed or does not exist. */
  waitOf(count: number): number {
    const index = this.#recorded[count];
    return index === undefined ? 0 : this.#ageAt(index);
  }

  #ageAt(index: number): number {
    return Math.max(0, Date.now() - this.#startedAt - (this.#slotAt(index) - FIRST_SLOT) * SLOT_MS);
  }

  /** Milliseconds since the newest of the recent trades that left a token with such a reserve; undefined when none did. */
  ageOf(prices: readonly Price[]): number | undefined {
    const asked = new Map(
      prices.map(({ mint, virtualToken }) => [
        this.#mints.findIndex(({ text }) => text === mint),
        BigInt(virtualToken),
      ]),
    );
    const end = this.#lengthAt(this.slot('confirmed'));
    for (let index = end - 1; index >= Math.max(0, end - MOST_LOOKED_AT); index -= 1) {
      // No reserve is 0, as that of a transaction that failed.
      if (asked.get(this.#mintOf[index]!) === this.#amount(index, VIRTUAL_TOKEN)) return this.#ageAt(index);
    }
    return undefined;
  }

  /** The first finalized slot that is asked for is among the blocks. */
  get firstBlock(): number {
    return FIRST_SLOT - QUIET_SLOTS - FINALITY_SLOTS;
  }

  /** Every slot has a block. */
  blocks(from: number, to: number): number[] {
    const [first, last] = [Math.max(from, this.firstBlock), Math.min(to, this.slot('finalized'))];
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  }

  /** As JSON text, with the successful transactions or without them. */
  block(slot: number, isFull: boolean): string {
    const head = `{"blockHeight":${slot - FIRST_SLOT},"parentSlot":${slot - 1},"blockTime":null`;
    if (!isFull) return `${head}}`;
    const texts = this.#indexesIn(slot).flatMap((index) =>
      this.#kinds[index] === FAILED ? [] : this.#jsonOf(index),
    );
    return `${head},"transactions":[${texts.join(',')}]}`;
  }

  /** Newest first. */
  list({ before, until, limit, commitment }: ListOptions): unknown[] {
    const from = Math.min(
      before === undefined ? Infinity : (this.#indexOf(before) ?? 0),
      this.#lengthAt(this.slot(commitment)),
    );
    const to = until === undefined ? -1 : (this.#indexOf(until) ?? -1);
    const confirmationStatus = commitment;
    const listed: unknown[] = [];
    for (let index = from - 1; index > to && listed.length < limit; index -= 1) {
      const signature = encodeBase58(signatureOf(index));
      const err = this.#kinds[index] === FAILED ? { InstructionError: [3, { Custom: 6003 }] } : null;
      const slot = this.#slotAt(index);
      listed.push({ signature, slot, err, memo: null, blockTime: this.#timeAt(slot), confirmationStatus });
    }
    return listed;
  }

  /** The transaction as JSON text, `null` when there is none. */
  transaction(signature: string): string {
    const index = this.#indexOf(signature);
    const isThere = this.slotOf(signature) !== undefined && this.#kinds[index!] !== FAILED;
    return isThere ? this.#jsonOf(index!) : 'null';
  }

  #jsonOf(index: number): string {
    const [mint, trader] = [this.#mintAt(index).text, this.#traderAt(index).text];
    const signature = encodeBase58(signatureOf(index));
    const values = { mint, trader, signature, call: bs58.encode(this.#callOf(index)) };
    return fill(this.#samples[this.#kindOf(index)], { ...values, slot: String(this.#slotAt(index)) });
  }

  /** The slot of a transaction. Undefined when it is not confirmed. */
  slotOf(signature: string): number | undefined {
    const index = this.#indexOf(signature);
    const slot = index === undefined ? undefined : this.#slotAt(index);
    return slot === undefined || slot > this.slot('confirmed') ? undefined : slot;
  }

  #indexOf(signature: string): number | undefined {
    const bytes = decodeBase58(signature, SIGNATURE_BYTES);
    if (bytes === undefined) return undefined;
    const index = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0);
    return index < this.#length && signatureOf(index).equals(bytes) ? index : undefined;
  }

  /** Writes the successful transactions of a slot as messages of a gRPC feed, each framed. @returns the length */
  writeFeed(slot: number, buffer: Buffer): number {
    let at = 0;
    for (const [place, index] of this.#indexesIn(slot).entries()) {
      if (this.#kinds[index] === FAILED) continue;
      const [mint, trader] = [this.#mintAt(index).bytes, this.#traderAt(index).bytes];
      const values = { mint, trader, signature: signatureOf(index), call: this.#callOf(index) };
      const template = this.#feedSamples[this.#kindOf(index)];
      const length = template(buffer, at + FRAME_HEAD_BYTES, values, slot, place);
      at += writeHead(buffer, at, length) + length;
    }
    return at;
  }

  /** Of a transaction that did not fail. */
  #kindOf(index: number): keyof Samples {
    return KINDS[this.#kinds[index]!] as keyof Samples;
  }

  #mintAt(index: number): Key {
    return this.#mints[this.#mintOf[index]!]!;
  }

  #traderAt(index: number): Key {
    return this.#traders[this.#traderOf[index]!]!;
  }

  #amount(index: number, which: number): bigint {
    return this.#amounts[AMOUNTS.length * index + which]!;
  }

  #indexesIn(slot: number): number[] {
    const first = this.#lengthAt(slot - 1);
    return Array.from({ length: this.#lengthAt(slot) - first }, (_, place) => first + place);
  }

  get #lastSlot(): number {
    return this.#slotAt(this.#length - 1);
  }

  /** Number of transactions up to a slot. */
  #lengthAt(slot: number): number {
    return Math.min(Math.max(0, slot + 1 - FIRST_SLOT) * this.#perSlot, this.#length);
  }

  #slotAt(index: number): number {
    return FIRST_SLOT + Math.floor(index / this.#perSlot);
  }

  /** Unix seconds. */
  #timeAt(slot: number): number {
    return this.#firstTime + Math.floor(((slot - FIRST_SLOT) * SLOT_MS) / 1_000);
  }

  #create(): Curve {
    this.#totals.tokens += 1;
    const mint = createHash('sha256').update(`mint ${this.#totals.tokens}`).digest();
    this.#mints.push(keyOf(new PublicKey(mint)));
    const curve = { mint: this.#mints.length - 1, virtualSol: INITIAL_SOL, virtualToken: INITIAL_TOKEN };
    this.#add('create', curve, 0);
    return curve;
  }

  /** Two buys, then a sell of half of the sold tokens, repeatedly, so that the curve never sells out. */
  #trade(curve: Curve, trader: number, turn: number, shareBps: number): void {
    const state = { ...curve, initialized: CurveStatus.Trading, platformFeeBps: FEE_BPS };
    const sold = INITIAL_TOKEN - curve.virtualToken;
    const isBuy = turn % 3 !== 2 || sold === 0n;
    const quote = isBuy
      ? quoteBuy(state, 10_000_000n + BigInt(turn % 977) * 10_007n)
      : quoteSell(state, sold / 2n + 1n);
    const [solAmount, tokenAmount] =
      'solSpent' in quote ? [quote.solSpent, quote.tokenOut] : [quote.solOut, quote.tokenToSpend];
    const { fee, virtualSol, virtualToken } = quote;
    curve.virtualSol = virtualSol;
    curve.virtualToken = virtualToken;
    this.#totals.trades += 1;
    this.#totals[isBuy ? 'solPaid' : 'solReceived'] += solAmount;
    this.#totals.fees += fee;
    this.#totals.rewards += (fee * BigInt(shareBps)) / BPS;
    this.#add(isBuy ? 'buy' : 'sell', curve, trader, [solAmount, tokenAmount, fee, virtualSol, virtualToken]);
  }

  #add(kind: Kind, { mint }: Curve, trader: number, amounts: readonly bigint[] = []): void {
    const index = this.#length;
    this.#length += 1;
    this.#kinds[index] = KINDS.indexOf(kind);
    this.#mintOf[index] = mint;
    this.#traderOf[index] = trader;
    this.#amounts.set(amounts, AMOUNTS.length * index);
    if (kind === 'failed') return;
    this.#recorded[this.#totals.records] = index;
    this.#totals.records += 1;
  }

  /** Data of the call with the record, until the next call. */
  #callOf(index: number): Uint8Array {
    if (this.#kindOf(index) === 'create') return Buffer.concat([this.#callHead, this.#creation(index)]);
    this.#writeTrade(index, this.#tradeCall.subarray(CALL_HEAD_BYTES));
    return this.#tradeCall;
  }

  #creation(index: number): Uint8Array {
    const number = this.#mintOf[index]! + 1;
    const mint = this.#mintAt(index).key;
    return encodeCreateRecord({
      ...{ mint, creator: this.#traderAt(index).key, tokenOwnerPda: curveAddress(mint).address },
      ...{ name: `Token ${number}`, symbol: 'TKN', uri: `https://example.org/${number}.json` },
      ...{ afterMigrationFee: 100, burnBp: 1_000, holdersBp: 2_000, lpBp: 3_000 },
      ...{ virtualSol: INITIAL_SOL, virtualToken: INITIAL_TOKEN, platformFeeBps: FEE_BPS },
      timestamp: BigInt(this.#timeAt(this.#slotAt(index))),
    });
  }

  #writeTrade(index: number, record: Buffer): void {
    record.set(this.#mintAt(index).bytes, PLACES.mint);
    record.set(this.#traderAt(index).bytes, PLACES.trader);
    record[PLACES.isBuy] = Number(this.#kindOf(index) === 'buy');
    for (let which = 0; which < AMOUNTS.length; which += 1)
      record.writeBigUInt64LE(this.#amount(index, which), PLACES[AMOUNTS[which]!]);
    record.writeBigUInt64LE(BigInt(this.#timeAt(this.#slotAt(index))), PLACES.timestamp);
  }
}

// The SDK's encoder would take most of the feed's time, so it encodes one trade, and says where its fields are.

const trade = (number: bigint, isBuy: boolean) => {
  const key = new PublicKey(new Uint8Array(32).fill(Number(number)));
  const amounts = {
    solAmount: number,
    tokenAmount: number,
    fee: number,
    virtualSol: number,
    virtualToken: number,
  };
  return { mint: key, trader: key, isBuy, finalized: false, timestamp: number, ...amounts };
};
const [NO_TRADE, ONE_TRADE] = [trade(0n, false), trade(1n, true)];
const NO_TRADE_BYTES = encodeTradeRecord(NO_TRADE);
const placeOf = (field: keyof typeof NO_TRADE) =>
  encodeTradeRecord({ ...NO_TRADE, [field]: ONE_TRADE[field] }).findIndex(
    (byte, at) => byte !== NO_TRADE_BYTES[at],
  );
const FIELDS = [...AMOUNTS, 'mint', 'trader', 'isBuy', 'timestamp'] as const;
const PLACES = Object.fromEntries(FIELDS.map((field) => [field, placeOf(field)])) as Record<
  (typeof FIELDS)[number],
  number
>;

interface Key {
  readonly key: PublicKey;
  readonly bytes: Uint8Array;
  readonly text: string;
}

const keyOf = (key: PublicKey): Key => ({ key, bytes: key.toBytes(), text: key.toBase58() });

/** The index, and bytes without a pattern. Another index has another signature. */
function signatureOf(index: number): Buffer {
  const bytes = Buffer.allocUnsafe(SIGNATURE_BYTES);
  bytes.writeUInt32BE(index, 0);
  for (let at = 4, mixed = index; at < SIGNATURE_BYTES; at += 4) {
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b_3c6d) + 0x9e37_79b9;
    mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a_2d39);
    bytes.writeInt32BE(mixed ^ (mixed >>> 15), at);
  }
  return bytes;
}

function eachOf<T>(samples: Samples, made: (sample: Sample) => T): Readonly<Record<keyof Samples, T>> {
  return { create: made(samples.create), buy: made(samples.buy), sell: made(samples.sell) };
}
