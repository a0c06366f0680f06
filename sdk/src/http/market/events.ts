// Events of the market's stream.

/** Fields of a token's summary that trades change. Amounts are decimal text of lamports and token units. */
export interface TokenUpdate {
  readonly mint: string;
  readonly status: 'trading' | 'graduated' | 'migrated';
  readonly venue: 'curve' | 'graduating' | 'pool' | 'unknown';
  readonly virtualSol: string;
  readonly virtualToken: string;
  readonly marketCap: string;
  readonly progressBps: number;
  readonly volume24h: string;
  readonly change24hBps: number | null;
  readonly trades: number;
  readonly lastTradeAt: number | null;
}

/** A new token, as in lists. */
export interface StreamToken extends TokenUpdate {
  readonly name: string;
  readonly symbol: string;
  readonly image: string | null;
  readonly creator: string;
  readonly createdAt: number;
  readonly initialVirtualToken: string;
  readonly finalized: boolean;
}

/** A trade, as in lists. */
export interface StreamTrade {
  /** Grows in the chain's order. */
  readonly id: string;
  readonly mint: string;
  readonly signature: string;
  readonly slot: number;
  readonly trader: string;
  readonly venue: 'curve' | 'pool';
  readonly isBuy: boolean;
  readonly solAmount: string;
  readonly tokenAmount: string;
  readonly fee: string;
  readonly virtualSol: string;
  readonly virtualToken: string;
  readonly graduated: boolean;
  readonly timestamp: number;
  readonly finalized: boolean;
}

interface EventData {
  /** A token was created. */
  readonly token: StreamToken;
  readonly trade: StreamTrade;
  readonly update: TokenUpdate;
  /** The curve has sold out. */
  readonly graduated: { readonly mint: string; readonly signature: string };
  /** The token has left its curve. `pool` is null where the chain does not say it. */
  readonly migrated: { readonly mint: string; readonly signature: string; readonly pool: string | null };
  /** The picture and the words of a token are known. */
  readonly metadata: {
    readonly mint: string;
    readonly image: string | null;
    readonly description: string | null;
    readonly links: Readonly<Record<'website' | 'x' | 'telegram' | 'discord', string | null>>;
  };
  /** A fork took the trades of a token from this id on: read it again. */
  readonly dropped: { readonly mint: string; readonly fromId: string };
  /** Too much was missed: read everything again. */
  readonly reset: Readonly<Record<string, never>>;
}

export type MarketEventType = keyof EventData;

/** An event. `id` is where to resume; undefined for none. */
export type MarketEvent = {
  [Type in MarketEventType]: { readonly type: Type; readonly id: string; readonly data: EventData[Type] };
}[MarketEventType];

export const EVENT_TYPES: readonly MarketEventType[] = [
  'token',
  'trade',
  'update',
  'graduated',
  'migrated',
  'metadata',
  'dropped',
  'reset',
];

/** @returns undefined for an event of a later version */
export function readEvent(type: string, id: string, text: string): MarketEvent | undefined {
  if (!(EVENT_TYPES as readonly string[]).includes(type)) return undefined;
  return { type, id, data: JSON.parse(text) as unknown } as MarketEvent;
}
