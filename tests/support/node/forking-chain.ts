// A chain that a test can make fork. The SDK's quotes determine the trades. A reorg removes blocks, and their transactions either
// disappear or land again in another block.
import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import { PublicKey } from '@solana/web3.js';
import {
  CurveStatus,
  curveAddress,
  decodeRecords,
  DEFAULT_DEPLOYMENT,
  quoteBuy,
  quoteSell,
  type CurveRecord,
} from '@curvekit/sdk';
import { transactionOf, type CurveContent, type JsonTransaction } from './record-transactions.js';

export type Commitment = 'confirmed' | 'finalized';

export interface ListedTransaction {
  readonly signature: string;
  readonly slot: number;
  readonly err: unknown;
}

/** An action of a user. `token` is an index, modulo the number of tokens. */
export type Intent =
  | { readonly kind: 'create'; readonly name?: string }
  | { readonly kind: 'buy'; readonly token: number; readonly lamports: bigint }
  | { readonly kind: 'sell'; readonly token: number; readonly units: bigint }
  | { readonly kind: 'migrate'; readonly token: number }
  /** A transaction of the program without a record. */
  | { readonly kind: 'nothing' };

interface Curve {
  readonly mint: PublicKey;
  readonly status: CurveStatus;
  readonly virtualSol: bigint;
  readonly virtualToken: bigint;
}

interface Block {
  readonly slot: number;
  readonly transactions: readonly {
    readonly intents: readonly Intent[];
    readonly listed: ListedTransaction;
    readonly json: JsonTransaction;
  }[];
  readonly curvesAfter: ReadonlyMap<number, Curve>;
}

const INITIAL_SOL = 30_000_000_000n;
const INITIAL_TOKEN = 1_073_000_000_000_000n;
const FEE_BPS = 100;
const TRADERS = [DEFAULT_DEPLOYMENT.admin, DEFAULT_DEPLOYMENT.dexOwner, DEFAULT_DEPLOYMENT.feeReceiver];

/** The chain starts with one empty, finalized block. */
export class ForkingChain {
  #blocks: Block[] = [{ slot: 1, transactions: [], curvesAfter: new Map() }];
  #finalizedBlocks = 1;
  readonly #usedSlots = new Set([1]);
  #signatures = 0;
  readonly #slotSeconds: number;
  #tokens = 0;

  /** @param slotSeconds seconds between the timestamps of two slots */
  constructor(slotSeconds = 1) {
    this.#slotSeconds = slotSeconds;
  }

  /** Adds a block with one transaction per group of intents. An intent that the program would refuse fails its transaction. */
  execute(groups: readonly (readonly Intent[])[], signatures?: readonly string[]): void {
    const parent = this.#blocks.at(-1)!;
    let slot = parent.slot + 1;
    while (this.#usedSlots.has(slot)) slot += 1;
    this.#usedSlots.add(slot);
    let curves = parent.curvesAfter;
    const transactions = groups.map((intents, index) => {
      const signature = signatures?.[index] ?? this.#newSignature();
      const outcome = this.#run(intents, curves, slot);
      if (outcome !== undefined) curves = outcome.curves;
      const listed = {
        signature,
        slot,
        err: outcome === undefined ? { InstructionError: [0, { Custom: 6005 }] } : null,
      };
      return { intents, listed, json: transactionOf(signature, slot, outcome?.records ?? []) };
    });
    this.#blocks.push({ slot, transactions, curvesAfter: curves });
  }

  skip(slots: number): void {
    const last = this.#blocks.at(-1)!.slot;
    for (let slot = last + 1; slot <= last + slots; slot += 1) this.#usedSlots.add(slot);
  }

  /**
   * Removes the last `depth` blocks that are not finalized, as a reorg does. The transactions for which `lands` returns true land
   * again in a new block.
   */
  fork(depth: number, lands: (index: number) => boolean): void {
    const kept = Math.max(this.#finalizedBlocks, this.#blocks.length - depth);
    const lost = this.#blocks.splice(kept).flatMap(({ transactions }) => transactions);
    const again = lost.filter((_, index) => lands(index));
    if (again.length === 0) return;
    this.execute(
      again.map(({ intents }) => intents),
      again.map(({ listed }) => listed.signature),
    );
  }

  finalize(blocks: number): void {
    this.#finalizedBlocks = Math.min(this.#blocks.length, this.#finalizedBlocks + blocks);
  }

  /** Every record of the current chain after a slot, in order. */
  records(after = 0): CurveRecord[] {
    const first = this.#blocks.findIndex(({ slot }) => slot > after);
    return this.#blocks
      .slice(first < 0 ? Infinity : first)
      .flatMap(({ transactions }) =>
        transactions.flatMap(({ listed, json }) => (listed.err === null ? decodeRecords(json) : [])),
      );
  }

  slot(commitment: Commitment): number {
    return this.#at(commitment).at(-1)!.slot;
  }

  /** The transactions, newest first. */
  list(commitment: Commitment): ListedTransaction[] {
    return this.#at(commitment)
      .flatMap(({ transactions }) => transactions.map(({ listed }) => listed))
      .reverse();
  }

  transaction(signature: string, commitment: Commitment): JsonTransaction | null {
    for (const { transactions } of this.#at(commitment)) {
      const found = transactions.find(({ listed }) => listed.signature === signature);
      if (found !== undefined) return found.json;
    }
    return null;
  }

  /** Slots of the finalized blocks, both ends included, oldest first. */
  blocks(from: number, to: number): number[] {
    return this.#at('finalized')
      .map(({ slot }) => slot)
      .filter((slot) => slot >= from && slot <= to);
  }

  /** A finalized block without its transactions; null if it does not exist. */
  block(slot: number, commitment: Commitment = 'finalized') {
    const blocks = this.#at(commitment);
    const height = blocks.findIndex((block) => block.slot === slot);
    if (height === -1) return null;
    const transactions = blocks[height]!.transactions.map(({ json }) => json);
    return { blockHeight: height, parentSlot: blocks[height - 1]?.slot ?? 0, blockTime: null, transactions };
  }

  #at(commitment: Commitment): readonly Block[] {
    return commitment === 'finalized' ? this.#blocks.slice(0, this.#finalizedBlocks) : this.#blocks;
  }

  #newSignature(): string {
    this.#signatures += 1;
    return bs58.encode(createHash('sha512').update(`signature ${this.#signatures}`).digest());
  }

  /** Undefined if the program would refuse the transaction. */
  #run(intents: readonly Intent[], before: ReadonlyMap<number, Curve>, slot: number) {
    const curves = new Map(before);
    const records: CurveContent[] = [];
    for (const intent of intents) {
      const record = this.#apply(intent, curves, slot);
      if (record === 'refused') return undefined;
      if (record !== undefined) records.push(record);
    }
    return { curves, records };
  }

  #apply(intent: Intent, curves: Map<number, Curve>, slot: number): CurveContent | undefined | 'refused' {
    const timestamp = BigInt(slot * this.#slotSeconds);
    if (intent.kind === 'nothing') return undefined;
    if (intent.kind === 'create') return this.#create(curves, timestamp, intent.name);
    const tokens = [...curves.keys()];
    const token = tokens[intent.token % tokens.length];
    const curve = token === undefined ? undefined : curves.get(token);
    if (token === undefined || curve === undefined) return 'refused';
    const { mint } = curve;
    if (intent.kind === 'migrate') {
      if (curve.status !== CurveStatus.Finalized) return 'refused';
      curves.set(token, { ...curve, status: CurveStatus.Migrated });
      const data = {
        mint,
        feeAccount: DEFAULT_DEPLOYMENT.feeReceiver,
        solAmount: curve.virtualSol,
        tokenAmount: 1n,
        timestamp,
      };
      return { kind: 'migrate', data };
    }
    if (curve.status !== CurveStatus.Trading) return 'refused';
    const state = { ...curve, initialized: curve.status, platformFeeBps: FEE_BPS };
    const isBuy = intent.kind === 'buy';
    const sold = INITIAL_TOKEN - curve.virtualToken;
    if (!isBuy && (sold === 0n || intent.units > sold)) return 'refused';
    const quote = isBuy ? quoteBuy(state, intent.lamports) : quoteSell(state, intent.units);
    const { virtualSol, virtualToken, fee } = quote;
    const graduated = 'graduates' in quote && quote.graduates;
    curves.set(token, {
      ...curve,
      virtualSol,
      virtualToken,
      status: graduated ? CurveStatus.Finalized : CurveStatus.Trading,
    });
    const [solAmount, tokenAmount] =
      'solSpent' in quote ? [quote.solSpent, quote.tokenOut] : [quote.solOut, quote.tokenToSpend];
    const trader = TRADERS[slot % TRADERS.length]!;
    return {
      kind: 'trade',
      data: {
        mint,
        trader,
        isBuy,
        solAmount,
        tokenAmount,
        fee,
        virtualSol,
        virtualToken,
        finalized: graduated,
        timestamp,
      },
    };
  }

  #create(curves: Map<number, Curve>, timestamp: bigint, name?: string): CurveContent {
    this.#tokens += 1;
    const mint = new PublicKey(createHash('sha256').update(`mint ${this.#tokens}`).digest());
    curves.set(this.#tokens, {
      mint,
      status: CurveStatus.Trading,
      virtualSol: INITIAL_SOL,
      virtualToken: INITIAL_TOKEN,
    });
    return {
      kind: 'create',
      data: {
        mint,
        creator: DEFAULT_DEPLOYMENT.admin,
        tokenOwnerPda: curveAddress(mint).address,
        name: name ?? `Token ${this.#tokens}`,
        symbol: 'TKN',
        uri: 'https://example.org/token.json',
        afterMigrationFee: 100,
        burnBp: 1_000,
        holdersBp: 2_000,
        lpBp: 3_000,
        virtualSol: INITIAL_SOL,
        virtualToken: INITIAL_TOKEN,
        platformFeeBps: FEE_BPS,
        timestamp,
      },
    };
  }
}
