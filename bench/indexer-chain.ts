// A long history of trades for the indexer to read, made up by the SDK's own quotes, in the shape that a real cluster gave
// to real transactions: everything else in them, from account lists to logs and balances, is that of the samples.
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

/** A transaction as a node answers `getTransaction`, and the call in it that carries its record. */
export interface Sample {
  /** JSON text of the whole result. */
  readonly json: string;
  /** Base58 of that call's data. */
  readonly call: string;
  /** What stands for whom in the text. */
  readonly signature: string;
  readonly mint: string;
  readonly trader: string;
  readonly slot: number;
}

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
  /** Those of them that earn for somebody: their fees are added up, in shares of so many basis points each. */
  readonly users: number;
  readonly shareBps: number;
}

/** What an index of the whole chain must hold. Lamports. */
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
  /** Base58. */
  readonly call: string;
}

interface Curve {
  readonly mint: PublicKey;
  readonly text: string;
  virtualSol: bigint;
  virtualToken: bigint;
}

const TRADES_OF_TOKEN = 1_000;
const TRANSACTIONS_OF_SLOT = 20;
const FAILED_EVERY = 25;
const FIRST_SLOT = 1_000;
const FEE_BPS = 100;
const INITIAL_SOL = 30_000_000_000n;
const INITIAL_TOKEN = 1_073_000_000_000_000n;
const BPS = 10_000n;
/** The discriminator and the bump before the record. */
const CALL_HEAD_BYTES = 9;

export class IndexerChain {
  readonly #samples: Readonly<Record<keyof Samples, Template>>;
  readonly #transactions: Transaction[] = [];
  readonly #byName = new Map<string, number>();
  readonly #callHead: Uint8Array;
  #totals = { records: 0, trades: 0, tokens: 0, solPaid: 0n, solReceived: 0n, fees: 0n, rewards: 0n };

  constructor(samples: Samples, { records, traders, users, shareBps }: ChainSize) {
    this.#samples = {
      create: templateOf(samples.create),
      buy: templateOf(samples.buy),
      sell: templateOf(samples.sell),
    };
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
      if (turn % FAILED_EVERY === 0) this.#add('failed', curve.text, wallets[index]!.text, '');
    }
  }

  get totals(): ChainTotals {
    return this.#totals;
  }

  /** The newest slot: everything is final. */
  get slot(): number {
    return slotAt(this.#transactions.length - 1);
  }

  /** The oldest slot. */
  get firstSlot(): number {
    return FIRST_SLOT;
  }

  /** Every slot has a block. */
  blocks(from: number, to: number): number[] {
    const [first, last] = [Math.max(from, FIRST_SLOT), Math.min(to, this.slot)];
    return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) => first + index);
  }

  block(slot: number): { readonly blockHeight: number; readonly parentSlot: number } {
    return { blockHeight: slot - FIRST_SLOT, parentSlot: slot - 1 };
  }

  /** Newest first. */
  list({ before, until, limit }: { before?: string; until?: string; limit: number }): unknown[] {
    const from = before === undefined ? this.#transactions.length : (this.#byName.get(before) ?? 0);
    const to = until === undefined ? -1 : (this.#byName.get(until) ?? -1);
    const listed: unknown[] = [];
    for (let index = from - 1; index > to && listed.length < limit; index -= 1) {
      const { signature, kind } = this.#transactions[index]!;
      const err = kind === 'failed' ? { InstructionError: [3, { Custom: 6003 }] } : null;
      const slot = slotAt(index);
      listed.push({
        signature,
        slot,
        err,
        memo: null,
        blockTime: timeAt(slot),
        confirmationStatus: 'finalized',
      });
    }
    return listed;
  }

  /** JSON text; `null` when there is none. */
  transaction(signature: string): string {
    const index = this.#byName.get(signature);
    const transaction = index === undefined ? undefined : this.#transactions[index];
    if (index === undefined || transaction === undefined || transaction.kind === 'failed') return 'null';
    const slot = slotAt(index);
    return fill(this.#samples[transaction.kind], { ...transaction, slot: String(slot) });
  }

  slotOf(signature: string): number | undefined {
    const index = this.#byName.get(signature);
    return index === undefined ? undefined : slotAt(index);
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
      timestamp: BigInt(timeAt(slotAt(this.#transactions.length))),
    });
    this.#add('create', curve.text, creator.text, this.#call(record));
    return curve;
  }

  /** Two buys, then one sale of what the second has bought, and so on: the curve never sells out. */
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
      timestamp: BigInt(timeAt(slotAt(this.#transactions.length))),
    });
    this.#totals.trades += 1;
    this.#totals[isBuy ? 'solPaid' : 'solReceived'] += solAmount;
    this.#totals.fees += quote.fee;
    this.#totals.rewards += (quote.fee * BigInt(shareBps)) / BPS;
    this.#add(isBuy ? 'buy' : 'sell', curve.text, trader.text, this.#call(record));
  }

  #call(record: Uint8Array): string {
    return bs58.encode(Uint8Array.from([...this.#callHead, ...record]));
  }

  #add(kind: Transaction['kind'], mint: string, trader: string, call: string): void {
    const index = this.#transactions.length;
    const signature = bs58.encode(createHash('sha512').update(`transaction ${index}`).digest());
    this.#byName.set(signature, index);
    this.#transactions.push({ signature, kind, mint, trader, call });
    if (kind !== 'failed') this.#totals.records += 1;
  }
}

function slotAt(index: number): number {
  return FIRST_SLOT + Math.floor(index / TRANSACTIONS_OF_SLOT);
}

/** Unix seconds. */
function timeAt(slot: number): number {
  return 1_700_000_000 + Math.floor(slot * 0.4);
}

type Place = 'call' | 'signature' | 'mint' | 'trader' | 'slot';
/** Texts, and between them what differs from transaction to transaction. */
type Template = readonly (string | { readonly place: Place })[];

function templateOf(sample: Sample): Template {
  let parts: (string | { readonly place: Place })[] = [sample.json];
  const cut = (text: string, place: Place) => {
    parts = parts.flatMap((part) => {
      if (typeof part !== 'string') return [part];
      return part.split(text).flatMap((piece, index) => (index === 0 ? [piece] : [{ place }, piece]));
    });
  };
  for (const place of ['call', 'signature', 'mint', 'trader'] as const) cut(sample[place], place);
  const before = parts.length;
  cut(String(sample.slot), 'slot');
  if (parts.length === before) throw new Error('the sample does not tell its slot');
  return parts;
}

function fill(template: Template, values: Readonly<Record<Place, string>>): string {
  return template.map((part) => (typeof part === 'string' ? part : values[part.place])).join('');
}
