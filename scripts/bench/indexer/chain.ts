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

interface Transaction {
  readonly signature: string;
  readonly kind: keyof Samples | 'failed';
  readonly mint: string;
  readonly trader: string;
  readonly call: Uint8Array;
  /** Of the curve after it. */
  readonly virtualToken: bigint;
  /** Its signature as bytes. */
  readonly hash: Uint8Array;
}

interface Curve {
  readonly mint: PublicKey;
  readonly text: string;
  virtualSol: bigint;
  virtualToken: bigint;
}

type Commitment = 'confirmed' | 'finalized';

interface ListOptions {
  readonly before?: string;
  readonly until?: string;
  readonly limit: number;
  readonly commitment: Commitment;
}

const TRADES_OF_TOKEN = 1_000;
const FAILED_EVERY = 25;
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

export class IndexerChain {
  readonly #samples: Readonly<Record<keyof Samples, Template>>;
  readonly #feedSamples: Readonly<Record<keyof Samples, FeedTemplate>>;
  readonly #transactions: Transaction[] = [];
  readonly #byName = new Map<string, number>();
  readonly #keys = new Map<string, Uint8Array>();
  /** Indexes of the transactions that have a record. */
  readonly #recorded: number[] = [];
  readonly #callHead: Uint8Array;
  readonly #perSlot: number;
  readonly #firstTime: number;
  /** Time of the first slot, from `Date.now()`. */
  #startedAt = Infinity;
  #totals = { records: 0, trades: 0, tokens: 0, solPaid: 0n, solReceived: 0n, fees: 0n, rewards: 0n };

  constructor(samples: Samples, { records, traders, users, shareBps, perSlot, firstTime }: ChainSize) {
    this.#perSlot = perSlot;
    this.#firstTime = firstTime;
    this.#samples = eachOf(samples, templateOf);
    this.#feedSamples = eachOf(samples, feedTemplateOf);
    this.#callHead = bs58.decode(samples.buy.call).subarray(0, CALL_HEAD_BYTES);
    const wallets = traders.map((text) => ({ text, key: new PublicKey(text) }));
    let curve: Curve | undefined;
    while (this.#totals.records < records) {
      if (curve === undefined || this.#totals.trades % TRADES_OF_TOKEN === 0) {
        curve = this.#create(wallets[0]!);
        if (this.#totals.records === records) break;
      }
      const turn = this.#totals.trades;
      const index = turn % wallets.length;
      this.#trade(curve, wallets[index]!, turn, index < users ? shareBps : 0);
      if (turn % FAILED_EVERY === 0) this.#add('failed', curve, wallets[index]!.text);
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
    if (index === undefined) return 0;
    return this.#ageAt(index);
  }

  #ageAt(index: number): number {
    return Math.max(0, Date.now() - this.#startedAt - (this.#slotAt(index) - FIRST_SLOT) * SLOT_MS);
  }

  /** Milliseconds since a recent trade left a token with this reserve; undefined when no recent trade did. */
  ageOf(mint: string, virtualToken: bigint): number | undefined {
    const end = this.#lengthAt(this.slot('confirmed'));
    for (let index = end - 1; index >= Math.max(0, end - MOST_LOOKED_AT); index -= 1) {
      const one = this.#transactions[index]!;
      if (one.mint === mint && one.virtualToken === virtualToken) return this.#ageAt(index);
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
    const ofSlot = this.#transactions.slice(this.#lengthAt(slot - 1), this.#lengthAt(slot));
    const texts = ofSlot.flatMap(({ kind, signature }) =>
      kind === 'failed' ? [] : this.transaction(signature),
    );
    return `${head},"transactions":[${texts.join(',')}]}`;
  }

  /** Newest first. */
  list({ before, until, limit, commitment }: ListOptions): unknown[] {
    const from = Math.min(
      before === undefined ? Infinity : (this.#byName.get(before) ?? 0),
      this.#lengthAt(this.slot(commitment)),
    );
    const to = until === undefined ? -1 : (this.#byName.get(until) ?? -1);
    const confirmationStatus = commitment;
    const listed: unknown[] = [];
    for (let index = from - 1; index > to && listed.length < limit; index -= 1) {
      const { signature, kind } = this.#transactions[index]!;
      const err = kind === 'failed' ? { InstructionError: [3, { Custom: 6003 }] } : null;
      const slot = this.#slotAt(index);
      listed.push({ signature, slot, err, memo: null, blockTime: this.#timeAt(slot), confirmationStatus });
    }
    return listed;
  }

  /** The transaction as JSON text, `null` when there is none. */
  transaction(signature: string): string {
    const slot = this.slotOf(signature);
    const transaction = slot === undefined ? undefined : this.#transactions[this.#byName.get(signature)!];
    if (transaction === undefined || transaction.kind === 'failed') return 'null';
    const call = bs58.encode(transaction.call);
    return fill(this.#samples[transaction.kind], { ...transaction, call, slot: String(slot) });
  }

  /** The slot of a transaction. Undefined when it is not confirmed. */
  slotOf(signature: string): number | undefined {
    const index = this.#byName.get(signature);
    const slot = index === undefined ? undefined : this.#slotAt(index);
    return slot === undefined || slot > this.slot('confirmed') ? undefined : slot;
  }

  /** Writes the successful transactions of a slot as messages of a gRPC feed, each framed. @returns the length */
  writeFeed(slot: number, buffer: Buffer): number {
    const [first, end] = [this.#lengthAt(slot - 1), this.#lengthAt(slot)];
    let at = 0;
    for (const [index, one] of this.#transactions.slice(first, end).entries()) {
      const { kind, call, mint, trader, hash: signature } = one;
      if (kind === 'failed') continue;
      const values = { call, signature, mint: this.#bytesOf(mint), trader: this.#bytesOf(trader) };
      const length = this.#feedSamples[kind](buffer, at + FRAME_HEAD_BYTES, values, slot, index);
      at += writeHead(buffer, at, length) + length;
    }
    return at;
  }

  #bytesOf(key: string): Uint8Array {
    let bytes = this.#keys.get(key);
    if (bytes === undefined) this.#keys.set(key, (bytes = bs58.decode(key)));
    return bytes;
  }

  get #lastSlot(): number {
    return this.#slotAt(this.#transactions.length - 1);
  }

  /** Number of transactions up to a slot. */
  #lengthAt(slot: number): number {
    return Math.min(Math.max(0, slot + 1 - FIRST_SLOT) * this.#perSlot, this.#transactions.length);
  }

  #slotAt(index: number): number {
    return FIRST_SLOT + Math.floor(index / this.#perSlot);
  }

  /** Unix seconds. */
  #timeAt(slot: number): number {
    return this.#firstTime + Math.floor(((slot - FIRST_SLOT) * SLOT_MS) / 1_000);
  }

  #create(creator: { readonly key: PublicKey; readonly text: string }): Curve {
    this.#totals.tokens += 1;
    const mint = new PublicKey(createHash('sha256').update(`mint ${this.#totals.tokens}`).digest());
    const curve = { mint, text: mint.toBase58(), virtualSol: INITIAL_SOL, virtualToken: INITIAL_TOKEN };
    const record = encodeCreateRecord({
      mint,
      creator: creator.key,
      tokenOwnerPda: curveAddress(mint).address,
      name: `Token ${this.#totals.tokens}`,
      symbol: 'TKN',
      uri: `https://example.org/${this.#totals.tokens}.json`,
      afterMigrationFee: 100,
      burnBp: 1_000,
      holdersBp: 2_000,
      lpBp: 3_000,
      virtualSol: INITIAL_SOL,
      virtualToken: INITIAL_TOKEN,
      platformFeeBps: FEE_BPS,
      timestamp: BigInt(this.#timeAt(this.#slotAt(this.#transactions.length))),
    });
    this.#add('create', curve, creator.text, this.#call(record));
    return curve;
  }

  /** Two buys, then a sell of half of the sold tokens, repeatedly, so that the curve never sells out. */
  #trade(
    curve: Curve,
    trader: { readonly key: PublicKey; readonly text: string },
    turn: number,
    shareBps: number,
  ): void {
    const state = { ...curve, initialized: CurveStatus.Trading, platformFeeBps: FEE_BPS };
    const sold = INITIAL_TOKEN - curve.virtualToken;
    const isBuy = turn % 3 !== 2 || sold === 0n;
    const quote = isBuy
      ? quoteBuy(state, 10_000_000n + BigInt(turn % 977) * 10_007n)
      : quoteSell(state, sold / 2n + 1n);
    const [solAmount, tokenAmount] =
      'solSpent' in quote ? [quote.solSpent, quote.tokenOut] : [quote.solOut, quote.tokenToSpend];
    curve.virtualSol = quote.virtualSol;
    curve.virtualToken = quote.virtualToken;
    const record = encodeTradeRecord({
      mint: curve.mint,
      trader: trader.key,
      isBuy,
      solAmount,
      tokenAmount,
      fee: quote.fee,
      virtualSol: quote.virtualSol,
      virtualToken: quote.virtualToken,
      finalized: false,
      timestamp: BigInt(this.#timeAt(this.#slotAt(this.#transactions.length))),
    });
    this.#totals.trades += 1;
    this.#totals[isBuy ? 'solPaid' : 'solReceived'] += solAmount;
    this.#totals.fees += quote.fee;
    this.#totals.rewards += (quote.fee * BigInt(shareBps)) / BPS;
    this.#add(isBuy ? 'buy' : 'sell', curve, trader.text, this.#call(record));
  }

  #call(record: Uint8Array): Uint8Array {
    return Uint8Array.from([...this.#callHead, ...record]);
  }

  #add(
    kind: Transaction['kind'],
    { text: mint, virtualToken }: Curve,
    trader: string,
    call: Uint8Array = new Uint8Array(),
  ): void {
    const index = this.#transactions.length;
    const hash = createHash('sha512').update(`transaction ${index}`).digest();
    const signature = bs58.encode(hash);
    this.#byName.set(signature, index);
    this.#transactions.push({ signature, hash, kind, mint, trader, call, virtualToken });
    if (kind === 'failed') return;
    this.#recorded.push(index);
    this.#totals.records += 1;
  }
}

function eachOf<T>(samples: Samples, made: (sample: Sample) => T): Readonly<Record<keyof Samples, T>> {
  return { create: made(samples.create), buy: made(samples.buy), sell: made(samples.sell) };
}
